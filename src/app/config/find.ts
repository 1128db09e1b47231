// Which file holds the configuration of a target, and its text. Does not own what the text means.
import { lstatSync, readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { CONFIG_FILES } from '../../model/config.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';

/** Near misses: passing over one in silence would run somebody's repository on defaults. */
const MISNAMED = [
  '.harness.yml',
  'harness.config.yaml',
  'harness.config.yml',
  'harness.config.js',
  'harness.config.mjs',
];

const MAX_BYTES = 256 * 1024;

/** `file` is repository-relative, or absolute where it lies outside of the target. */
export type ConfigText = { readonly file: string; readonly text: string };

/**
 * The one configuration file of the target, or null where there is none.
 * `configFile` (absolute, or relative to the root) stands for any other. Errors: `config-not-found`, `config-ambiguous`,
 * `config-misnamed`, `config-not-supported` (a `.ts` file), `config-unreadable`.
 */
export function findConfig(root: string, configFile: string | null): Result<ConfigText | null> {
  if (configFile !== null) {
    const path = resolve(root, configFile);
    if (!isThere(path)) return err(failure('config-not-found', { file: configFile }, { at: { file: configFile } }));
    return readConfigFile(nameIn(root, path), path);
  }
  const found = CONFIG_FILES.filter((name) => isThere(join(root, name)));
  if (found.length > 1)
    return err(failure('config-ambiguous', { files: found.join(', ') }, { at: { file: found.join(', ') } }));
  const name = found[0];
  if (name !== undefined) return readConfigFile(name, join(root, name));
  const misnamed = MISNAMED.find((near) => isThere(join(root, near)));
  if (misnamed !== undefined)
    return err(
      failure(
        'config-misnamed',
        { file: misnamed, allowed: CONFIG_FILES.filter((name) => !name.endsWith('.ts')).join(' | ') },
        { at: { file: misnamed } },
      ),
    );
  return ok(null);
}

function readConfigFile(file: string, path: string): Result<ConfigText> {
  const at = { file };
  // Such a file is a program: it waits for the box that programs of a target are run in.
  if (/\.[cm]?[jt]s$/.test(file))
    return err(
      failure(
        'config-not-supported',
        { got: file, allowed: '.harness.yaml | harness.config.json', part: 'config-as-code' },
        { at },
      ),
    );
  try {
    const bytes = readFileSync(path);
    if (bytes.length > MAX_BYTES)
      return err(
        failure(
          'config-unreadable',
          { file, problem: 'too-large', detail: `${bytes.length} bytes, at most ${MAX_BYTES}` },
          { at },
        ),
      );
    return ok({ file, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'not-readable';
    const problem = code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'not-utf-8' : code;
    return err(failure('config-unreadable', { file, problem, detail: '' }, { at }));
  }
}

/** Links count even where they lead nowhere, and what cannot be looked at counts too: reading it then says why it cannot be. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}

function nameIn(root: string, path: string): string {
  const inside = relative(root, path);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? path : inside.replaceAll(sep, '/');
}
