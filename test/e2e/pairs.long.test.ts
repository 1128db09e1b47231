// Every list with every machine that works on it: the same story for each pair, without code for any one of them. The fixture of a
// playbook says what its list looks like.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { SUPPORTED_PAIRS } from '../../src/playbooks/registry.ts';
import { sampleOfRows } from '../support/effort.ts';
import { makeRepo, OF_FEATURES, type Ran, type Repo } from '../support/repo.ts';
import { fixtureOf, type PlaybookFixture } from './pair-fixtures.ts';
import { expectExit, startProgram, type Steps } from './workshop.ts';

/** Without the names alone: each means its list with its machine. Plans need a remote, and have stories of their own (delivery.test.ts). */
const PAIRS = SUPPORTED_PAIRS.filter((pair) => typeof pair !== 'string').filter(
  ({ backlog }) => backlog !== 'delivery',
);
type Pair = (typeof PAIRS)[number];
type Project = Repo & {
  readonly fixture: PlaybookFixture;
  /** What the agents do from now on. */
  play(...sessions: readonly ReturnType<PlaybookFixture['work']>[]): void;
  put(...items: readonly string[]): void;
  /** Runs the program, answers what it asks, and runs it again, until it asks nothing more. */
  run(...args: readonly string[]): Promise<Ran>;
  /** The same, and kills the program as soon as the file is there. */
  killAt(path: string): Promise<void>;
  /** Items of the commits that name the evidence, the oldest first. */
  landed(): readonly string[];
};

function projectOf(pair: Pair): Project {
  const fixture = fixtureOf(pair.backlog);
  const config = [
    `playbook: ${JSON.stringify(pair)}`,
    'agents: { default: { provider: scripted, scenario: ../scenario.json } }',
    ...fixture.config,
    '',
  ].join('\n');
  const { machineFiles, answers = {}, besides } = fixtureOf(pair.machine);
  const files = { '.harness.yaml': config, 'README.md': 'A project\n', ...fixture.files, ...machineFiles };
  const repo = makeRepo(
    files,
    OF_FEATURES.filter((path) => !Object.hasOwn(files, path)),
  );
  const around = dirname(repo.root);
  /** False where no question is open that the user of this story answers. */
  const answered = async (): Promise<boolean> => {
    const { gates } = (await repo.harness('gates', '--json')).json() as { gates: { id: string; subject: string }[] };
    const [gate] = gates;
    const answer = answers[gate?.subject ?? ''];
    if (gate === undefined || answer === undefined) return false;
    expectExit(await repo.harness('answer', gate.id, answer), 0);
    return true;
  };
  return {
    ...repo,
    fixture,
    play(...work) {
      // The first session whose conditions hold is played: other roles come before the work on the item, which any role may play.
      const sessions = [...fixture.items.flatMap((item) => besides?.(item) ?? []), ...work.flat()];
      writeFileSync(join(around, 'scenario.json'), JSON.stringify({ schema: 1, sessions }));
    },
    put(...items) {
      fixture.put(repo, items);
      repo.git('add', '-A');
      if (repo.git('status', '--porcelain') !== '') repo.git('commit', '-q', '-m', 'the list');
    },
    async run(...args) {
      for (;;) {
        const ran = await repo.harness('run', '--no-input', '--json', ...args);
        if (!(await answered())) return ran;
      }
    },
    async killAt(path) {
      for (;;) {
        const live = startProgram(repo, ['run', '--no-input', '--json']);
        const isThere = await live.until(path).then(
          () => true,
          () => false,
        );
        live.signal('SIGKILL');
        const ran = await live.ended;
        if (isThere) return;
        expect(await answered(), ran.stdout + ran.stderr).toBe(true);
      }
    },
    landed: () =>
      repo
        .git(
          'log',
          '--reverse',
          '--format=%(trailers:key=Harness-Item,valueonly,separator=)|%(trailers:key=Harness-Evidence,valueonly,separator=)',
        )
        .split('\n')
        .flatMap((line) => {
          const [item = '', evidence = ''] = line.split('|');
          return evidence === '' ? [] : [item];
        }),
  };
}

/** The items as they are put into the list: all at once, or one after the other. */
const roundsOf = ({ items, holdsOne }: PlaybookFixture): readonly (readonly string[])[] =>
  holdsOne === true ? items.map((item) => [item]) : [items];

/** The work tree has no change, except in the list where the machine keeps it out of commits. */
function expectTidy(project: Project): void {
  const lines = project.git('status', '--porcelain').split('\n');
  expect(lines.filter((line) => line !== '' && !line.endsWith(` ${project.fixture.list}`))).toEqual([]);
}

describe.each(PAIRS)('a list of $backlog, worked by the machine of $machine', (pair) => {
  test('every item is named and lands with its evidence', async () => {
    const project = projectOf(pair);
    const { fixture } = project;
    project.play(...fixture.items.map((item) => fixture.work(item)));
    for (const items of roundsOf(fixture)) {
      project.put(...items);
      const listed = (await project.harness('items', '--json')).json() as { items: { id: string }[] };
      expect(listed.items.map(({ id }) => id)).toEqual(items);
      expect((await project.harness('status', '--json')).json()).toMatchObject({
        items: { total: items.length, landed: 0 },
        next: { item: items[0] },
      });
      const ran = await project.run('--until-done');
      expectExit(ran, 0);
      for (const item of items) expectExit(await project.harness('evidence', 'verify', item), 0);
    }
    expect(project.landed()).toEqual(fixture.items);
    expectTidy(project);
  });
});

// A machine reads each list in the same way: in CI one of the pairs shows what a lie and a kill come to.
describe.each(sampleOfRows(PAIRS, 1, 1))('$backlog by $machine, where something goes wrong', (pair) => {
  test('an item whose agent only says that it is done does not land; the other lands', async () => {
    const project = projectOf(pair);
    const { fixture } = project;
    const [honest, lied] = fixture.items;
    project.play(fixture.work(honest), fixture.lie(lied));
    for (const items of roundsOf(fixture)) {
      project.put(...items);
      for (const item of items) {
        const ran = await project.run('--once', item);
        if (item === honest) expectExit(ran, 0);
        else expect([EXIT.waiting, EXIT.verification], ran.stdout + ran.stderr).toContain(ran.code);
      }
    }
    expect(project.landed()).toEqual([honest]);
    expect((await project.harness('evidence', 'verify', lied)).code).not.toBe(0);
    expect((await project.harness('items', '--json')).json()).toMatchObject({
      items: expect.not.arrayContaining([expect.objectContaining({ id: lied, status: 'landed' })]),
    });
  });

  test('a run that is killed while its agent is at work is continued by the next; the item lands once', async () => {
    const project = projectOf(pair);
    const { fixture } = project;
    const [item] = fixture.items;
    const around = dirname(project.root);
    const waits: Steps = [
      { write: { path: 'half-done', text: 'half\n' } },
      { write: { path: '../at-work', text: '' } },
      { wait_for_file: '../go' },
      { delete: 'half-done' },
    ];
    project.play(fixture.work(item, waits));
    project.put(item);
    await project.killAt(join(around, 'at-work'));
    writeFileSync(join(around, 'go'), '');
    expectExit(await project.run(), 0);
    expect(project.landed()).toEqual([item]);
    expectExit(await project.harness('evidence', 'verify', item), 0);
    expectTidy(project);
  });
});
