// A box in which nothing runs: what the fixture project's commands would print for the tree, computed from its files.
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Box } from '../../../src/host/box.ts';
import type { Exit } from '../../../src/host/process.ts';
import { NO_ENCLOSURE } from '../../../src/host/sandbox/level.ts';

export const paperBox = (root: string): Box => ({
  level: 'none',
  seenAt: root,
  temporary: root,
  run: ({ argv, cwd }) => Promise.resolve(said(cwd ?? root, argv.at(-1) ?? '')),
  enclose: () => NO_ENCLOSURE,
  close: () => Promise.resolve(),
});

/** `tests/<name>.sh` passes where it is the plain one, or `shop.txt` sells <name>. */
function passes(root: string, test: string): boolean {
  const text = readFileSync(join(root, test), 'utf8');
  const wanted = /grep -q '\^(\w+)\$'/.exec(text)?.[1];
  const sold = existsSync(join(root, 'shop.txt')) ? readFileSync(join(root, 'shop.txt'), 'utf8').split('\n') : [];
  return wanted === undefined || sold.includes(wanted);
}

const has = (root: string, path: string): boolean => existsSync(join(root, path));

/** What tasks are validated and cleaned up by. */
const COMMANDS: readonly (readonly [RegExp, (root: string, ...words: readonly string[]) => Exit])[] = [
  [
    /^grep -qx (\S+) (\S+)$/,
    (root, word = '', path = '') =>
      exit(has(root, path) && readFileSync(join(root, path), 'utf8').split('\n').includes(word) ? 0 : 1, ''),
  ],
  [
    /^test -s (\S+) \|\| sleep 30$/,
    (root, path = '') => (has(root, path) ? exit(0, '') : { ...exit(1, ''), ended: 'wall' }),
  ],
  [
    /^echo (\S+) >> (\S+)$/,
    (root, word = '', path = '') => {
      appendFileSync(join(root, path), `${word}\n`);
      return exit(0, '');
    },
  ],
];

function said(root: string, line: string): Exit {
  for (const [command, run] of COMMANDS) {
    const [, ...words] = command.exec(line) ?? [''];
    if (words.length > 0) return run(root, ...words);
  }
  const one = /^sh (tests\/[\w-]+\.sh)$/.exec(line)?.[1];
  const tests = one
    ? [one]
    : line === 'sh all.sh'
      ? readdirSync(join(root, 'tests'))
          .sort()
          .map((name) => `tests/${name}`)
      : null;
  if (tests === null) return exit(line.startsWith('test -s') && !existsSync(join(root, 'shop.txt')) ? 1 : 0, '');
  const there = tests.filter((test) => existsSync(join(root, test)));
  const lines = there.map((test) => {
    const name = /(\w[\w-]*)\.sh$/.exec(test)?.[1] ?? '';
    return [`TAP version 13`, `${passes(root, test) ? 'ok' : 'not ok'} 1 - ${name}`, '1..1'].join('\n');
  });
  const isGood = there.length === tests.length && there.every((test) => passes(root, test));
  return exit(isGood ? 0 : 1, `${lines.join('\n')}\n`);
}

const exit = (code: number, stdout: string): Exit => ({
  code,
  signal: null,
  ended: null,
  stdout,
  stderr: '',
  bytes: stdout.length,
  ms: 1,
});
