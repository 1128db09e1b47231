// Moves recorded state to another folder. The recorded version names its folder in three ways: as text, in names that are the
// hash of a token (tokens begin with the path of the private folder), and in hashes of files that contain either. All three are
// rewritten, and the checksums of journal lines are computed again. Knows the recorded formats by itself and imports nothing of
// the program, whose later versions have other formats.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';

/** The placeholder in fixtures for the folder that the state was recorded in. */
export const LANDED_ROOT = '/harness-landed';

export type Move = {
  /** The absolute folder that the state names now. The files need not be there. */
  readonly from: string;
  /** The absolute folder that the state names afterwards. */
  readonly to: string;
  /**
   * Tokens of open intents, as the state names them now. Names made from tokens of ended intents stay: the program never
   * computes them again, and commits and evidence bundles refer to them.
   */
  readonly tokens: readonly string[];
};

/** Rewrites text files and the names of files and refs below `top`, and the git commits that name a token. */
export function relocate(top: string, move: Move): void {
  const names = renamesOf(move);
  const contents = new Map<string, string>();
  for (const path of filesBelow(top)) {
    const text = readText(path);
    if (text !== null) contents.set(path, text);
  }
  const hashes = new Map<string, string>();
  const moved = new Map<string, string>();
  for (const [path, text] of contents) {
    const next = replaced(text.replaceAll(move.from, move.to), names);
    moved.set(path, next);
    if (next === text) continue;
    const [old, new_] = [sha256(text), sha256(next)];
    hashes.set(old, new_).set(old.slice(0, 16), new_.slice(0, 16));
  }
  for (const [path, text] of moved) {
    const next = withChecksums(replaced(text, hashes), contents.get(path) ?? '');
    if (next !== contents.get(path)) rewrite(path, next);
  }
  renameAll(top, names);
  for (const gitDir of gitDirsOf(top)) rewriteTips(gitDir, move, names);
}

/** The old and the new hash of each token, in every length that names have. */
function renamesOf({ from, to, tokens }: Move): ReadonlyMap<string, string> {
  const renames = new Map<string, string>();
  for (const token of tokens) {
    const [old, next] = [sha256(token), sha256(token.replace(from, to))];
    for (const length of NAME_LENGTHS) renames.set(old.slice(0, length), next.slice(0, length));
  }
  return renames;
}
/** Files and folders; quota pages; marks of commits; keys of gates. */
const NAME_LENGTHS = [12, 16, 20, 32] as const;

const HEX =
  /(?<![0-9a-f])(?:[0-9a-f]{12}|[0-9a-f]{16}|[0-9a-f]{20}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})(?![0-9a-f])/g;
const replaced = (text: string, by: ReadonlyMap<string, string>): string =>
  by.size === 0 ? text : text.replace(HEX, (hash) => by.get(hash) ?? hash);

/** Lines whose checksum was right get the right one again. A torn or broken line stays as it is. */
function withChecksums(text: string, before: string): string {
  const lines = text.split('\n');
  const old = before.split('\n');
  return lines
    .map((line, n) => (isChecked(old[n] ?? '') ? `${sumOf(line.slice(9))} ${line.slice(9)}` : line))
    .join('\n');
}
/** Whether every line has the right checksum. */
export const isWholeJournal = (latin1: string): boolean =>
  latin1.endsWith('\n') && latin1.slice(0, -1).split('\n').every(isChecked);
const isChecked = (line: string): boolean =>
  /^[0-9a-f]{8} [[{]/.test(line) && sumOf(line.slice(9)) === line.slice(0, 8);
const sumOf = (latin1: string): string => crc32(Buffer.from(latin1, 'latin1')).toString(16).padStart(8, '0');

/** Renames files and folders, loose refs among them, the deepest first. */
function renameAll(top: string, names: ReadonlyMap<string, string>): void {
  const all = readdirSync(top, { withFileTypes: true, recursive: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('/objects/'))
    .sort((a, b) => b.length - a.length);
  for (const path of all) {
    const name = path.slice(dirname(path).length + 1);
    const next = replaced(name, names);
    if (next !== name) renameSync(path, join(dirname(path), next));
  }
}

/**
 * Replaces the commits that name a token in their message: attempts, and a commit on a branch whose outcome was not recorded
 * yet. They have no children. Refs, reflogs and state files name the new commits afterwards.
 */
function rewriteTips(gitDir: string, { from, to }: Move, names: ReadonlyMap<string, string>): void {
  const git = (args: readonly string[], input = ''): string =>
    execFileSync('git', ['--git-dir', gitDir, ...args], { encoding: 'latin1', input: Buffer.from(input, 'latin1') });
  const tips = git(['for-each-ref', '--format=%(objectname)']).split('\n').filter(Boolean);
  const commits = new Map<string, string>();
  for (const tip of new Set(tips)) {
    const text = git(['cat-file', 'commit', tip]);
    const next = replaced(text.replaceAll(from, to), names);
    if (next === text) continue;
    commits.set(tip, git(['hash-object', '-t', 'commit', '-w', '--stdin'], next).trim());
    rmSync(join(gitDir, 'objects', tip.slice(0, 2), tip.slice(2)), { force: true });
  }
  if (commits.size === 0) return;
  for (const path of filesBelow(gitDir)) {
    const text = readText(path);
    if (text !== null && replaced(text, commits) !== text) rewrite(path, withChecksums(replaced(text, commits), text));
  }
}

/** Git folders of users and of the harness itself. */
const gitDirsOf = (top: string): readonly string[] =>
  filesBelow(top)
    .filter((path) => /(?:\/\.git|\/\.harness-engine\/git)\/HEAD$/.test(path))
    .map((path) => dirname(path));

/** One character for each byte. Null for binary files and git objects. */
function readText(path: string): string | null {
  if (path.includes('/objects/')) return null;
  const bytes = readFileSync(path);
  return bytes.includes(0) ? null : bytes.toString('latin1');
}

/** Keeps the modification time, by which the program drops old files. */
function rewrite(path: string, latin1: string): void {
  const { atime, mtime } = lstatSync(path);
  writeFileSync(path, Buffer.from(latin1, 'latin1'));
  utimesSync(path, atime, mtime);
}

/** Absolute paths of all regular files. */
export const filesBelow = (top: string): readonly string[] =>
  readdirSync(top, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Of text with one character for each byte. */
const sha256 = (latin1: string): string => createHash('sha256').update(Buffer.from(latin1, 'latin1')).digest('hex');
