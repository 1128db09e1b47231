// A mission with Claude for real: its own program with real tools, a process for each role. Only the model is scripted, on 127.0.0.1.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { amountOf } from '../support/effort.ts';
import { say } from './fake-anthropic.ts';
import { harnessPlace, tools, type Place } from './harness-lab.ts';
import { forOneMission, honestModel, idsUpTo, PASSED, REASON, requestOf, sourceOf } from './mission-lab.ts';
import { reuseOf, share, type Reuse } from './prefix-count.ts';

const ID = 'F-001';
const homeOf = ({ repo }: Pick<Place, 'repo'>): string => join(dirname(repo.root), 'home');
/** Every file below a folder; empty where there is none. */
const filesBelow = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];
const statuses = ({ repo }: Pick<Place, 'repo'>): readonly string[] =>
  (JSON.parse(repo.read('.harness/features.json')) as { features: { status: string }[] }).features.map((f) => f.status);

/** With the strongest box of this machine, and with none: then the policy of the tools is all there is. */
test.each([
  ['in a box', [], ''],
  ['without a box', ['--i-accept-unsandboxed'], 'sandbox: { level: none }'],
] as const)(
  'a validator %s can write nothing and read nothing of what the worker thought: what it calls is refused, and not by its prompt',
  async (_, flags, config) => {
    let calls: readonly Call[] = [];
    const place: Place = await harnessPlace(() => (asked) => {
      const { role, results, workdir } = requestOf(asked);
      if (role !== 'validator') return honestModel(asked);
      if (results.length === 0)
        calls = [...attacks(place, workdir), ['Read', { file_path: join(workdir, sourceOf(ID)) }]];
      const next = calls[results.length];
      return next === undefined ? say(PASSED(ID)) : tools(next);
    });
    forOneMission(place, [{ id: ID }], config);
    const run = await place.start(['run', '--until-done', '--json', ...flags]).ended;
    expect([run.code, run.stderr]).toEqual([0, '']);
    const answers = place.fake.asked.map(requestOf).findLast(({ role }) => role === 'validator')?.results ?? [];
    expect(answers).toHaveLength(calls.length);
    const refused = /No such tool available|refused this call|File does not exist|No files found|No matches found/;
    // Names of files may be listed where no box hides them; what is in them is refused.
    for (const [n, [tool, input]] of calls.slice(0, -1).entries())
      if (tool !== 'Glob') expect(answers[n], `${tool} ${JSON.stringify(input)}`).toMatch(refused);
    expect(answers.at(-1)).toContain('part1-word');
    expect(answers.join('\n')).not.toContain(REASON);
    // What it was given is no way to it either.
    const given = place.fake.asked.map(requestOf).filter(({ role }) => role === 'validator');
    for (const { text } of given) expect(text).not.toMatch(/REASON-OF|## Plan|NOTE:/);
    expect(place.repo.read(sourceOf(ID))).toBe("export const part1 = () => 'part1-word';\n");
    expect(statuses(place)).toEqual(['passing']);
  },
  120_000,
);

const HEADINGS = [
  '# You ',
  '# What this role has learnt',
  '# What has happened so far',
  '# This session',
  '## Runtime context',
];
/** Sessions of features; by night those of a whole mission. Each needs about two seconds of a processor. */
const FEATURES = amountOf(6, 6, 50);

test(
  'what comes before the session is the same bytes in every session of a role while its memory is the same, and a cache can serve it',
  async () => {
    const place = await harnessPlace(() => (asked) => honestModel(asked, 10));
    forOneMission(
      place,
      idsUpTo(FEATURES).map((id) => ({ id })),
      'mission: { curateEvery: 4 }',
    );
    const identity = join(homeOf(place), '.local/state/harness/identity/mission');
    mkdirSync(identity, { recursive: true });
    for (const role of ['worker', 'validator'])
      writeFileSync(join(identity, `${role}.md`), `- TRICK: a ${role} reads before it writes\n`);
    const run = await place.start(['run', '--until-done', '--json']).ended;
    expect([run.code, run.stderr]).toEqual([0, '']);
    const summary = 'Every part has a file of its own.';
    for (const role of ['worker', 'validator']) {
      const first = place.fake.asked.filter(
        (one) => requestOf(one).role === role && requestOf(one).results.length === 0,
      );
      expect(first).toHaveLength(FEATURES);
      // The program's own words come first, and the prompt in two parts.
      const prompts = first.map(({ heard }) =>
        heard
          .map(({ text }) => text)
          .join('')
          .replace(/^[^]*?(?=# You )/, ''),
      );
      const stable = prompts.map((prompt) => prompt.slice(0, prompt.indexOf('# This session\n')));
      expect(new Set(stable).size).toBe(2); // before there was a summary, and with it
      const renewed = stable.findIndex((text) => text.includes(summary));
      expect(stable.map((text) => text.includes(summary))).toEqual(prompts.map((_, n) => n >= renewed));
      const places = HEADINGS.map((heading) => prompts.at(-1)?.indexOf(heading) ?? -1);
      expect(places.toSorted((a, b) => a - b)).toEqual(places);
      expect(places[0]).toBe(0);
      expect(stable.at(-1)).toContain(`a ${role} reads before it writes`);
    }
    const { asked } = place.fake;
    const last = idsUpTo(FEATURES).at(-1);
    const [all, later] = [reuseOf(asked), reuseOf(asked, (one) => requestOf(one).item === last)];
    const shares = ({ input, byBlocks, byBytes }: Reuse): string =>
      `of ${input} bytes of input a cache could serve ${share(byBlocks, input)} by the marks of the requests, ` +
      `${share(byBytes, input)} by any common beginning`;
    process.stdout.write(`${FEATURES} features, ${asked.length} requests: ${shares(all)}\n`);
    process.stdout.write(`the last of them, with the memory unchanged: ${shares(later)}\n`);
    expect(all.byBlocks / all.input).toBeGreaterThan(0.94);
    // A session pays for what is new in it, and for nothing else.
    expect(later.byBlocks / later.input).toBeGreaterThan(0.975);
  },
  FEATURES * 180_000,
);

/** Features and kills; by night a mission of a dozen, with a fan of dependencies. */
const [KILLED, KILLS] = [amountOf(2, 2, 12), amountOf(1, 1, 5)];

test('three lanes of real agents are killed again and again; everything lands once', async () => {
  const place = await harnessPlace(() => (asked) => honestModel(asked, 2));
  const ids = idsUpTo(KILLED);
  // Every fourth needs the one before it.
  const planned = ids.map((id, n) => ({ id, dependsOn: n % 4 === 3 ? [ids[n - 1] ?? ''] : [] }));
  forOneMission(place, planned, 'lanes: 3');
  for (let kill = 0; kill < KILLS; kill += 1) {
    const run = place.start(['run', '--until-done', '--json']);
    // Another place each time: a worker that begins, tools at work, a validator, a landing.
    const isReached = place.fake.requests(place.fake.asked.length + 4 + 3 * kill).then(() => true);
    if (!(await Promise.race([isReached, run.ended.then(() => false)]))) break;
    process.kill(run.pid, 'SIGKILL');
    await run.ended;
  }
  const last = await place.start(['run', '--until-done', '--json']).ended;
  expect([last.code, last.stderr]).toEqual([0, '']);
  const { repo } = place;
  expect(statuses(place)).toEqual(ids.map(() => 'passing'));
  const landed = repo.git('log', '--format=%(trailers:key=Harness-Item,valueonly)').split('\n').filter(Boolean);
  expect(landed.toSorted()).toEqual(ids);
  for (const { id, dependsOn } of planned)
    for (const other of dependsOn) expect(landed.indexOf(other)).toBeGreaterThan(landed.indexOf(id)); // the newest first
  const evidence = await repo.harness('evidence', 'verify', '--all', '--json');
  expect(evidence.json()).toMatchObject({ holds: true });
  const left = repo.git('for-each-ref', '--format=%(refname)', 'refs/harness/parked', 'refs/harness/wip');
  expect([repo.git('status', '--porcelain'), left, place.alive()]).toEqual(['', '', []]);
}, 1_800_000);

type Call = readonly [tool: string, input: object];
/** Ways to change the work, to what its author thought, to the plan, and to everything that has them. */
function attacks({ repo }: Pick<Place, 'repo'>, workdir: string): readonly Call[] {
  const home = homeOf({ repo });
  const has = (path: string): boolean => readFileSync(path, 'utf8').includes(REASON);
  const known = [join(home, 'claude/projects'), join(repo.root, '.git/harness'), join(repo.root, '.harness')].map(
    (folder) => filesBelow(folder).filter(has),
  );
  for (const files of known) expect(files.length).toBeGreaterThan(0); // there is something to find
  const source = join(workdir, sourceOf(ID));
  const folders = [dirname(repo.root), home, repo.root, join(workdir, '.harness'), join(repo.root, '.git'), '/'];
  return [
    ['Write', { file_path: source, content: 'EDITED\n' }],
    ['Edit', { file_path: source, old_string: 'word', new_string: 'EDITED' }],
    ['Bash', { command: `echo EDITED > ${sourceOf(ID)}`, description: 'write' }],
    ['Bash', { command: 'git log --all -p', description: 'look' }],
    ['Bash', { command: 'git for-each-ref refs/harness', description: 'look' }],
    ...known.flat().map((file_path): Call => ['Read', { file_path }]),
    ...[repo.root, workdir].map((root): Call => ['Read', { file_path: join(root, '.harness/features.json') }]),
    ['Read', { file_path: join(repo.root, '.harness/sessions/1/prompt-1.md') }],
    ...folders.map((path): Call => ['Grep', { pattern: REASON, path, output_mode: 'content' }]),
    ['Glob', { pattern: '**/prompt-*.md', path: repo.root }],
  ];
}
