// Diffs that git made over hostile names and lines, unchanged and with tampered headers: a diff that is accepted changes only the paths that it
// names, and an unchanged diff has the same effect as git's own.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { amountOf, chanceOf, SEED } from '../../../../test/support/effort.ts';
import { patched } from '../../../../test/simulator/patch.ts';
import { readPatch } from './patch.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'patches-')));
afterAll(() => rmSync(root, { recursive: true }));
const env = { PATH: process.env['PATH'] ?? '', HOME: root, GIT_CONFIG_NOSYSTEM: '1', GIT_INDEX_FILE: '' };
const inIndex = (index: string) => ({ ...env, GIT_INDEX_FILE: join(root, '.git', index) });
const git = (args: readonly string[], more: { readonly input?: string; readonly index?: string } = {}) =>
  spawnSync('git', [...args], {
    cwd: root,
    env: inIndex(more.index ?? 'index'),
    encoding: 'utf8',
    maxBuffer: 1e8,
    ...(more.input === undefined ? {} : { input: more.input }),
  });
execFileSync('git', ['init', '-q'], { cwd: root, env: inIndex('index') });

const NAMES = [
  'a.ts',
  'src/b.ts',
  'with blank.md',
  'x b/x',
  'a "q".ts',
  'tab\tx',
  'ü/é.ts',
  'back\\slash',
  'b/b',
  'dev/null',
  '-x',
  'e ',
];
const LINES = [
  'one', 'two', 'three', '', ' ', '\tx', '-- a/evil', '++ b/evil', '- a/evil', '@@ -1 +1 @@', 'diff --git a/evil b/evil',
  'rename from evil', '```', '```diff', '\\ No newline at end of file', '-', '+', '--', 'é', 'x\r', 'GIT binary patch',
]; // prettier-ignore
const EVIL = [
  '--- a/evil', '+++ b/evil', '--- a/evil\n+++ b/evil', '--- a/evil\n+++ b/evil\n@@ -1 +1 @@\n-1\n+2', 'diff --git a/evil b/evil',
  'diff --git a/evil b/evil\nnew file mode 100644', 'rename from evil', 'rename to evil', 'copy from evil\ncopy to evil2', 'old mode 100644',
  'new mode 100755', 'new file mode 120000', 'deleted file mode 100644', 'GIT binary patch', 'Binary files a/evil and b/evil differ',
  'similarity index 100%', '+++ /dev/null', '--- /dev/null', '@@ -0,0 +1 @@', '@@ -1,3 +1,3 @@', '+++ "b/ev\\151l"', '--- evil\n+++ evil',
  'Index: evil', 'diff --git evil evil', '*** a/evil', '@@ -1 +1 @@\n-1\n+2', '', ' ', '-x', '+x', '\\ x',
]; // prettier-ignore

