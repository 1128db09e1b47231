// Finds and reads the configuration file of a target.
import { readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { statsOf } from '../../host/paths.ts';
import { CONFIG_FILES } from '../../model/config.ts';
import { failure, type Params } from '../../model/failure.ts';
import type { Reason } from '../../model/reasons.ts';
import { err, ok, type Result } from '../../model/result.ts';

/** Likely misspellings of the file name: ignoring one would run the repository on defaults. */
const MISNAMED = [
  '.harness.yml',
  'harness.config.yaml',
  'harness.config.yml',
  'harness.config.js',
  'harness.config.mjs',
];

/** Supported file names. */
const READ = CONFIG_FILES.filter((name) => !name.endsWith('.ts'));

const MAX_BYTES = 256 * 1024;

/** `file` is repository-relative, or absolute if it is outside the target. */
export type ConfigText = { readonly file: string; readonly text: string };

/**
 * The configuration file of the target, or null. `configFile` (absolute, or relative to the root) replaces it. Fails with
 * `config-not-found`, `config-ambiguous`, `config-misnamed`, `config-not-supported` (a `.ts` file), `config-unreadable`.
 */
export function findConfig(root: string, configFile: string | null): Result<ConfigText | null> {
  if (configFile !== null) {
    const path = resolve(root, configFile);
    return isThere(path)
      ? readConfigFile(nameIn(root, path), path)
      : wrong('config-not-found', configFile, { file: configFile });
  }
  const [name, ...more] = CONFIG_FILES.filter((one) => isThere(join(root, one)));
  if (name !== undefined && more.length > 0) {
    const files = [name, ...more].join(', ');
    return wrong('config-ambiguous', files, { files });
  }
  if (name !== undefined) return readConfigFile(name, join(root, name));
  const misnamed = MISNAMED.find((near) => isThere(join(root, near)));
  if (misnamed === undefined) return ok(null);
  return wrong('config-misnamed', misnamed, { file: misnamed, allowed: READ.join(' | ') });
}

const wrong = (reason: Reason, file: string, params: Params): Result<never> =>
  err(failure(reason, params, { at: { file } }));

function readConfigFile(file: string, path: string): Result<ConfigText> {
  // It is a program, and programs of a target run only in a box.
  if (/\.[cm]?[jt]s$/.test(file))
    return wrong('config-not-supported', file, { got: file, allowed: READ.join(' | '), part: 'config-as-code' });
  const unreadable = (problem: string, detail = ''): Result<never> =>
    wrong('config-unreadable', file, { file, problem, detail });
  try {
    const bytes = readFileSync(path);
    if (bytes.length > MAX_BYTES) return unreadable('too-large', `${bytes.length} bytes, at most ${MAX_BYTES}`);
    return ok({ file, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'not-readable';
    return unreadable(code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'not-utf-8' : code);
  }
}

/** True also for broken links and unreadable files: reading them then reports the reason. */
function isThere(path: string): boolean {
  try {
    return statsOf(path) !== null;
  } catch {
    return true;
  }
}

function nameIn(root: string, path: string): string {
  const inside = relative(root, path);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? path : inside.replaceAll(sep, '/');
}
