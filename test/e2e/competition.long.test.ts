// `mission.competitors`: several workers attempt one feature; one of those that hold lands, the others are kept.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { KeptCompetition } from '../../src/model/competition.ts';
import { answer, makes, missionShop, passes, validator, worker } from './mission-shop.ts';
import { expectExit, type Session, type Steps, type Workshop } from './workshop.ts';

const AGENTS =
  '{ provider: scripted, scenario: ../scenario.json }, competitors: [{ provider: scripted, scenario: ../second.json }]';
const FEATURE = [
  { id: 'F-001', title: 'A bench is there', claims: ['VAL-SHOP-001'], test_file: 'tests/bench.test' },
] as const;
const scores = (size: number) => ({ size, clarity: 5, tests: 5, scope: 5 });
const prefers = (second: number): Steps =>
  answer({
    candidates: [
      { number: 1, scores: scores(5), why: 'It is plain.' },
      { number: 2, scores: scores(second), why: 'It adds a cushion.' },
    ],
  });
const judge = (...steps: Steps): Session => ({ when: { role: 'judge' }, turns: [steps] });
const lies: Steps = [{ write: { path: 'src/other', text: 'nothing\n' } }];

/** `first` and `second`: what each worker does. */
function contest(first: Steps, second: Steps, ...more: readonly Session[]): Workshop {
  const sessions = [worker('F-001', ...first), validator('F-001', passes('VAL-SHOP-001', 'bench')), ...more];
  const shop = missionShop({
    agent: AGENTS,
    config: 'mission: { competitors: 2 }\nverification: { fix_turns: 0 }',
    features: FEATURE,
    sessions,
  });
  shop.play([worker('F-001', ...second)], 'second.json');
  return shop;
}

function bundled(shop: Workshop, item = 'F-001'): KeptCompetition {
  const ref = `refs/harness/evidence/${item}`;
  const path = shop
    .git('ls-tree', '-r', '--name-only', ref)
    .split('\n')
    .find((one) => one.endsWith('/competition.json'));
  return JSON.parse(shop.git('show', `${ref}:${path}`)) as KeptCompetition;
}
const attemptsOf = (shop: Workshop): readonly string[] =>
  shop.git('for-each-ref', '--format=%(refname)', 'refs/harness/attempts').split('\n').filter(Boolean);

test('the attempt that the judge scores higher lands, and the other is kept and named', async () => {
  const shop = contest(makes('bench'), makes('bench', 'with a cushion\n'), judge(...prefers(9)));
  expectExit(await shop.harness('run', '--until-done'), 0);
  expect(shop.git('show', 'main:src/bench')).toContain('cushion');
  const kept = bundled(shop);
  expect(kept).toMatchObject({
    how: 'judge',
    attempts: [
      { number: 1, became: 'lost', scores: { size: 5 }, why: 'It is plain.' },
      { number: 2, became: 'won', scores: { size: 9 } },
    ],
    agents: [{ number: 1, provider: 'scripted' }, { number: 2 }],
  });
  const [lost] = kept.attempts;
  expect(attemptsOf(shop)).toContain(lost?.attempt);
  expect(shop.git('show', `${lost?.attempt}:src/bench`)).not.toContain('cushion');
  const record = JSON.parse(shop.read(`.harness/sessions/${kept.attempts[1]?.session}/session.json`)) as object;
  expect(record).toMatchObject({ role: 'worker', reason: 'won', result: 'done' });
  expect((await shop.harness('evidence', 'verify', '--all', '--json')).json()).toMatchObject({ holds: true });
  expect((await shop.harness('evidence', 'show', 'F-001')).stdout).toMatch(
    /attempt 2, session \d+: it was the best of several attempts/,
  );
  expect(shop.git('status', '--porcelain')).toBe('');
  expect(shop.processes()).toEqual([]);
  // The judge sees what each changed, and not who made it.
  const prompt = shop.read(`.harness/sessions/${kept.judge}/prompt-1.md`);
  expect(prompt).toContain('## Candidate 2');
  expect(prompt).not.toContain('scripted');
});

test.each([
  ['an answer that cannot be read', 'I like the second one.'],
  ['scores for one of them only', JSON.stringify({ candidates: [{ number: 2, scores: scores(9), why: '' }] })],
])('after %s the first that held lands', async (_, said) => {
  const shop = contest(makes('bench'), makes('bench', 'with a cushion\n'), judge({ say: said }));
  expectExit(await shop.harness('run', '--until-done'), 0);
  expect(shop.git('show', 'main:src/bench')).not.toContain('cushion');
  expect(bundled(shop)).toMatchObject({ how: 'first', attempts: [{ became: 'won' }, { became: 'lost' }] });
});

test('an attempt that the harness cannot prove does not reach the judge; the other lands', async () => {
  const shop = contest(lies, makes('bench'));
  expectExit(await shop.harness('run', '--until-done'), 0);
  expect(shop.git('show', 'main:src/bench')).toContain('bench');
  expect(shop.git('ls-tree', '--name-only', 'main', 'src/')).not.toContain('src/other');
  const kept = bundled(shop);
  expect(kept).toMatchObject({ how: 'only', judge: null, attempts: [{ became: 'failed' }, { became: 'won' }] });
  expect(shop.git('show', `${kept.attempts[0]?.attempt}:src/other`)).toBe('nothing');
});

