// The main job with Claude for real: the program itself, the official SDK, its own program with real tools. Only the
// model is scripted, on 127.0.0.1.
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { heldLevels } from '../support/levels.ts';
import { call, fail, say, type Asked } from './fake-anthropic.ts';
import { harnessPlace, honestWork, SDK_FOLDER, tools, untilThere, type Place } from './harness-lab.ts';

/** What one answered request costs at the list price of the model: 100 in, 50 out, 30 written to the cache, 2000 read. */
const USD = 0.0017625;
const used = (requests: number) => ({ input: 130 * requests, output: 50 * requests, cached: 2000 * requests });
const SESSION = '\n# This session\n';
const OPENING = '# You implement one feature';

const subjects = ({ repo }: Place): string[] => repo.git('log', '--format=%s', '--reverse').split('\n').slice(2);
const json = ({ repo }: Place, path: string) => JSON.parse(repo.read(path)) as { readonly [key: string]: unknown };
const passing = ({ repo }: Place) => repo.features().map((f) => f['passes']);
const eventsOf = ({ repo }: Place, session: number) =>
  repo
    .read(`.harness/sessions/${session}/events.jsonl`)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly t: string; readonly [field: string]: unknown });
/** Everything that was said to the model before it answered for the first time. */
const opening = (asked: Asked | undefined): string =>
  `${asked?.system}\n${asked?.heard
    .filter((h) => h.kind === 'text')
    .map((h) => h.text)
    .join('\n')}`;
const emptyFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'harness-empty-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

