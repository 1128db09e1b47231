// What a tree adds to another one and takes away, byte for byte: text and binary files alike, whatever attributes and configuration say.
import { Buffer } from 'node:buffer';
import { ok, type Result } from '../model/result.ts';
import type { ChangedLines, FileDelta } from '../model/file-delta.ts';
import type { Git, ObjectId } from './git.ts';

const FLAGS =
  '-r --raw -z -p -U0 --inter-hunk-context=0 --text --no-color --no-ext-diff --no-textconv --no-renames --full-index --diff-algorithm=myers --ignore-submodules=none'.split(
    ' ',
  );

/** One git process. A rename is a removed file and a new one. */
export async function changeBetween(git: Git, from: ObjectId, to: ObjectId): Promise<Result<readonly FileDelta[]>> {
  const out = await git.run(['diff-tree', ...FLAGS, from, to, '--'], { encoding: 'latin1' });
  return out.ok ? ok(parse(out.value)) : out;
}

/** First `:modes ids status NUL path NUL` for each file, then NUL and the patch, with a section for each file in the same order. */
function parse(out: string): readonly FileDelta[] {
  const files: { path: string; isNew: boolean; added: ChangedLines[]; removed: ChangedLines[] }[] = [];
  let at = 0;
  while (out[at] === ':') {
    const end = out.indexOf('\0', at);
    const next = out.indexOf('\0', end + 1);
    const status = out.slice(at, end).at(-1);
    const path = decoded(out.slice(end + 1, next));
    const file = { path, isNew: status === 'A', added: [], removed: [] };
    // Another type of entry is a removal and an addition, each with a section of its own.
    files.push(file, ...(status === 'T' ? [{ ...file, added: [], removed: [] }] : []));
    at = next + 1;
  }
  const lines = out.slice(at + 1).split('\n');
  let file = -1;
  for (let n = 0; n < lines.length; n += 1) {
    const line = lines[n] ?? '';
    if (line.startsWith('diff --git ')) file += 1;
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk === null) continue;
    const [, from = '0', less = '1', to = '0', more = '1'] = hunk;
    const take = (count: number): string => {
      const taken: string[] = [];
      for (; taken.length < count; n += 1)
        if (lines[n + 1]?.startsWith('\\') !== true) taken.push(lines[n + 1]?.slice(1) ?? '');
      return decoded(taken.join('\n'));
    };
    if (Number(less) > 0) files[file]?.removed.push({ line: Number(from), text: take(Number(less)) });
    if (Number(more) > 0) files[file]?.added.push({ line: Number(to), text: take(Number(more)) });
  }
  return files;
}

/** Git's output is read with a character for every byte. */
const decoded = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8');
