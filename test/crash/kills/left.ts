// What must not exist once a run is over, however often it was killed: processes, locks, worktrees, temporary files, records
// that cannot be read, accepted work that does not hold. Lock and journals are read as the next run would read them;
// everything else is searched for without code of the product.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readLines } from '../../../src/engine/journal.ts';
import { lockOwner } from '../../../src/host/lock.ts';
import type { FixtureProject } from '../fixture-project.ts';
import { processesOf } from './processes.ts';
import { COMPILED, temporaryOf } from './program.ts';

/** Empty is the promise kept. Each line says what is wrong and where. */
export const wrongAfterwards = (shop: FixtureProject): readonly string[] => [
  ...leftAfterwards(shop),
  ...falselyAccepted(shop).map((what) => `accepted, and does not hold: ${what}`),
];

/** The same, of any list. */
export const leftAfterwards = (shop: FixtureProject): readonly string[] => [
  ...processesOf(shop.top).map(({ pid, command }) => `a process is left: ${pid} ${command}`),
  ...locksOf(shop).map((lock) => `a lock is left: ${lock}`),
  ...worktreesOf(shop).map((folder) => `a worktree is left: ${folder}`),
  ...temporaryFilesOf(shop).map((path) => `a temporary file is left: ${path}`),
  ...unreadableIn(shop, 'whole').map((path) => `cannot be read: ${path}`),
];

/** What must hold in the very moment after a death, whatever the dead left lying about. */
export const wrongAfterDeath = (shop: FixtureProject): readonly string[] => [
  ...(lockOwner(shop.privateDir) === null ? [] : ['the lock outlives its owner']),
  ...unreadableIn(shop, 'torn').map((path) => `cannot be read: ${path}`),
];

function locksOf(shop: FixtureProject): readonly string[] {
  const owner = lockOwner(shop.privateDir);
  const files = filesBelow(shop.top).filter((path) => /\.lock$|\/lock\.json(?:\.\d+\.tmp)?$/.test(path));
  return [...(owner === null ? [] : [JSON.stringify(owner)]), ...files.map((path) => relative(shop.top, path))];
}

function worktreesOf(shop: FixtureProject): readonly string[] {
  const listed = shop.git('worktree', 'list', '--porcelain').split('\n');
  return listed.filter((line) => line.startsWith('worktree ') && line !== `worktree ${shop.root}`);
}

function temporaryFilesOf(shop: FixtureProject): readonly string[] {
  const folders = readdirSync(temporaryOf(shop)).filter((name) => name !== COMPILED);
  const files = filesBelow(shop.top).filter((path) =>
    /\.tmp$|\/index-|\.[0-9a-f-]{36}$|\/tmp_(?:obj|pack|idx)_/.test(path),
  );
  return [...folders.map((name) => `tmp/${name}`), ...files.map((path) => relative(shop.top, path))];
}

/**
 * Journals by the product's own rule and records as JSON. `torn`: the end of a journal may be half a line, as the next run
 * cuts it. What agents and checks write for themselves is theirs: homes, evidence, and the texts a window keeps.
 */
export function unreadableIn({ privateDir, stateDir }: FixtureProject, tail: 'whole' | 'torn'): readonly string[] {
  const own = filesBelow(privateDir).filter((path) => !/\/(?:home|evidence|window\/(?:before|edited))\//.test(path));
  const isJournal = (path: string): boolean => /\/(?:loop\.jsonl|items\/.+|procedures\/.+)$/.test(path);
  const journals = own.filter((path) => isJournal(path) && !isJournalWhole(path, tail));
  const records = own.filter((path) => path.endsWith('.json') && !isJson(read(path)));
  const logs = filesBelow(join(stateDir, 'logs')).filter((path) => !jsonLines(read(path), tail));
  return [...journals, ...records, ...logs].map((path) => relative(privateDir, path));
}

function isJournalWhole(path: string, tail: 'whole' | 'torn'): boolean {
  const text = read(path);
  const lines = readLines(text);
  return lines.ok && (tail === 'torn' || lines.value.keep === Buffer.byteLength(text));
}

function jsonLines(text: string, tail: 'whole' | 'torn'): boolean {
  const rows = text.split('\n');
  const last = rows.pop() ?? '';
  return rows.every(isJson) && (tail === 'torn' || last === '');
}

/** Whatever a commit says that passes, its tree has; here and where it was pushed to. */
function falselyAccepted(shop: FixtureProject): readonly string[] {
  return shop
    .git('rev-list', '--first-parent', 'HEAD')
    .split('\n')
    .flatMap((commit) => {
      const { features } = JSON.parse(shop.git('show', `${commit}:features.json`)) as {
        features: readonly { readonly id: number; readonly test_file: string; readonly passes: boolean }[];
      };
      const sold = shop.git('show', `${commit}:shop.txt`).split('\n');
      const claimed = features
        .filter(({ passes }) => passes)
        .map((one) => /([^/]+)\.sh$/.exec(one.test_file)?.[1] ?? '');
      return claimed.filter((name) => !sold.includes(name)).map((name) => `${name} in ${commit}`);
    });
}

/**
 * Objects are named by what is in them. Of a cut turn its work is kept as an attempt, its cost beside the session; of a tamper
 * window that was closed twice, what the first look had found. Temporary folders are looked at by themselves.
 */
const OF_ANY_DEATH = /\/objects\/|\/refs\/harness\/attempts|\/cut-[^/]*$|\/window\/earlier\.json$|^tmp\//;

/** How often a turn was cut, beside its other records: they stay with those of the session. */
export const OF_CUT_TURN = /\/sessions\/[^/]+\/turn-#\.undone\.json$/;

/**
 * The paths of all files in a fixture project, without numbers and names that chance gave. How many there are of a shape depends on
 * the deaths; a shape that no undisturbed run leaves is litter.
 */
export function shapesOf(shop: FixtureProject): readonly string[] {
  const paths = readdirSync(shop.top, { withFileTypes: true, recursive: true })
    .map((entry) => relative(shop.top, join(entry.parentPath, entry.name)))
    .filter((path) => !OF_ANY_DEATH.test(path));
  const shape = (path: string): string =>
    path
      .replace(/(\/refs\/harness\/stashed\/).+/, '$1…')
      .replace(/[0-9a-f]{8,}(?:-[0-9a-f]{4,})*/g, '…')
      .replace(/\d+(?:-\d+)*(?:-[0-9a-f]{4,7}\b)?/g, '#');
  return [...new Set(paths.map(shape))].sort();
}

const filesBelow = (folder: string): readonly string[] =>
  statSync(folder, { throwIfNoEntry: false }) === undefined
    ? []
    : readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Empty for what is gone. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
