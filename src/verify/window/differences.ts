// What differs from what a window kept, and what comes of it: put back, taken as added at the end, or handed back as a claim.
import type { Buffer } from 'node:buffer';
import { join, resolve } from 'node:path';
import type { Io } from '../../host/io.ts';
import { readRegular } from '../../host/files.ts';
import { MAX_BYTES, type Entry, type Findings } from './kept.ts';
import { linkOf, parentMoved, same } from './place.ts';

export function look(
  io: Io,
  into: string,
  root: string,
  files: readonly Entry[],
  isWanted: (entry: Entry) => boolean = () => true,
): Findings {
  const found: Findings = { schema: 1, problems: [], appended: [], claims: [], kept: [], putBack: [] };
  for (const [index, entry] of files.entries()) {
    if (!isWanted(entry)) continue;
    const path = resolve(root, entry.path);
    const before = entry.copy === null ? null : readRegular(join(into, entry.copy), MAX_BYTES);
    const old = before?.kind === 'file' ? before.bytes : null;
    const moved = linkOf(path) !== entry.link || (!entry.throughLink && parentMoved(root, path));
    const now = readRegular(moved ? path : entry.target, MAX_BYTES);
    const bytes = now.kind === 'file' ? now.bytes : null;
    const isPlain = !moved && now.kind !== 'other';
    if (isPlain && entry.rule === 'claimed') {
      found.claims.push({ path: entry.path, before: text(old), after: text(bytes) });
      continue;
    }
    if (isPlain && same(old, bytes)) continue;
    if (isPlain && entry.rule === 'appendable' && bytes !== null && startsWith(bytes, old)) {
      found.appended.push({ path: entry.path, text: bytes.subarray(old?.length ?? 0).toString('utf8') });
      continue;
    }
    if (bytes !== null) {
      const copy = join(into, 'edited', String(index));
      io.replace(copy, bytes);
      found.kept.push({ path: entry.path, copy });
    }
    const change = !isPlain ? 'replaced' : old === null ? 'added' : bytes === null ? 'removed' : 'edited';
    found.problems.push({ code: entry.problem, params: { file: entry.path, change } });
    found.putBack.push(entry.path);
    if (entry.rule === 'claimed') found.claims.push({ path: entry.path, before: text(old), after: null });
  }
  return found;
}

/** What was put back before is told once, and need not be put back again. */
export function joined(earlier: Findings, found: Findings): Findings {
  const told = new Set(found.problems.map((problem) => JSON.stringify(problem)));
  const problems = [...earlier.problems.filter((problem) => !told.has(JSON.stringify(problem))), ...found.problems];
  return { ...found, problems, kept: [...earlier.kept, ...found.kept] };
}

export const text = (bytes: Buffer | null): string | null => (bytes === null ? null : bytes.toString('utf8'));
const startsWith = (bytes: Buffer, head: Buffer | null): boolean =>
  head === null || (bytes.length >= head.length && bytes.subarray(0, head.length).equals(head));
