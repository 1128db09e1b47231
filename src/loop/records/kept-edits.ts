// Texts of the list that a person wrote and that could not be taken as they are: they are kept in `.harness/edits/`, and
// `harness resume --accept-edits` takes them. No copy takes the place of another.
import { basename, join } from 'node:path';
import { sha256 } from '../../host/files.ts';
import type { RunHost, RunRepository } from '../run-context.ts';

export const EDITS = 'edits';

/** `path`: of the file, repository-relative. Answers the name of the copy, for a message. Keeping the same text again changes nothing. */
export function keepEdit(
  { stateDir, io }: Pick<RunRepository & RunHost, 'stateDir' | 'io'>,
  path: string,
  text: string,
): string {
  const name = `${sha256(text).slice(0, 8)}-${basename(path)}`;
  io.replace(join(stateDir, EDITS, name), text);
  return `${basename(stateDir)}/${EDITS}/${name}`;
}
