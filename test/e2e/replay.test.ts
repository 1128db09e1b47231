// Record and replay through the program: where a replay is not the recorded run it says where, and no secret is ever recorded.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { IS_EXHAUSTIVE } from '../support/effort.ts';
import { elsewhere, recorded, replay, verdicts, type Told } from './cassettes.ts';
import { expectExit, honest, session, work, workshop, type Workshop } from './workshop.ts';

describe('a replay that is not the recorded run', () => {
  test.runIf(IS_EXHAUSTIVE)('says what it is that differs, and works on nothing', async () => {
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
    expect(prompt.said).toContain('the prompt differs (session 1, turn 1)');
    expect(prompt.said).toMatch(/At line \d+\./);
    expect(prompt.said).toMatch(/Recorded: .*"A bench can be set up"\n.*Now: .*"A stool can be set up"/);
    expect(prompt.said).toContain('harness run --record');

    const dirty = elsewhere(shop, 'start');
    dirty.write('src/bench', 'another bench\n');
    dirty.git('add', '-A');
    dirty.git('commit', '-qm', 'a bench');
    const file = await failed(dirty, cassette);
    expect([file.code, file.isSame]).toEqual([9, true]);
    expect(file.said).toContain('a file differs from its state before this turn (session 1, turn 1)');
    expect(file.said).toContain('File: src/bench.');

    const more = await failed(elsewhere(shop, 'start'), cassette, '--until-done');
    expect(more.code).toBe(9);
    expect(more.said).toContain('this turn was not recorded (session 2, turn 1)');
    expect(more.said).toContain('Restore the recorded state (harness run)');
  });

  test.runIf(IS_EXHAUSTIVE)('ends before the recording does, or has a damaged cassette', async () => {
    const { shop, cassette } = await recorded(honest, '--until-done', '--json');
    const other = elsewhere(shop, 'start');
    const less = await replay(other, cassette);
    expect(less.code).toBe(9);
    expect(`${less.stdout}${less.stderr}`).toContain('the run ended before this turn was replayed (session 2, turn 1)');

    const lines = readFileSync(cassette, 'utf8').split('\n');
    for (const [name, text, line, why] of [
      ['changed', lines.join('\n').replace('src/bench', 'src/bunch'), 2, 'A line was changed, removed or added'],
      ['shortened', lines.toSpliced(2, 1).join('\n'), 3, 'A line was changed, removed or added'],
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

test.runIf(IS_EXHAUSTIVE)(
  'no secret enters a cassette: words are masked, and a turn that wrote one into a file is not played',
  async () => {
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
    const [, cassette = ''] = /recorded 3 turns: (\S+)/.exec(ran.stdout) ?? [];
    expect(cassette).toMatch(/^\.harness\/cassettes\/r-/);
    expect(ran.stderr).toContain('turn 1 of session 2 cannot be replayed: The agent wrote a secret into a file');
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
    expect(again.stderr).toContain('The agent wrote a secret into a file');
  },
);

test('what an agent did to the harness’s own files is refused again, with the same words', async () => {
  const tampering = session(1, { write: { path: '.harness/session_state.json', text: '{}\n' } }, ...work(1));
  const { shop, cassette, ran, told, flags } = await recorded([tampering], '--json');
  const other = elsewhere(shop, 'start');
  const again = await replay(other, cassette, ...flags);
  expect([again.code, verdicts(again.json() as unknown as Told)]).toEqual([ran.code, verdicts(told)]);
  for (const one of [shop, other]) expect(one.read('.harness/logs/events.jsonl')).toContain('"type":"tampering"');
  const codes = ({ items }: Told): unknown => items.map((item) => (item as { problems?: unknown }).problems);
  expect(codes(again.json() as unknown as Told)).toEqual(codes(told));
});

test('what does not go together is refused before anything starts', async () => {
  const shop = workshop();
  for (const [args, words] of [
    [['--cassette', 'x'], '--cassette needs --record or --provider replay'],
    [['--record', '--provider', 'replay'], '--record does not work with --provider replay'],
    [['--provider', 'nobody'], '--provider must be one of claude, codex, acp, scripted, replay'],
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
