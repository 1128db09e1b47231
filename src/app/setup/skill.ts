// Installs the skills with which other agents call this program (`/harness`, `/workflow`).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../host/files.ts';
import { packageRoot } from '../../host/package-root.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { commitTree } from '../../repos/commit.ts';
import type { Watcher } from '../open/run-context.ts';
import { withRunLock } from '../open/run-lock.ts';
import { runName } from '../open/run-name.ts';
import type { Target } from '../open/target.ts';

/** The folder that Claude Code installs as a plugin, and as the list of plugins that names it. */
export const pluginFolder = (): string => join(packageRoot(), 'plugin');
/** For the AGENTS.md of a repository: what every agent that works in it should know of this program. */
export const agentsSnippet = (): string => readFileSync(join(pluginFolder(), 'AGENTS.snippet.md'), 'utf8');

/** Where Claude Code and compatible agents look for skills. */
const placeOf = (name: string): string => `.claude/skills/${name}/SKILL.md`;

export type Installed = { readonly made: readonly string[]; readonly commit: string | null };

/** Writes the skills in one commit. Fails with `file-in-the-way` if a file with other content exists. */
export async function installSkills(target: Target, watcher: Watcher): Promise<Result<Installed>> {
  const files: { [path: string]: string } = {};
  const names: string[] = [];
  const shipped = join(pluginFolder(), 'skills');
  for (const name of readdirSync(shipped).toSorted()) {
    const text = readFileSync(join(shipped, name, 'SKILL.md'), 'utf8');
    const path = placeOf(name);
    const there = existsSync(join(target.root, path)) ? readText(join(target.root, path)) : ok(null);
    if (!there.ok) return there;
    if (there.value !== null && there.value !== text)
      return err(failure('file-in-the-way', { file: path }, { at: { file: path } }));
    if (there.value !== null) continue;
    files[path] = text;
    names.push(`/${name}`);
  }
  const made = Object.keys(files);
  if (made.length === 0) return ok({ made, commit: null });
  const run = runName(target.clock, 'c');
  return withRunLock(target, run, 'harness init --skill', 'no-box', watcher, async ({ context }) => {
    const ask = {
      style: 'plain',
      item: null,
      session: 0,
      run,
      token: run,
      body: '',
      only: made,
      expectTree: null,
    } as const;
    const subject = `chore(harness): the ${names.length === 1 ? 'skill' : 'skills'} ${names.join(' and ')} for agents`;
    const done = await commitTree(context.git, { ...ask, subject, files });
    return done.ok ? ok({ made, commit: done.value.commit }) : done;
  });
}
