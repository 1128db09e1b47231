// Record and replay through the program: the same trees and the same verdicts without the agent, in another folder, for another
// person; and where a replay is not the recorded run, it says where.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectExit, honest, session, work, workshop, type Session, type Workshop } from './workshop.ts';

const WRONG = [
  { write: { path: 'src/bench', text: 'a chair\n' } },
  { write: { path: 'tests/bench.test', text: 'bench is there|grep -q bench src/bench\n' } },
  'claim',
] as const;

/** A lie that stays one in every turn. */
const LIE = [
  { write: { path: 'src/saw', text: 'rust\n' } },
  { write: { path: 'tests/saw.test', text: 'saw is there|grep -q saw src/saw\n' } },
  'claim',
] as const;

/** A lie that is mended, a session that is rolled back, one that is cut at its limit, and those that land. */
const EVENTFUL: readonly Session[] = [
  { when: { item: 1 }, turns: [WRONG, [...work(1), { append: { path: 'claude-progress.txt', text: 'a note\n' } }]] },
  { when: { item: 2, role: 'coding', attempt: 1 }, turns: [LIE, LIE, LIE, LIE, LIE] },
  {
    when: { item: 2, role: 'coding' },
    turns: [
      [
        { write: { path: 'src/half', text: 'half\n' } },
        { delete: { path: 'src/door' } },
        { usage: { input: 160_000 } },
        { usage: { input: 185_000 } },
        'hang',
      ],
      [{ append: { path: 'claude-progress.txt', text: 'HANDOVER: the saw is blunt\n' } }],
    ],
  },
  {
    when: { role: 'continuation' },
    turns: [
      [
        { write: { path: 'src/door', text: 'door\n' } },
        { write: { path: 'bin/saw.sh', text: '#!/bin/sh\n', executable: true } },
        { run: "ln -s saw src/link && printf '\\377\\000\\376' > src/blade" },
        ...work(2),
      ],
    ],
  },
  session(3, ...work(3)),
];

type Told = {
  readonly result: string;
  readonly items: readonly { readonly id: string; readonly result: string; readonly reason: string }[];
};
const verdicts = ({ result, items }: Told): unknown => [
  result,
  ...items.map(({ id, result: r, reason }) => `${id} ${r} ${reason}`),
];
const history = (shop: Workshop): string => shop.git('log', '--format=%T %s');
const FLAGS = ['--until-done', '--max-sessions', '5', '--json'];

/** The repository as it was before the run, in another folder, of a person who has another home. */
function elsewhere(shop: Workshop, rev: string): Workshop {
  const other = workshop({ sessions: [] });
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: other.root, env: other.env, encoding: 'utf8' });
  git('fetch', '-q', shop.root, rev);
  git('reset', '-q', '--hard', 'FETCH_HEAD');
  return other;
}
async function recorded(sessions: readonly Session[], ...flags: string[]) {
  const shop = workshop({ sessions });
  const start = shop.git('rev-parse', 'HEAD');
  shop.git('branch', 'start');
  const cassette = join(shop.around, 'run.jsonl');
  const ran = await shop.harness('run', '--record', '--cassette', cassette, ...(flags.length === 0 ? FLAGS : flags));
  return { shop, start, cassette, ran, told: ran.json() as unknown as Told, flags: flags.length === 0 ? FLAGS : flags };
}
const replay = (shop: Workshop, cassette: string, ...flags: string[]) =>
  shop.harness('run', '--provider', 'replay', '--cassette', cassette, ...flags);

/** Nobody of the recorded run is there any more: the agent of this folder has no scenario to follow. */
async function expectSame(shop: Workshop, cassette: string, told: Told, flags: readonly string[]): Promise<Workshop> {
  const other = elsewhere(shop, 'start');
  const again = await replay(other, cassette, ...flags);
  const now = again.json() as unknown as Told;
  expect(verdicts(now), `${again.stdout}\n${again.stderr}`).toEqual(verdicts(told));
  expect(history(other)).toBe(history(shop));
  expect([other.git('status', '--porcelain'), other.processes()]).toEqual(['', []]);
  return other;
}

