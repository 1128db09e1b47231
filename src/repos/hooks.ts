// Hooks of the repository: none runs for what the harness does, since an agent could have written it. Named, so that what they check is not missed.
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ok, type Result } from '../model/result.ts';
import type { Git } from './git.ts';
import { factsOf } from './paths.ts';
import { readSettings } from './settings.ts';

/** Those that git would run for a commit, a merge or a push of a person. */
const KNOWN =
  /^(?:pre-commit|prepare-commit-msg|commit-msg|post-commit|pre-merge-commit|post-merge|pre-push|reference-transaction|post-checkout)$/;

export async function hooksOf(git: Git): Promise<Result<readonly string[]>> {
  const settings = await readSettings(git);
  if (!settings.ok) return settings;
  const { own, repository } = settings.value;
  const path = repository.get('core.hookspath') ?? own.get('core.hookspath') ?? '';
  const home = git.userEnv['HOME'] ?? '';
  const folder = path === '' ? join(git.commonDir, 'hooks') : resolve(git.root, path.replace(/^~\//, `${home}/`));
  return ok(namesIn(folder).filter((name) => KNOWN.test(name) && isProgram(join(folder, name))));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return []; // no such folder
  }
}

const isProgram = (file: string): boolean => {
  const facts = factsOf(file);
  return facts !== null && !facts.isDirectory() && (facts.isSymbolicLink() || (facts.mode & 0o111) !== 0);
};
