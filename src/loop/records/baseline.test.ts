// Which tests must pass in a lane, whose work tree may be at an older commit than what landed last.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stage, valueOf, type Stage } from '../../../test/stage/repository.ts';
import { verdict } from '../../../test/support/outcomes.ts';
import { quickIo } from '../../../test/support/quick-io.ts';
import { readBaseline } from '../../verify/baseline.ts';
import type { RunContext } from '../run-context.ts';
import { adoptBaseline, adoptBaselineAt, baselineFiles, landBaseline } from './baseline.ts';

function laneOf(s: Stage): RunContext {
  const workspaceDir = join(s.home, 'private');
  const treeDir = join(workspaceDir, 'lanes/1');
  mkdirSync(treeDir, { recursive: true });
  return {
    root: s.root,
    git: s.git,
    io: quickIo(),
    clock: { iso: () => '2026-01-02T03:04:05.000Z' },
    lanes: {},
    stateDir: join(s.root, '.harness'),
    privateDir: workspaceDir,
    workspaceDir,
    treeDir,
  } as unknown as RunContext;
}

/** A landing whose proof has these passing tests. */
async function land(s: Stage, lane: RunContext, passing: readonly string[], path = `${passing.at(-1)}.txt`) {
  s.write(path, 'work\n');
  const commit = s.commit(`lands ${path}`);
  const file = join(s.home, 'passing.json');
  writeFileSync(file, JSON.stringify(passing));
  valueOf(await landBaseline(lane, 1, { verdict: verdict({ passing: file }), commit }));
  return commit;
}

const inLane = (lane: RunContext): readonly string[] | undefined =>
  valueOf(readBaseline(baselineFiles(lane).kept))?.passing_tests;

test('a lane at an older commit has the baseline of that commit, though another item has landed', async () => {
  const s = stage();
  const lane = laneOf(s);
  const first = await land(s, lane, ['a']);
  await land(s, lane, ['a', 'b']);
  valueOf(await adoptBaselineAt(lane, first));
  expect(inLane(lane)).toEqual(['a']);
  valueOf(await adoptBaselineAt(lane, 'HEAD'));
  expect(inLane(lane)).toEqual(['a', 'b']);
});

test('at a commit of a person it has that of the landing before it', async () => {
  const s = stage();
  const lane = laneOf(s);
  await land(s, lane, ['a']);
  s.write('mine.txt', 'mine\n');
  const mine = s.commit('a person writes');
  await land(s, lane, ['a', 'b']);
  valueOf(await adoptBaselineAt(lane, mine));
  expect(inLane(lane)).toEqual(['a']);
});

test('where files of the harness are committed, too', async () => {
  const s = stage({ '.harness/contract.md': 'one\n' });
  const lane = laneOf(s);
  const first = await land(s, lane, ['a']);
  s.write('.harness/contract.md', 'two\n');
  const changed = s.commit('a change of the contract');
  await land(s, lane, ['a', 'b']);
  for (const commit of [first, changed]) {
    valueOf(await adoptBaselineAt(lane, commit));
    expect(inLane(lane)).toEqual(['a']);
  }
});

test('a tree of which nothing is known keeps the baseline of the lane', async () => {
  const s = stage();
  const lane = laneOf(s);
  const first = await land(s, lane, ['a']);
  valueOf(await adoptBaselineAt(lane, first));
  await land(s, lane, ['a', 'b']);
  expect(adoptBaseline(lane, '0'.repeat(40))).toBe(false);
  expect(inLane(lane)).toEqual(['a']);
  expect(adoptBaseline(lane, s.sh('rev-parse', 'HEAD^{tree}'))).toBe(true);
  expect(inLane(lane)).toEqual(['a', 'b']);
});

test('where nothing before a commit is known, what landed last counts', async () => {
  const s = stage();
  const lane = laneOf(s);
  const start = s.sh('rev-parse', 'HEAD');
  await land(s, lane, ['a']);
  valueOf(await adoptBaselineAt(lane, start));
  expect(inLane(lane)).toEqual(['a']);
  const { kept } = baselineFiles(lane);
  const before = readFileSync(kept, 'utf8');
  valueOf(await adoptBaselineAt({ ...lane, lanes: null }, 'HEAD'));
  expect(readFileSync(kept, 'utf8')).toBe(before);
});