test('a mended lie, a rollback and a session cut at its limit come out the same in another folder: trees, subjects, verdicts', async () => {
  const { shop, cassette, ran, told, flags } = await recorded(EVENTFUL);
  expectExit(ran, 6);
  expect(told.items.map(({ id, result, reason }) => `${id} ${result} ${reason}`)).toEqual([
    '1 landed verified',
    '2 rejected tests-failed',
    '2 partial context_limit',
    '2 landed verified',
    '3 landed verified',
  ]);
  expect(ran.json()).toMatchObject({ recording: { cassette, unplayable: [] } });
  const text = readFileSync(cassette, 'utf8');
  for (const path of [shop.root, shop.around, String(shop.env['HOME'])]) expect(text).not.toContain(path);

  const other = await expectSame(shop, cassette, told, flags);
  expect(other.git('ls-files', '-s', 'bin', 'src')).toBe(shop.git('ls-files', '-s', 'bin', 'src'));
  expect(other.git('ls-files', '-s', 'src/link')).toMatch(/^120000/);
  const limits = (of: Workshop): readonly string[] =>
    of
      .read('.harness/logs/events.jsonl')
      .split('\n')
      .filter((line) => line.includes('session-limit'));
  expect(limits(other)).toHaveLength(limits(shop).length);
  expect(other.git('for-each-ref', '--format=%(refname) %(tree)', 'refs/harness/attempts')).toBe(
    shop.git('for-each-ref', '--format=%(refname) %(tree)', 'refs/harness/attempts'),
  );
});

describe('a replay that is not the recorded run', () => {
  test('says what it is that differs, and works on nothing', async () => {
    const { shop, cassette } = await recorded([session(1, ...work(1))], '--json');
    const failed = async (other: Workshop, file: string, ...flags: string[]) => {
      const before = other.git('rev-parse', 'HEAD');
      const ran = await replay(other, file, ...flags);
      return { code: ran.code, said: `${ran.stdout}${ran.stderr}`, isSame: other.git('rev-parse', 'HEAD') === before };
    };
    const titled = elsewhere(shop, 'start');
    titled.write(
      'features.json',
      titled.read('features.json').replace('A bench can be set up', 'A stool can be set up'),
    );
    titled.git('commit', '-qam', 'another title');
    const prompt = await failed(titled, cassette);
    expect([prompt.code, prompt.isSame]).toEqual([9, true]);
    expect(prompt.said).toContain('the prompt is another one (session 1, turn 1)');
    expect(prompt.said).toMatch(/Line \d+ of it\./);
    expect(prompt.said).toMatch(/Recorded: .*"A bench can be set up"\n.*Now: .*"A stool can be set up"/);
    expect(prompt.said).toContain('harness run --record');

    const dirty = elsewhere(shop, 'start');
    dirty.write('src/bench', 'another bench\n');
    dirty.git('add', '-A');
    dirty.git('commit', '-qm', 'a bench');
    const file = await failed(dirty, cassette);
    expect([file.code, file.isSame]).toEqual([9, true]);
    expect(file.said).toContain('a file is not as it was before this turn (session 1, turn 1)');
    expect(file.said).toContain('File: src/bench.');

    const more = await failed(elsewhere(shop, 'start'), cassette, '--until-done');
    expect(more.code).toBe(9);
    expect(more.said).toContain('this turn was not recorded (session 2, turn 1)');
    expect(more.said).toContain('Go back to what was recorded (harness run)');
  });

  test('ends before the recording does, or has a damaged cassette', async () => {
    const { shop, cassette } = await recorded(honest, '--until-done', '--json');
    const other = elsewhere(shop, 'start');
    const less = await replay(other, cassette);
    expect(less.code).toBe(9);
    expect(`${less.stdout}${less.stderr}`).toContain('the run ended before this turn was played (session 2, turn 1)');

    const lines = readFileSync(cassette, 'utf8').split('\n');
    for (const [name, text, line, why] of [
      ['changed', lines.join('\n').replace('src/bench', 'src/bunch'), 2, 'A line was changed, left out or added'],
      ['shortened', lines.toSpliced(2, 1).join('\n'), 3, 'A line was changed, left out or added'],
      ['cut', lines.join('\n').slice(0, -20), lines.length - 1, 'Its last line is cut off'],
      ['empty', '', null, 'It is empty'],
    ] as const) {
      const file = join(other.around, `${name}.jsonl`);
      writeFileSync(file, text);
      const ran = await replay(other, file, '--json');
      expect([name, ran.code, ran.json()]).toMatchObject([
        name,
        2,
        {
          error: {
            code: 'cassette-invalid',
            why: expect.stringContaining(why),
            at: line === null ? { file } : { file, line },
          },
        },
      ]);
    }
    const none = await replay(other, join(other.around, 'none.jsonl'));
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('There is no such file')]);
  });
});

