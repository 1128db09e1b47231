// `harness trace` over a mission with scripted agents: from a claim to its last verdict, void once the code that it rests on has changed, and the same
// in a fresh clone.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/app/operations/all.ts';
import { repoAt, type Repo } from '../support/repo.ts';
import { answer, honestMission, makes, missionShop, validator, worker } from './mission-shop.ts';
import { expectExit, workshop } from './workshop.ts';

type Trace = ReturnType<typeof OPERATIONS.trace.output.parse>;

async function traceOf(repo: Repo, ...words: readonly string[]): Promise<Trace> {
  const { schema, ...said } = (await repo.harness('trace', ...words, '--json')).json();
  expect(schema).toBe('harness.trace/1');
  const read = OPERATIONS.trace.output.parse(said);
  expect(read).toEqual(said);
  return read;
}

test('a claim is traced to its verdict, which is void once the code that it rests on has changed', async () => {
  const shop = missionShop({ sessions: honestMission });
  expect((await traceOf(shop)).rows).toMatchObject([
    { claim: 'VAL-SHOP-001', item: 'F-001', state: 'unproved', reason: 'not-landed', commit: null, verdict: null },
    { claim: 'VAL-SHOP-002', item: 'F-002', state: 'unproved', reason: 'not-landed' },
  ]);
  expectExit(await shop.harness('run', '--until-done'), 0);

  const landed = await traceOf(shop);
  expect(landed).toMatchObject({ playbook: 'mission', has_claims: true, has_evidence: true });
  expect(landed.rows).toMatchObject([
    {
      claim: 'VAL-SHOP-001',
      assertion: { text: 'There is a bench.', file: '.harness/validation-contract.md' },
      spec: { text: 'A shop has a bench.', file: 'SPEC.md', line: 3 },
      item: 'F-001',
      test: 'tests/bench.test',
      verdict: { result: 'pass', by: [{ role: 'validator' }], path: 'src/bench', quote: 'the bench is made of wood' },
      state: 'holds',
      changed: [],
    },
    { claim: 'VAL-SHOP-002', spec: { text: 'A shop has a chainsaw.', line: null }, item: 'F-002', state: 'holds' },
  ]);
  expectExit(await shop.harness('trace', '--check'), 0);
  expect((await shop.harness('evidence', 'show', 'F-001')).stdout).toContain(
    'VAL-SHOP-001 pass (src/bench: the bench is made of wood)',
  );
  expect((await shop.harness('evidence', 'verify', '--all', '--json')).json()).toMatchObject({ holds: true });

  shop.write('src/bench', 'the bench is made of wood and glue\n');
  shop.git('commit', '-qam', 'glue');
  const after = await traceOf(shop);
  expect(after.rows).toMatchObject([
    { claim: 'VAL-SHOP-001', state: 'void', reason: 'changed', changed: ['src/bench'] },
    { claim: 'VAL-SHOP-002', state: 'holds' },
  ]);
  expect((await shop.harness('trace', 'val-shop-001')).stdout).toContain('changed: src/bench');
  expectExit(await shop.harness('trace', '--check'), 9);
  expectExit(await shop.harness('trace', 'F-002', '--check'), 0);
  expectExit(await shop.harness('trace', 'VAL-SHOP-009'), 2);

  // The same content is the same verdict, whatever was between.
  shop.git('revert', '--no-edit', 'HEAD');
  expectExit(await shop.harness('trace', '--check'), 0);
  shop.write(
    '.harness/validation-contract.md',
    shop.read('.harness/validation-contract.md').replace('a saw', 'a good saw'),
  );
  shop.git('commit', '-qam', 'a better saw');
  expect((await traceOf(shop)).rows).toMatchObject([
    { state: 'holds' },
    { state: 'void', changed: ['.harness/validation-contract.md'] },
  ]);

  const clone = repoAt(join(shop.around, 'clone'), join(shop.around, 'home'));
  shop.git('clone', '-q', shop.root, clone.root);
  const bare = await traceOf(clone);
  expect(bare).toMatchObject({ has_evidence: false });
  expect(bare.rows).toMatchObject([{ state: 'unproved', reason: 'no-evidence' }, { reason: 'no-evidence' }]);
  expect((await clone.harness('trace')).stdout).toContain('harness trace --fetch');
  expect((await traceOf(clone, '--fetch')).rows).toEqual((await traceOf(shop)).rows);
});

test('a verdict against the work is the last one until another session is judged', async () => {
  const against = answer({
    assertions: [{ id: 'VAL-SHOP-001', verdict: 'fail', path: 'src/bench', quote: '', why: 'It has three legs.' }],
    issues: [],
  });
  const shop = missionShop({
    config: 'mission: { max_iterations: 1 }',
    sessions: [worker('F-001', ...makes('bench')), validator('F-001', against)],
  });
  await shop.harness('run', 'F-001');
  const [row] = (await traceOf(shop, 'F-001')).rows;
  expect(row).toMatchObject({
    state: 'failing',
    reason: 'judged-against',
    commit: null,
    verdict: { result: 'fail', why: 'It has three legs.' },
  });
});

test('a list without claims says so, and shows each item with the proof of the harness', async () => {
  const shop = workshop();
  expectExit(await shop.harness('run', '1'), 0);
  const trace = await traceOf(shop);
  expect(trace).toMatchObject({ has_claims: false, counts: { holds: 1, unproved: 2 } });
  expect(trace.rows[0]).toMatchObject({
    claim: null,
    item: '1',
    state: 'holds',
    verdict: { by: [{ role: 'harness' }] },
  });
  expect((await shop.harness('trace', '1')).stdout).toContain('make no claims');
  shop.write('tests/bench.test', 'bench is there|true\n');
  shop.git('commit', '-qam', 'weaker');
  expect((await traceOf(shop, '1')).rows).toMatchObject([{ state: 'void', changed: ['tests/bench.test'] }]);
});
