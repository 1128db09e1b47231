// The main job with Codex for real: the program itself, Codex's own program with real tools. Only the model is scripted, on
// 127.0.0.1.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { heldLevels } from '../support/levels.ts';
import { KEY } from './codex-home.ts';
import { added, fail, patch, run, say, type FakeOpenAI } from './fake-openai.ts';
import { codexPlace, honestWork, type CodexPlace } from './harness-codex-lab.ts';
import { untilThere } from './harness-lab.ts';

/** What answered requests used: 130 new and 2000 read from the cache in, 50 out, each. */
const used = (requests: number) => ({ input: 130 * requests, output: 50 * requests, cached: 2000 * requests });

const subjects = ({ repo }: CodexPlace): string[] => repo.git('log', '--format=%s', '--reverse').split('\n').slice(2);
const json = ({ repo }: CodexPlace, path: string) => JSON.parse(repo.read(path)) as { readonly [key: string]: unknown };
const passing = ({ repo }: CodexPlace) => repo.features().map((f) => f['passes']);
const heardBy = (fake: FakeOpenAI, request: number) => fake.asked[request]?.heard.map((h) => h.text) ?? [];

test('two features land; a false claim goes back into the same session with its reasons, and is fixed there', async () => {
  const place = await codexPlace([
    ...honestWork(1, 'greet', 'greet'),
    say('Greeting is done.'),
    ...honestWork(2, 'part', 'wrong'),
    say('Parting is done.'),
    patch(
      '*** Update File: src/part.mjs',
      '@@',
      "-export const part = () => 'wrong';",
      "+export const part = () => 'part';",
    ),
    ...honestWork(2, 'part', 'part').slice(-1),
    say('Mended.'),
  ]);
  const { repo, fake, alive } = place;
  const ran = await place.start(['run', '--until-done', '--json']).ended;
  expect([ran.code, JSON.parse(ran.stdout)]).toMatchObject([0, { result: 'done', landed: ['1', '2'] }]);
  expect(subjects(place)).toEqual(['feat(app): #1 User is greeted', 'feat(app): #2 User is sent off']);
  expect([repo.git('status', '--porcelain'), passing(place), alive()]).toEqual(['', [true, true], []]);

  const handedBack = heardBy(fake, 12).at(-1);
  expect(handedBack).toMatch(/^# The work does not hold yet\n[^]*part works[^]*SESSION=2\n/);
  expect(heardBy(fake, 12)).toEqual(expect.arrayContaining([heardBy(fake, 6).at(-1)]));

  expect(json(place, '.harness/sessions/1/session.json')).toMatchObject({
    tokens_used: used(6),
    usage_source: 'reported',
  });
  expect(json(place, '.harness/sessions/2/session.json')).toMatchObject({ turns: 2, tokens_used: used(9) });
  expect(parse(repo.read('.harness/costs.yaml'))).toMatchObject({ cumulative: { total_tokens: used(15) } });
  const events = repo.read('.harness/sessions/1/events.jsonl');
  for (const t of ['session', 'tool-start', 'tool-end', 'file-change', 'text', 'usage'])
    expect(events).toContain(`"t":"${t}"`);
});

test('a model that claims its item and did nothing is not believed, however often it says so', async () => {
  const [claim] = honestWork(1, 'greet', 'greet').slice(-1);
  const place = await codexPlace((_, number) => (number === 0 && claim ? claim : say('Done, every test passes.')));
  const ran = await place.start(['run', '--json']).ended;
  expect(JSON.parse(ran.stdout)).toMatchObject({ result: 'rejected', landed: [], commits: [] });
  expect([passing(place), place.alive(), place.repo.git('status', '--porcelain')]).toEqual([[false, false], [], '']);
  expect(subjects(place)).toEqual([]);
  expect(place.fake.asked.length).toBeGreaterThan(2);
});

test('after kill -9 of driver and wrapper in the middle of a turn the next run ends the orphan, keeps the attempt, lands once', async () => {
  const deaf = "process.on('SIGTERM',()=>{});require('fs').writeFileSync('begun','');setTimeout(()=>{},600000)";
  const place = await codexPlace([
    patch(...added('src/half.mjs', 'half\n')),
    run(`node -e "${deaf}"`, { yield_time_ms: 30_000 }),
    ...honestWork(1, 'greet', 'greet'),
    say('Greeting is done.'),
  ]);
  const { repo, fake, alive } = place;
  const first = place.start(['run']);
  await untilThere(join(repo.root, 'begun'), first);
  const ours = alive().filter((p) => /\/(harness\.cjs|session\.mjs)( |$)/.test(p.command));
  expect(ours).toHaveLength(2);
  for (const { pid } of ours) process.kill(pid, 'SIGKILL');
  await first.ended;

  const ran = await place.start(['run', '--json']).ended;
  expect([ran.code, JSON.parse(ran.stdout)]).toMatchObject([0, { result: 'landed', landed: ['1'] }]);
  expect(alive()).toEqual([]);
  expect([subjects(place), repo.git('status', '--porcelain')]).toEqual([['feat(app): #1 User is greeted'], '']);
  expect([existsSync(join(repo.root, 'begun')), existsSync(join(repo.root, 'src/half.mjs'))]).toEqual([false, false]);
  const kept = repo.git('for-each-ref', '--format=%(refname)', 'refs/harness/attempts/').split('\n');
  expect(kept).toHaveLength(1);
  expect(repo.git('show', `${kept[0]}:src/half.mjs`)).toBe('half');
  // It continues in its own thread, and knows that its change is gone.
  expect(heardBy(fake, 2).at(-1)).toMatch(/your last answer was cut[^]*git apply[^]*SESSION=1\n/);
  expect(heardBy(fake, 2).filter((text) => text.includes('# You implement one feature'))).toHaveLength(1);
});

// Where no bubblewrap holds, the program's own sandbox does: codex.test.ts says what that means.
test.skipIf(!(await heldLevels()).has('bwrap'))(
  'the program runs in the box: its shells write the lane and its own settings, nothing beside them and nothing of git',
  async () => {
    const paths = ['../outside.txt', '.git/hooks/post-commit', '../home/.profile', '../home/codex/mine.txt'];
    // Of a program's own writes no rule about tool calls knows.
    const everywhere = `for (const path of ${JSON.stringify(paths)}) try { require('fs').writeFileSync(path, 'x') } catch {}`;
    const place = await codexPlace([
      patch(...added('everywhere.cjs', everywhere)),
      run('node everywhere.cjs && rm everywhere.cjs'),
      ...honestWork(1, 'greet', 'greet'),
      say('Greeting is done.'),
    ]);
    const ran = await place.start(['run', '--json']).ended;
    expect([ran.code, JSON.parse(ran.stdout)]).toMatchObject([0, { landed: ['1'], sandbox: 'bwrap' }]);
    const isThere = (path: string): boolean => existsSync(join(place.repo.root, path));
    expect(paths.filter(isThere)).toEqual(['../home/codex/mine.txt']);
    expect(readFileSync(join(place.home, 'codex/config.toml'), 'utf8')).not.toContain('trust_level');
  },
);

test('a wrong key ends with 4 and says what to do; what was done before is kept aside and rolled back', async () => {
  const place = await codexPlace([patch(...added('src/half.mjs', 'half\n')), fail(401, `Incorrect API key: ${KEY}`)]);
  const { repo, alive } = place;
  const ran = await place.start(['run']).ended;
  expect(ran.code).toBe(4);
  expect(`${ran.stdout}${ran.stderr}`).toContain('The agent codex is not logged in.');
  expect(`${ran.stdout}${ran.stderr}`).not.toContain(KEY);
  expect([repo.git('status', '--porcelain'), passing(place), alive()]).toEqual(['', [false, false], []]);
  const kept = repo.git('for-each-ref', '--format=%(refname)', 'refs/harness/attempts/');
  expect(repo.git('show', `${kept}:src/half.mjs`)).toBe('half');
});

test('without the program a run ends with 5 and says how to install it, and doctor says it before', async () => {
  const empty = mkdtempSync(join(tmpdir(), 'harness-empty-'));
  onTestFinished(() => rmSync(empty, { recursive: true, force: true }));
  const place = await codexPlace([], { HARNESS_PROVIDERS_DIR: empty });
  const ran = await place.start(['run']).ended;
  expect(ran.code).toBe(5);
  expect(`${ran.stdout}${ran.stderr}`).toMatch(/→ harness agents add codex\n/);
  expect([place.fake.asked, place.repo.git('status', '--porcelain'), passing(place)]).toEqual([[], '', [false, false]]);
  const doctor = await place.start(['doctor', '--json']).ended;
  expect(JSON.parse(doctor.stdout)).toMatchObject({ providers: [{ provider: 'codex', version: null }] });
});
