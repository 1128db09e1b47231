// What a terminal gets while a run works: a line per lane that is redrawn in place, and nothing of it elsewhere.
/* oxlint-disable no-control-regex -- terminals are driven by control characters */
import { writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CART_STEPS, makeRepo, PROGRAM, type Repo } from '../support/repo.ts';
import { onTerminalOf } from '../support/terminal.ts';

const ESCAPED = 'step\u001b[2J\u001b[31m.txt';
const SCENARIO = JSON.stringify({
  schema: 1,
  sessions: [
    {
      when: { item: 2 },
      turns: [
        [
          { write: { path: ESCAPED, text: 'x' } },
          { wait_for_file: { path: '../go', seconds: 60 } },
          ...CART_STEPS,
          { claim: 2 },
          { say: 'done' },
        ],
      ],
    },
    { when: {}, repeat_last: true, turns: [[{ say: 'nothing to do' }]] },
  ],
});
const working = (): Repo => makeRepo({ '.scenario.yaml': SCENARIO });
const goOf = (repo: Repo): string => join(repo.root, '..', 'go');
/** Of a terminal's bytes, what a person reads in the end. */
const lines = (raw: string): readonly string[] => {
  const left: string[] = [];
  for (const [i, part] of raw.split('\u001b[J').entries()) {
    if (i > 0) left.pop();
    left.push(...part.split('\n').map((line) => line.replaceAll('\r', '')));
  }
  return left;
};

test('on a terminal a run shows a live line that is gone at its end', async () => {
  const repo = working();
  const steps = [
    { seen: '#2 coding', columns: 30 },
    { seen: '#2 coding', write: goOf(repo) },
  ];
  const ran = await onTerminalOf(repo, { columns: 100, steps }, 'run');
  expect(ran.code, ran.raw).toBe(0);
  expect(ran.raw).toMatch(/#2 coding.* · \d+ sec/);
  // Colours are the harness's own; nothing else of an agent or of ours but up, and erase below.
  expect(
    [...new Set(ran.raw.match(/\u001b\[?[\d;?]*[A-Za-ln-z]/g) ?? [])].every((one) => /^\u001b\[(J|\d+A)$/.test(one)),
  ).toBe(true);
  const read = lines(ran.raw);
  expect(read.filter((line) => line.includes('#2 coding'))).toEqual([]);
  expect(read.some((line) => line.includes('landed'))).toBe(true);
});

test('Ctrl-C pauses the run, is answered above the line, and leaves no remains', async () => {
  const repo = working();
  const ran = await onTerminalOf(repo, { columns: 80, steps: [{ seen: '#2 coding', type: '\u0003' }] }, 'run');
  expect(ran.code, ran.raw).toBe(10);
  expect(lines(ran.raw).filter((line) => line.includes('#2 coding'))).toEqual([]);
});

test.each([
  ['NO_COLOR', { NO_COLOR: '1' }, /#2 coding/, /\u001b\[\d*m/],
  ['a terminal that can nothing', { TERM: 'dumb' }, /agent at work/, /\u001b\[\d*[AJ]|#2 coding ·/],
])('%s is obeyed', async (_, env, there, absent) => {
  const repo = working();
  const steps = [{ seen: 'agent at work', write: goOf(repo) }];
  const ran = await onTerminalOf(repo, { columns: 80, steps, env }, 'run');
  expect([ran.code, ran.raw]).toEqual([0, expect.stringMatching(there)]);
  expect(ran.raw).not.toMatch(absent);
});

test('without a terminal a run prints plain lines', async () => {
  const repo = working();
  writeFileSync(goOf(repo), '');
  const ran = await repo.harness('run');
  expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('agent at work')]);
  expect(ran.stderr).not.toMatch(/\u001b|#2 coding ·/);
});

test('status --watch on a terminal follows a run and ends with Ctrl-C', async () => {
  const repo = working();
  const steps = [
    { seen: '1/3 landed', write: goOf(repo) },
    { seen: '2/3 landed', type: '\u0003' },
  ];
  const watching = onTerminalOf(repo, { columns: 100, steps }, 'status', '--watch');
  const run = repo.harness('run');
  expect([(await watching).code, (await run).code]).toEqual([0, 0]);
});

test('status --watch prints a line per change without a terminal, an object with --json, and ends with its reader', async () => {
  const repo = working();
  let [begun, bothBegun] = [0, (): void => undefined];
  const ready = new Promise<void>((done) => (bothBegun = done));
  const watching = (...more: readonly string[]): Promise<readonly string[]> =>
    new Promise((done) => {
      const child = spawn(process.execPath, [PROGRAM, 'status', '--watch', ...more], { cwd: repo.root, env: repo.env });
      let text = '';
      child.stdout.setEncoding('utf8').on('data', (part: string) => {
        if (text === '' && (begun += 1) === 2) bothBegun();
        text += part;
        if (text.includes('#2 coding')) writeFileSync(goOf(repo), '');
        const isOver = text.includes('2/3 landed') || text.includes('"landed":2');
        if (isOver && /(?:nothing is running|"run":null).*\n$/.test(text)) child.kill('SIGINT');
      });
      child.on('close', (code) => done([...text.trimEnd().split('\n'), `exit ${code}`]));
    });
  const both = Promise.all([watching(), watching('--json')]);
  await ready;
  const run = await repo.harness('run');
  const [plain, json] = await both;
  expect([run.code, plain.at(-1), json.at(-1)]).toEqual([0, 'exit 0', 'exit 0']);
  expect(plain[0]).toMatch(/^[\d-]{10} [\d:]{8} {2}1\/3 landed \(33 %\) · nothing is running$/);
  expect(plain.some((line) => line.includes('#2 coding'))).toBe(true);
  expect(new Set(plain.map((line) => line.slice(21))).size).toBeGreaterThan(2);
  expect(json.slice(0, -1).map((line) => (JSON.parse(line) as { schema: string }).schema)).toContain(
    'harness.status/1',
  );
});