test('where no attempt holds nothing lands, and each is kept', async () => {
  const shop = contest(lies, [{ write: { path: 'src/third', text: 'nothing\n' } }]);
  const ran = await shop.harness('run', 'F-001');
  expectExit(ran, 9);
  expect(shop.git('log', '--format=%s', 'main').split('\n')).toHaveLength(1);
  const trees = attemptsOf(shop).map((ref) => shop.git('ls-tree', '-r', '--name-only', ref));
  expect(trees.some((tree) => tree.includes('src/other'))).toBe(true);
  expect(trees.some((tree) => tree.includes('src/third'))).toBe(true);
});

test('killed while the second attempt is at work, the next run continues, and one of them lands once', async () => {
  const waits = [{ write: { path: '../at-second', text: '' } }, { wait_for_file: '../go' }];
  const shop = contest(makes('bench'), [...waits, ...makes('bench', 'with a cushion\n')], judge(...prefers(9)));
  const run = shop.start('run', '--until-done');
  await run.until(join(shop.around, 'at-second'));
  run.signal('SIGKILL');
  await run.ended;
  writeFileSync(join(shop.around, 'go'), '');
  expectExit(await shop.harness('run', '--until-done'), 0);
  expect(shop.git('show', 'main:src/bench')).toContain('cushion');
  expect(
    shop.git('log', '--format=%(trailers:key=Harness-Item,valueonly)', 'main').split('\n').filter(Boolean),
  ).toEqual(['F-001']);
  expect(bundled(shop)).toMatchObject({ attempts: [{ became: 'lost' }, { became: 'won' }] });
  expect(existsSync(join(shop.root, '.harness/sessions/2'))).toBe(true);
  expect(shop.processes()).toEqual([]);
});

test('in several lanes each feature has a competition in a work tree of its own; killed in the middle, each lands once', async () => {
  const features = [
    { id: 'F-001', title: 'A bench is there', claims: ['VAL-SHOP-001'], test_file: 'tests/bench.test' },
    { id: 'F-002', title: 'A saw is there', claims: ['VAL-SHOP-002'], test_file: 'tests/saw.test' },
  ];
  const names = { 'F-001': 'bench', 'F-002': 'saw' } as const;
  const meets = (item: keyof typeof names): Steps => [
    { write: { path: `../at-${item}`, text: '' } },
    { wait_for_file: '../go' },
    ...makes(names[item], 'with a cushion\n'),
  ];
  const shop = missionShop({
    agent: AGENTS,
    config: 'lanes: 2\nmission: { competitors: 2 }\nverification: { fix_turns: 0 }',
    features,
    sessions: [
      worker('F-001', ...makes('bench')),
      worker('F-002', ...makes('saw')),
      validator('F-001', passes('VAL-SHOP-001', 'bench')),
      validator('F-002', passes('VAL-SHOP-002', 'saw')),
      judge(...prefers(9)),
    ],
  });
  shop.play([worker('F-001', ...meets('F-001')), worker('F-002', ...meets('F-002'))], 'second.json');
  const run = shop.start('run', '--until-done');
  // Both features are at their second attempt at the same time.
  for (const item of ['F-001', 'F-002']) await run.until(join(shop.around, `at-${item}`));
  run.signal('SIGKILL');
  await run.ended;
  writeFileSync(join(shop.around, 'go'), '');
  expectExit(await shop.harness('run', '--until-done'), 0);
  const landed = shop.git('log', '--format=%(trailers:key=Harness-Item,valueonly)', 'main').split('\n').filter(Boolean);
  expect(landed.toSorted()).toEqual(['F-001', 'F-002']);
  for (const name of ['bench', 'saw']) expect(shop.git('show', `main:src/${name}`)).toContain('cushion');
  for (const item of ['F-001', 'F-002'])
    expect(bundled(shop, item)).toMatchObject({ how: 'judge', attempts: [{ became: 'lost' }, { became: 'won' }] });
  expect((await shop.harness('evidence', 'verify', '--all', '--json')).json()).toMatchObject({ holds: true });
  expect([shop.git('status', '--porcelain'), shop.processes()]).toEqual(['', []]);
});

test('a pause in the middle ends the competition with what was made kept, and the next run begins it again', async () => {
  const waits = [{ write: { path: '../at-second', text: '' } }, { wait_for_file: '../go' }];
  const shop = contest(makes('bench'), [...waits, ...makes('bench', 'with a cushion\n')], judge(...prefers(9)));
  const run = shop.start('run', '--until-done');
  await run.until(join(shop.around, 'at-second'));
  expectExit(await shop.harness('pause'), 0);
  expectExit(await run.ended, 10);
  expect(shop.processes()).toEqual([]);
  expect(attemptsOf(shop).length).toBeGreaterThan(0);
  writeFileSync(join(shop.around, 'go'), '');
  expectExit(await shop.harness('resume'), 0);
  expectExit(await shop.harness('run', '--until-done'), 0);
  expect(shop.git('show', 'main:src/bench')).toContain('cushion');
});