test('no secret enters a cassette: words are masked, and a turn that wrote one into a file is not played', async () => {
  const secret = 'correct-horse-battery-9';
  const shop = workshop({
    sessions: [
      session(1, { say: `the password is ${secret}` }, ...work(1)),
      session(2, { write: { path: 'src/key', text: `key ${secret}\n` } }, ...work(2)),
    ],
  });
  Object.assign(shop.env, { SHOP_PASSWORD: secret });
  shop.git('branch', 'start');
  const ran = await shop.harness('run', '--record', '--until-done', '--max-sessions', '2');
  expectExit(ran, 6);
  const [, cassette = ''] = /recorded 2 turns: (\S+)/.exec(ran.stdout) ?? [];
  expect(cassette).toMatch(/^\.harness\/cassettes\/r-/);
  expect(ran.stderr).toContain('turn 1 of session 2 cannot be replayed: The agent had written a secret into a file');
  expect(shop.read(cassette)).not.toContain(secret);
  expect(shop.read(cassette)).toContain('the password is [masked:SHOP_PASSWORD]');

  const again = await replay(
    elsewhere(shop, 'start'),
    join(shop.root, cassette),
    '--until-done',
    '--max-sessions',
    '2',
  );
  expect(again.code).toBe(9);
  expect(again.stderr).toContain('this turn could not be recorded (session 2, turn 1)');
  expect(again.stderr).toContain('The agent had written a secret into a file');
});

test('a recording goes on after kill -9 where it stood, and a replay too', async () => {
  const shop = workshop({
    sessions: [
      session(1, ...work(1)),
      session(2, { write: { path: '../at-work', text: '' } }, { wait_for_file: '../go' }, ...work(2)),
    ],
  });
  shop.git('branch', 'start');
  const cassette = join(shop.around, 'run.jsonl');
  const run = shop.start('run', '--record', '--cassette', cassette, '--until-done', '--max-sessions', '2');
  await run.until(join(shop.around, 'at-work'));
  run.signal('SIGKILL');
  await run.ended;
  writeFileSync(join(shop.privateDir, 'recording.jsonl'), '{"t":"turn","ses', { flag: 'a' }); // as a crash in the middle of writing leaves it
  writeFileSync(join(shop.around, 'go'), '');
  expectExit(await shop.harness('run', '--json'), 0);

  const other = elsewhere(shop, 'start');
  const half = other.start(
    'run',
    '--provider',
    'replay',
    '--cassette',
    cassette,
    '--until-done',
    '--max-sessions',
    '2',
  );
  await half.until(join(other.root, 'src/bench'));
  half.signal('SIGKILL');
  await half.ended;
  const ended = await replay(other, cassette, '--until-done', '--max-sessions', '2', '--json');
  expectExit(ended, 6);
  expect(history(other)).toBe(history(shop));
  expect([other.git('status', '--porcelain'), other.processes()]).toEqual(['', []]);
});

test('what does not go together is refused before anything starts', async () => {
  const shop = workshop();
  for (const [args, words] of [
    [['--cassette', 'x'], '--cassette goes with --record or with --provider replay'],
    [['--record', '--provider', 'replay'], '--record is for a run that is no replay'],
    [['--provider', 'nobody'], '--provider wants one of claude, codex, acp, scripted, replay'],
    [['--provider', 'replay'], 'agents.default.scenario'],
    [['--provider', 'acp'], 'agents.default.command'],
    [['--record', '--cassette', 'inside.jsonl'], 'would be committed'],
    [['--record', '--cassette', '../scenario.json'], 'scenario.json'],
  ] as const) {
    const ran = await shop.harness('run', ...args);
    expect([args, ran.code, ran.stderr]).toEqual([args, 2, expect.stringContaining(words)]);
  }
  expect(shop.sessions()).toEqual([]);
});
