// Reads state.json: its version, the skill that it belongs to, and every mistake at once, each with its key and location.
import { z } from 'zod';
import { failure, type Failure } from '../../../model/failure.ts';
import { syntaxFault } from '../../../model/json-syntax.ts';
import { memberOf, positions, skipSpace } from '../../../model/json-text.ts';
import { err, ok, type Result } from '../../../model/result.ts';
import { hasVersion, stateFileSchema, v1FileSchema, type WorkflowFile } from './state.ts';

/** `foreign`: the state of another skill, of which only the name is read. */
export type FoundState =
  | { readonly kind: 'workflow'; readonly file: WorkflowFile }
  | { readonly kind: 'foreign'; readonly skill: string };

const SKILL = 'workflow';
const SUPPORTED = '2.0';
const header = z.looseObject({ skill: z.unknown().optional(), version: z.unknown().optional() });

/** Failures: `state-unreadable` with one cause per mistake, `state-newer` for a version after 2.0. */
export function readState(text: string, file: string): Result<FoundState> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { mistake, offset } = syntaxFault(text) ?? { mistake: 'unexpected-character', offset: 0 };
    const at = { file, ...positions(text)(offset) };
    return err(failure('state-unreadable', { file, why: 'not-json', detail: mistake }, { at }));
  }
  const { skill, version } = header.safeParse(value).data ?? {};
  if (typeof skill === 'string' && skill !== SKILL) return ok({ kind: 'foreign', skill });
  if (isNewer(version)) {
    const setting = 'compatibility.on_newer_state';
    const params = { file, found: String(version), supported: SUPPORTED, setting };
    return err(failure('state-newer', params, { at: { file, key: 'version' } }));
  }
  const read = (hasVersion(value) ? stateFileSchema : v1FileSchema).safeParse(value);
  if (read.success) return ok({ kind: 'workflow', file: read.data });
  return err(refused(text, file, read.error.issues));
}

/** A version number after 2.0. Any other that is not "2.0" is a mistake. */
function isNewer(version: unknown): boolean {
  if (typeof version !== 'string' || !/^\d{1,4}(\.\d{1,4})*$/.test(version)) return false;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 2 || (major === 2 && minor > 0);
}

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };

function refused(text: string, file: string, issues: readonly Issue[]): Failure {
  const lineAt = positions(text);
  const causes = issues.map(({ path, message }) => {
    const key = path.map(String).join('.');
    const { offset, isThere } = locationOf(text, path);
    const at = { file, ...lineAt(offset), ...(key === '' ? {} : { key }) };
    const unfit = { why: 'value-unfit', detail: `${key === '' ? '' : `${key}: `}${message}` };
    return failure('state-unreadable', { file, ...(isThere ? unfit : { why: 'value-missing', detail: key }) }, { at });
  });
  const [first] = causes;
  const params = { ...first?.params, file, count: causes.length };
  return failure('state-unreadable', params, { at: first?.at ?? { file }, causes });
}

/** Where the value of a key begins; for a missing key, where its object does. */
function locationOf(
  text: string,
  path: readonly PropertyKey[],
): { readonly offset: number; readonly isThere: boolean } {
  let offset = skipSpace(text, 0);
  for (const step of path) {
    const next = memberOf(text, offset, String(step))?.value.start;
    if (next === undefined) return { offset, isThere: false };
    offset = next;
  }
  return { offset, isThere: true };
}
