// Files of a playbook that are in no commit: its list, and a log that only grows.
// I1 a copy of a file is kept beside it before it is replaced. I2 a line already at the end of the log is not written again.
// I3 lines are kept in the private folder before they are appended: after a crash a cut line can be completed.
// I4 temporary files that a crash left beside a file are removed here: the sweep at a start does not look into the user's folders.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textsOf } from '../../engine/definitions.ts';
import type { ActionOf, Performer } from '../../engine/types.ts';
import { readText, tailOf } from '../../host/files.ts';
import { removeStaleNextTo } from '../../host/stale-files.ts';
import type { Actions, WriteOutcome } from '../../model/action.ts';
import { syntaxFault } from '../../model/json-syntax.ts';
import { positions } from '../../model/json-text.ts';
import type { EditCall } from '../../model/remember.ts';
import { ok, type Result } from '../../model/result.ts';
import { keepEdit } from '../records/kept-edits.ts';
import {
  readContext,
  rootFor,
  type RunContext,
  type RunEvents,
  type RunHost,
  type RunRepository,
  type RunSettings,
} from '../run-context.ts';
import { repeatable } from './repeatable.ts';

/** Bytes of the end of the log in which a line is looked for that may have been written before a crash. */
const TAIL = 64 * 1024;

export const writes = (
  context: RunRepository & RunSettings & RunHost & RunEvents,
): Performer<ActionOf<Actions, 'write'>, WriteOutcome> => ({
  async perform({ edit, lines }) {
    const written = edit === null ? ok([]) : await writeEdit(context, edit);
    if (!written.ok) return { blocked: written.failure };
    if (lines.length > 0) appendLines(context, lines);
    return { written: written.value };
  },
  probe: repeatable,
});

const BACKUP = '.bak';

/** The files that it changed. Repeatable. */
export async function writeEdit(
  context: RunRepository & RunSettings & RunHost & RunEvents,
  edit: EditCall,
): Promise<Result<readonly string[]>> {
  const files = await textsOf(edit, readContext(context));
  if (!files.ok) return files;
  const changed: string[] = [];
  for (const [path, text] of Object.entries(files.value)) {
    const file = join(rootFor(context, path), path);
    removeStaleNextTo(context.io, [file, `${file}${BACKUP}`]);
    const before = readText(file);
    if (!before.ok) return before;
    if (before.value === text) continue;
    if (before.value !== null && isWhole(before.value)) context.io.replace(`${file}${BACKUP}`, before.value);
    else if (before.value !== null && path.endsWith('.json')) keepBroken(context, path, before.value);
    context.io.replace(file, text);
    changed.push(path);
  }
  return ok(changed);
}

/** A person's slip in a list: files of the harness are written whole. Documents are no JSON at all. The text is kept, and its first mistake named. */
function keepBroken(context: RunRepository & RunHost & RunEvents, path: string, text: string): void {
  const { line, column } = positions(text)(syntaxFault(text)?.offset ?? 0);
  const kept = keepEdit(context, path, text);
  context.notify({ type: 'list-broken', level: 'critical', data: { file: path, kept, line, column } });
}

/** A file that cannot be parsed would take the place of the copy that it is restored from. */
function isWhole(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The log is never rewritten: a line that a crash cut in two is finished, one that is there is left. */
export function appendLines(
  {
    userRoot,
    workspaceDir,
    config,
    io,
    redact,
  }: Pick<RunContext, 'userRoot' | 'workspaceDir' | 'config' | 'io' | 'redact'>,
  lines: readonly string[],
): void {
  const file = join(userRoot, config.paths.progress);
  const about = join(workspaceDir, ABOUT_TO_BE_LOGGED);
  let tail = tailOf(file, TAIL);
  const isThere = (line: string): boolean => `\n${tail}`.includes(`\n${line}\n`);
  const append = (text: string): void => {
    io.append(file, text);
    tail += text;
  };
  const torn = tail.slice(tail.lastIndexOf('\n') + 1);
  if (torn !== '') {
    const line = linesIn(about).find((one) => !isThere(one) && one.startsWith(torn));
    append(`${line?.slice(torn.length) ?? ''}\n`);
  }
  const missing = lines.map((one) => redact(one)).filter((line) => !isThere(line));
  if (missing.length === 0) return;
  io.replace(about, `${missing.join('\n')}\n`);
  for (const line of missing) if (!isThere(line)) append(`${line}\n`);
}

/** The lines that were appended last, or were about to be. */
const ABOUT_TO_BE_LOGGED = 'log-lines';

const linesIn = (file: string): readonly string[] =>
  existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