test('two features land; a false claim goes back into the same session with its reasons, and is fixed there', async () => {
  const place = await harnessPlace((root) => {
    const again = honestWork(root, 2, 'part', 'part');
    return [
      ...honestWork(root, 1, 'greet', 'greet'),
      say('Greeting is done.'),
      ...honestWork(root, 2, 'part', 'wrong'),
      say('Parting is done.'),
      tools(['Write', { file_path: join(root, 'src/part.mjs'), content: "export const part = () => 'part';\n" }]),
      ...again.slice(0, 1),
      ...again.slice(-1),
      say('Mended.'),
    ];
  });
  const { repo, fake, alive } = place;
  const run = await place.start(['run', '--until-done', '--json']).ended;
  expect([run.code, JSON.parse(run.stdout)]).toMatchObject([0, { result: 'done', landed: ['1', '2'] }]);
  expect(subjects(place)).toEqual(['feat(app): #1 User is greeted', 'feat(app): #2 User is sent off']);
  for (const [rev, item] of [
    ['HEAD~1', '1'],
    ['HEAD', '2'],
  ] as const) {
    const trailers = repo.git('log', '-1', '--format=%(trailers:only)', rev);
    for (const line of [`Harness-Item: ${item}`, `Harness-Session: ${item}`, 'Harness-Run: r-', 'Harness-Token: '])
      expect(trailers).toContain(line);
  }
  expect([repo.git('status', '--porcelain'), passing(place), alive()]).toEqual(['', [true, true], []]);

  const handedBack = fake.asked[10];
  expect(handedBack?.heard.at(-1)?.text).toMatch(/^# The work does not hold yet\n[^]*part works[^]*SESSION=2\n/);
  expect(handedBack?.heard.at(-1)?.text).toContain('set its passes to true again');
  expect(handedBack?.heard.map((h) => h.text)).toEqual(expect.arrayContaining([fake.asked[5]?.heard.at(-1)?.text]));
  expect(eventsOf(place, 2).filter((e) => e.t === 'session')).toHaveLength(1);

  const [first, second] = [opening(fake.asked[0]), opening(fake.asked[5])];
  const stable = first.slice(0, first.indexOf(SESSION));
  expect(stable).toContain(OPENING);
  expect(second.slice(0, second.indexOf(SESSION))).toBe(stable);
  expect([first, second]).toEqual([expect.stringContaining('SESSION=1\n'), expect.stringContaining('SESSION=2\n')]);

  expect(json(place, '.harness/sessions/1/session.json')).toMatchObject({ tokens_used: used(5), cost_usd: 5 * USD });
  expect(json(place, '.harness/sessions/2/session.json')).toMatchObject({
    turns: 2,
    tokens_used: used(9),
    cost_usd: 9 * USD,
    usage_source: 'reported',
  });
  expect(parse(repo.read('.harness/costs.yaml'))).toMatchObject({
    current_session: { session_id: 2, tokens: used(9), cost_usd: 0.0159 },
    cumulative: {
      total_sessions: 2,
      total_tokens: used(14),
      by_feature: [
        { feature_id: 1, cost_usd: 0.0088, sessions: 1 },
        { feature_id: 2, cost_usd: 0.0159, sessions: 1 },
      ],
    },
  });

  const kinds = new Set(eventsOf(place, 1).map((e) => e.t));
  expect([...kinds]).toEqual(expect.arrayContaining(['session', 'tool-start', 'tool-end', 'file-change', 'text']));
  expect(eventsOf(place, 2)).toContainEqual(expect.objectContaining({ t: 'text', turn: 2, text: 'Mended.' }));
  expect(repo.read('.harness/sessions/1/prompt-1.md').startsWith(OPENING)).toBe(true);
});

/** Starts a run, and kills the program and its wrapper process when the agent's command has begun. */
async function killedInMidTurn({ repo, start, alive }: Place): Promise<void> {
  const first = start(['run']);
  await untilThere(join(repo.root, 'begun'), first);
  const ours = alive().filter((p) => /\/(harness\.cjs|session\.mjs)( |$)/.test(p.command));
  expect(ours).toHaveLength(2);
  for (const { pid } of ours) process.kill(pid, 'SIGKILL');
  await first.ended;
}
const HANG = call('Bash', {
  command: `node -e "require('fs').writeFileSync('begun','');setTimeout(()=>{},600000)"`,
  description: 'wait',
});

test('a turn that was killed continues in its own session: what the agent knows is not paid again, what it changed it brings back itself', async () => {
  const reading = Array.from({ length: 6 }, (_, n) =>
    call('Bash', { command: `sed -n ${n + 1}p features.json`, description: 'look' }),
  );
  const place = await harnessPlace((root) => {
    const begun = [...honestWork(root, 1, 'greet', 'greet').slice(0, 2), ...reading, HANG];
    return (asked, number) => {
      if (number < begun.length) return begun[number] ?? null;
      const note = asked.heard.map(({ text }) => text).find((text) => text.includes('your last answer was cut')) ?? '';
      const restore = /git diff --binary \w+ \w+ -- /.exec(note)?.[0] ?? 'false';
      const paths = 'src/greet.mjs tests/greet.test.mjs';
      const back = call('Bash', { command: `${restore}${paths} | git apply`, description: 'bring it back' });
      const claim = `node -e "const f='features.json',s=require('fs');s.writeFileSync(f,s.readFileSync(f,'utf8').replace('false','true'))"`;
      const tested = call('Bash', { command: 'node --test tests/greet.test.mjs', description: 'test' });
      const claimed = call('Bash', { command: claim, description: 'claim' });
      return [back, tested, claimed, say('Greeting is done.')][number - begun.length] ?? null;
    };
  });
  await killedInMidTurn(place);
  const before = place.fake.asked.length;
  const run = await place.start(['run', '--json']).ended;
  expect([run.code, JSON.parse(run.stdout)]).toMatchObject([0, { result: 'landed', landed: ['1'] }]);
  // Nine requests before the kill; four after it, where a turn from the start would need twelve.
  expect([before, place.fake.asked.length - before]).toEqual([9, 4]);
  const again = place.fake.asked[before];
  expect(again?.heard.filter(({ text }) => text.includes(OPENING) || text.includes(SESSION.trim()))).toHaveLength(1);
  expect(again?.heard.at(-1)?.text).toMatch(/your last answer was cut[^]*SESSION=1\n/);
  expect([subjects(place), place.repo.git('status', '--porcelain')]).toEqual([['feat(app): #1 User is greeted'], '']);
  expect(existsSync(join(place.repo.root, 'begun'))).toBe(false);
  const sessions = eventsOf(place, 1).filter((event) => event.t === 'session');
  expect(new Set(sessions.map((event) => event['id'])).size).toBe(1);
});

test('after kill -9 of driver and wrapper in the middle of a turn the next run ends the orphan, keeps the attempt, lands once', async () => {
  const deaf = "process.on('SIGTERM',()=>{});require('fs').writeFileSync('begun','');setTimeout(()=>{},600000)";
  const place = await harnessPlace((root) => [
    tools(['Write', { file_path: join(root, 'src/half.mjs'), content: 'half\n' }]),
    call('Bash', { command: `node -e "${deaf}"`, description: 'wait' }),
    ...honestWork(root, 1, 'greet', 'greet'),
    say('Greeting is done.'),
  ]);
  const { repo, fake, alive } = place;
  await killedInMidTurn(place);
  expect(alive().some((p) => p.command.includes('600000'))).toBe(true);

  const run = await place.start(['run', '--json']).ended;
  expect([run.code, JSON.parse(run.stdout)]).toMatchObject([0, { result: 'landed', landed: ['1'] }]);
  expect(alive()).toEqual([]);
  expect([subjects(place), repo.git('status', '--porcelain')]).toEqual([['feat(app): #1 User is greeted'], '']);
  expect([existsSync(join(repo.root, 'begun')), existsSync(join(repo.root, 'src/half.mjs'))]).toEqual([false, false]);
  const kept = repo.git('for-each-ref', '--format=%(refname)', 'refs/harness/attempts/').split('\n');
  expect(kept).toHaveLength(1);
  expect(repo.git('show', `${kept[0]}:src/half.mjs`)).toBe('half');
  expect(opening(fake.asked[2])).toContain('SESSION=1\n');
});

// Where no bubblewrap holds, the program runs as it would by itself: escape.test.ts says what that means.
test.skipIf(!(await heldLevels()).has('bwrap'))(
  'the program runs in the box: its shells write the lane and its own settings, nothing beside them and nothing of git',
  async () => {
    const paths = ['../outside.txt', '.git/hooks/post-commit', '../home/.profile', '../home/claude/mine.txt'];
    // Of a program's own writes no rule about tool calls knows.
    const everywhere = `for (const path of ${JSON.stringify(paths)}) try { require('fs').writeFileSync(path, 'x') } catch {}`;
    const place = await harnessPlace((root) => [
      tools(['Write', { file_path: join(root, 'everywhere.cjs'), content: everywhere }]),
      call('Bash', { command: 'node everywhere.cjs && rm everywhere.cjs', description: 'write everywhere' }),
      ...honestWork(root, 1, 'greet', 'greet'),
      say('Greeting is done.'),
    ]);
    const run = await place.start(['run', '--json']).ended;
    expect([run.code, JSON.parse(run.stdout)]).toMatchObject([0, { landed: ['1'], sandbox: 'bwrap' }]);
    const isThere = (path: string): boolean => existsSync(join(place.repo.root, path));
    expect(paths.filter(isThere)).toEqual(['../home/claude/mine.txt']);
  },
);

test('a wrong key ends with 4 and says what to do; what was done before is kept aside and rolled back', async () => {
  const place = await harnessPlace((root) => [
    tools(['Write', { file_path: join(root, 'src/half.mjs'), content: 'half\n' }]),
    fail(401, 'authentication_error', 'invalid x-api-key'),
  ]);
  const { repo, alive } = place;
  const run = await place.start(['run']).ended;
  expect(run.code).toBe(4);
  expect(`${run.stdout}${run.stderr}`).toContain('The agent claude is not logged in.');
  expect(`${run.stdout}${run.stderr}`).toContain('→ Log in with the agent’s own program or set its API key');
  expect(`${run.stdout}${run.stderr}`).not.toContain('dummy-key-of-a-test');
  expect([repo.git('status', '--porcelain'), passing(place), alive()]).toEqual(['', [false, false], []]);
  const kept = repo.git('for-each-ref', '--format=%(refname)', 'refs/harness/attempts/');
  expect(repo.git('show', `${kept}:src/half.mjs`)).toBe('half');
});

test('without the SDK a run ends with 5 and says how to install it; no model is asked', async () => {
  const place = await harnessPlace(() => [], { env: { HARNESS_PROVIDERS_DIR: emptyFolder() } });
  const { repo, fake } = place;
  const run = await place.start(['run']).ended;
  expect(run.code).toBe(5);
  expect(`${run.stdout}${run.stderr}`).toMatch(/→ harness agents add claude\n/);
  expect([fake.asked, repo.git('status', '--porcelain'), passing(place)]).toEqual([[], '', [false, false]]);
  expect(existsSync(join(repo.root, '.harness/session_state.json'))).toBe(false);
});

test('the SDK is found where npm puts it beside the harness, and a key that the configuration only names reaches the model', async () => {
  const installed = emptyFolder();
  const clone = resolve(import.meta.dirname, '../..');
  for (const part of ['bin', 'dist', 'prompts', 'package.json'])
    cpSync(join(clone, part), join(installed, part), { recursive: true });
  mkdirSync(join(installed, 'node_modules'));
  symlinkSync(join(SDK_FOLDER, 'node_modules/@anthropic-ai'), join(installed, 'node_modules/@anthropic-ai'));
  const place = await harnessPlace((root) => [...honestWork(root, 1, 'greet', 'greet'), say('Done.')], {
    env: { HARNESS_PROVIDERS_DIR: undefined, ANTHROPIC_API_KEY: '${A_KEY}' },
  });
  const program = join(installed, 'bin/harness.cjs');
  const run = await place.start(['run', '--json'], { program, env: { A_KEY: 'dummy-key-of-a-test' } }).ended;
  expect([run.code, JSON.parse(run.stdout)]).toMatchObject([0, { landed: ['1'] }]);
  expect(new Set(place.fake.asked.map((a) => a.key))).toEqual(new Set(['dummy-key-of-a-test']));
});

test('the SDK is found where harness agents add installs it, by a program that has nothing beside it', async () => {
  const installed = emptyFolder();
  const clone = resolve(import.meta.dirname, '../..');
  for (const part of ['bin', 'dist', 'prompts', 'package.json'])
    cpSync(join(clone, part), join(installed, part), { recursive: true });
  const agents = emptyFolder();
  mkdirSync(join(agents, 'claude'));
  symlinkSync(join(SDK_FOLDER, 'node_modules'), join(agents, 'claude/node_modules'));
  const place = await harnessPlace((root) => [...honestWork(root, 1, 'greet', 'greet'), say('Done.')], {
    env: { HARNESS_PROVIDERS_DIR: undefined },
  });
  const how = { program: join(installed, 'bin/harness.cjs'), env: { HARNESS_AGENTS_DIR: agents } };
  const cut = await place.start(['run', '--json'], how).ended;
  expect(cut.code).toBe(5); // without its receipt an installation counts for nothing
  const receipt = { schema: 1, name: 'claude', package: '@anthropic-ai/claude-agent-sdk', version: '0.3.329' };
  writeFileSync(join(agents, 'claude/harness-agent.json'), JSON.stringify(receipt));
  const run = await place.start(['run', '--json'], how).ended;
  expect([run.code, JSON.parse(run.stdout)]).toMatchObject([0, { landed: ['1'] }]);
});