test('an accepted diff changes only the paths that it names', { timeout: 300_000 }, () => {
  const chance = chanceOf(SEED);
  const below = (n: number): number => Math.floor(chance() * n);
  const oneOf = <T>(all: readonly T[]): T => all[below(all.length)] as T;
  const textOf = (): string =>
    Array.from({ length: below(12) }, () => oneOf(LINES)).join('\n') + (chance() < 0.8 ? '\n' : '');
  const counts = { read: 0, refused: 0, same: 0, git: 0, tampered: 0 };
  for (let n = 0; n < amountOf(25, 50, 400); n++) {
    const texts: Map<string, string>[] = [];
    const trees = [0, 1].map(() => {
      const texted = new Map<string, string>();
      texts.push(texted);
      git(['read-tree', '--empty']);
      for (const name of NAMES) {
        if (chance() < 0.4) continue;
        mkdirSync(dirname(join(root, name)), { recursive: true });
        const file = join(root, 'text');
        const text = textOf();
        writeFileSync(file, text);
        texted.set(name, text);
        const id = git(['hash-object', '-w', file]).stdout.trim();
        git(['update-index', '--add', '--cacheinfo', `100644,${id},${name}`]);
      }
      return git(['write-tree']).stdout.trim();
    });
    const flags = [`-U${1 + below(4)}`, ...(chance() < 0.3 ? ['-M10%', '-C'] : ['--no-renames'])];
    if (chance() < 0.3) flags.push('--full-index');
    if (chance() < 0.5) flags.push('-c');
    const quotes = chance() < 0.5 ? 'true' : 'false';
    const [from = '', to = ''] = trees;
    const original = git(['-c', `core.quotepath=${quotes}`, 'diff-tree', '-p', '-r', ...flags, from, to]).stdout;
    const isPlain = !/^(?:rename|copy|similarity|old mode|Binary)/m.test(original);
    const isEmptyFile = /^(?:new|deleted) file mode.*\n(?:index.*\n)(?!---)/m.test(original);

    const whole = readPatch(fenced(original));
    if (!whole.isEmpty) {
      counts.same += 1;
      expect(isPlain && !isEmptyFile, original).toBe(true);
      expect([...whole.targets].toSorted(), original).toEqual(changedIn(from, to));
      expect(appliedTo(from, whole.diff), `${original}\n${whole.diff}`).toBe(appliedTo(from, original));
      // The simulator's own implementation.
      const [before, after] = texts.map((all) => new Map([...all].filter(([name]) => whole.targets.includes(name))));
      if (!original.includes('\n\\ No newline'))
        expect(Object.fromEntries(patched(before ?? new Map(), whole.diff) ?? []), original).toEqual(
          Object.fromEntries(after ?? []),
        );
    } else if (isPlain && !isEmptyFile && original !== '') throw new Error(`${whole.why} ${whole.part}\n${original}`);

    for (let m = 0; m < 20; m++) {
      const lines = original.split('\n');
      for (let k = 0; k <= below(3); k++) tamper(lines, below, oneOf);
      const text = fenced(lines.join('\n'));
      counts.tampered += 1;
      const read = readPatch(text);
      if (read.isEmpty) counts.refused += 1;
      else {
        counts.read += 1;
        const touched = touchedBy(read.diff);
        if (touched !== null) counts.git += 1;
        expect(
          (touched ?? []).filter((path) => !read.targets.includes(path)),
          `${text}\n${read.diff}`,
        ).toEqual([]);
      }
    }
  }
  expect(counts.read).toBeGreaterThan(20);
  expect(counts.refused).toBeGreaterThan(50);
  expect(counts.same).toBeGreaterThan(2);
  expect(counts.git / counts.read).toBeGreaterThan(0.5);
});

const fenced = (diff: string): string => `# Fix\n\n\`\`\`\`\`\`diff\n${diff}\n\`\`\`\`\`\`\n`;

function tamper(lines: string[], below: (n: number) => number, oneOf: <T>(all: readonly T[]) => T): void {
  const at = below(lines.length + 1);
  const line = lines[at] ?? '';
  switch (below(6)) {
    case 0:
      lines.splice(at, 1);
      break;
    case 1:
      lines.splice(at, 0, oneOf(EVIL));
      break;
    case 2:
      lines[at] = oneOf(EVIL);
      break;
    case 3:
      lines.splice(at, 0, lines[below(lines.length)] ?? '');
      break;
    case 4:
      lines[at] = line.replace(/\d+/, String(below(9)));
      break;
    default:
      lines[at] = /^(?:---|\+\+\+|diff)/.test(line)
        ? line.replace(/[ab]\/\S+/, oneOf(['a/evil', 'b/evil', 'evil']))
        : line;
  }
}

/** The paths that git would change; null: it refuses the diff. Only text files may be created, changed or deleted. */
function touchedBy(diff: string): readonly string[] | null {
  const summary = git(['apply', '--summary', '--allow-empty'], { input: diff });
  if (summary.status !== 0) return null;
  expect(summary.stdout.match(/^ (?:rename|copy|rewrite|mode change|create mode 1[26]).*/gm) ?? [], diff).toEqual([]);
  const { stdout } = git(['apply', '--numstat', '-z'], { input: diff });
  return stdout
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => entry.replace(/^\S+\t\S+\t/, ''));
}

const changedIn = (from: string, to: string): readonly string[] =>
  git(['diff-tree', '-r', '-z', '--no-renames', '--name-only', from, to])
    .stdout.split('\0')
    .filter((path) => path !== '')
    .toSorted();

function appliedTo(tree: string, diff: string): string {
  const index = 'apply-index';
  git(['read-tree', tree], { index });
  const done = git(['apply', '--cached', '--whitespace=nowarn', '-'], { index, input: diff });
  return done.status === 0 ? git(['write-tree'], { index }).stdout.trim() : `refused: ${done.stderr}`;
}
