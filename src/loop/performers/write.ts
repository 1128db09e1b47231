// Files of a playbook's own that no commit carries: a list it keeps up by itself, and a log that only grows.
// I1 what a file was is kept beside it before it is written. I2 a line that stands at the end of the log already is not written again.
import { join } from 'node:path';
import type { ActionOf, Performer } from '../../engine/types.ts';
import { readText, tailOf } from '../../host/files.ts';
import type { Actions, WriteOutcome } from '../../model/action.ts';
import { Bug } from '../../model/bug.ts';
import { ok, type Result } from '../../model/result.ts';
import type { Lane } from '../lane.ts';
import { written } from './edit.ts';
import { repeatable } from './repeatable.ts';

/** Bytes of the end of the log in which a line is looked for that may have been written before a crash. */
const TAIL = 64 * 1024;

/** `beforeEach`: told of each file before it is written. */
export const writes = (
  lane: Lane,
  beforeEach: (path: string, text: string) => Result<null> = () => ok(null),
): Performer<ActionOf<Actions, 'write'>, WriteOutcome> => ({
  async perform({ edit, lines }) {
    const write = edit === null ? null : lane.playbook.edits[edit.name];
    if (edit !== null && !write) throw new Bug(`playbook ${lane.playbook.name} has no edit "${edit.name}"`);
    const files = edit !== null && write ? await written(write(lane.world, edit.input)) : null;
    if (files?.ok === false) return { blocked: files.failure };
    const changed: string[] = [];
    for (const [path, text] of Object.entries(files?.value ?? {})) {
      const file = join(lane.root, path);
      const before = readText(file);
      if (!before.ok) return { blocked: before.failure };
      if (before.value === text) continue;
      const backup = before.value !== null && isWhole(before.value) ? { [`${path}${BACKUP}`]: before.value } : {};
      for (const [name, content] of Object.entries({ ...backup, [path]: text })) {
        const told = beforeEach(name, content);
        if (!told.ok) return { blocked: told.failure };
        lane.io.replace(join(lane.root, name), content);
      }
      changed.push(path);
    }
    if (lines.length > 0) appendLines(lane, lines);
    return { written: changed };
  },
  probe: repeatable,
});

const BACKUP = '.bak';

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
  { root, config, io, redact }: Pick<Lane, 'root' | 'config' | 'io' | 'redact'>,
  lines: readonly string[],
): void {
  const file = join(root, config.paths.progress);
  let tail = tailOf(file, TAIL);
  for (const line of lines.map((one) => redact(one))) {
    if (`\n${tail}`.includes(`\n${line}\n`)) continue;
    const torn = tail.slice(tail.lastIndexOf('\n') + 1);
    const rest = torn === '' ? line : line.startsWith(torn) ? line.slice(torn.length) : `\n${line}`;
    io.append(file, `${rest}\n`);
    tail += `${rest}\n`;
  }
}
