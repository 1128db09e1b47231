// Keeps an answer with its sources (kept-answers.ts), for the next call of the same command line.
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { packageRoot } from '../../host/package-root.ts';
import { isBelow, targetStatsOf } from '../../host/paths.ts';
import { isRacy } from '../../host/sources.ts';
import { watchSources } from '../../host/source-watch.ts';
import { keptBytes, LARGEST_BYTES, slotOf, type AskedLine, type KeptAnswer, type AnswerFile } from './kept-answers.ts';

/** Comparing more would take as long as the answer. */
const MOST_SOURCES = 400;
/** Of other command lines, folders and terminals. */
const MOST_ANSWERS = 100;

/**
 * Watches what is read from now on; null: the answer could not be kept. `keep` ends that, and keeps the answer if it holds for later calls; a
 * disk that cannot be written keeps nothing. `drop` only ends it, if it has not ended.
 */
export function watchAnswer(line: AskedLine): { keep(answer: Omit<KeptAnswer, 'sources'>): void; drop(): void } | null {
  const slot = slotFor(line);
  if (slot === null) return null;
  const startedAt = performance.now();
  const watch = watchSources();
  const program = join(packageRoot(), 'dist');
  // Another build has another one of these, which names all other files of it.
  targetStatsOf(join(program, 'cli.mjs'));
  return {
    drop: () => void watch.end(),
    keep(answer) {
      const sources = watch.end();
      if (sources === null) return;
      const list = sources.list.filter(({ path }) => !isBelow(path, join(program, 'chunks')));
      if (list.length > MOST_SOURCES || answer.text.length > LARGEST_BYTES / 2) return;
      try {
        store(slot, { ...answer, sources: { ...sources, list } }, startedAt);
      } catch {
        // the next call computes it too
      }
    },
  };
}

function slotFor(line: AskedLine): AnswerFile | null {
  try {
    const slot = slotOf(line);
    return slot !== null && isPossible(slot) ? slot : null;
  } catch {
    return null; // the command says what is wrong with the folder
  }
}

/** Not while a run holds the lock: its answers would end with its next step. */
const isPossible = ({ workspaceDir }: Pick<AnswerFile, 'workspaceDir'>): boolean =>
  existsSync(workspaceDir) && !existsSync(join(workspaceDir, 'lock.json'));

function store({ workspaceDir, file, key }: AnswerFile, answer: KeptAnswer, startedAt: number): void {
  const folder = dirname(file);
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
  else if (readdirSync(folder).length >= MOST_ANSWERS)
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true });
  if (!isPossible({ workspaceDir })) return;
  const next = `${file}.${process.pid}.tmp`;
  const handle = openSync(next, 'wx', 0o600);
  let isKept = false;
  try {
    writeFileSync(handle, keptBytes(key, answer));
    const { dev, mtimeNs } = fstatSync(handle, { bigint: true });
    // The clock of this disk may be behind ours: what it wrote just now says by how much.
    const elapsed = BigInt(Math.ceil((performance.now() - startedAt) * 1_000_000));
    const ofDevice = { dev, from: mtimeNs - elapsed };
    const from = BigInt(answer.sources.from) * 1_000_000n;
    isKept = !answer.sources.list.some((source) => isRacy(source, from, ofDevice));
  } finally {
    closeSync(handle);
    if (isKept) renameSync(next, file);
    else rmSync(next, { force: true });
  }
}
