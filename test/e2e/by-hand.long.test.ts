// What no test can show: a person looks at the work in the work tree, and says whether it holds.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectExit, session, work, workshop, type Session, type Workshop } from './workshop.ts';

const backlog = (more: object): string =>
  JSON.stringify({
    features: [
      { id: 1, category: 'bench', description: 'A bench looks right', passes: false, ...more },
      { id: 2, category: 'bench', description: 'A saw hangs', test_file: 'tests/saw.test', passes: false },
    ],
  });
const HYBRID = {
  test_file: 'tests/bench.test',
  verification_type: 'hybrid',
  automated_checks: ['The bench is there', '$ test -s src/bench'],
  manual_checks: ['It stands level'],
  verification_steps: ['Look at it from the side'],
};
const MANUAL = { verification_type: 'manual', manual_checks: ['It stands level'] };
const SHOT = { write: { path: '.harness/screenshots/side.png', text: 'a picture' } };

const projectOf = (more: object, ...steps: Session['turns'][number]): Workshop =>
  workshop({
    config: 'verification: { fix_turns: 0 }',
    files: { 'features.json': backlog(more) },
    sessions: [session(1, ...steps), session(2, ...work(2))],
  });

test('a hybrid item waits for a person, across restarts, and lands with their name when they say it holds', async () => {
  const shop = projectOf(HYBRID, ...work(1), SHOT);
  const ran = await shop.harness('run', '--json');
  expectExit(ran, 8);
  expect(ran.json()).toMatchObject({ result: 'gate', landed: [] });
  expect(shop.processes()).toEqual([]);
  expect(shop.read('src/bench')).toBe('bench\n'); // to be looked at
  const { gates } = (await shop.harness('gates', '--json')).json() as {
    gates: readonly { id: string; question: string; evidence: readonly string[] }[];
  };
  expect(gates).toHaveLength(1);
  expect(gates[0]?.question).toContain('It stands level');
  expect(gates[0]?.question).toContain('Look at it from the side');
  expect(gates[0]?.evidence).toContain('.harness/sessions/1/screenshots/side.png');
  expect(shop.read('.harness/sessions/1/screenshots/side.png')).toBe('a picture');
  expect(JSON.parse(shop.read('.harness/sessions/1/manual.json'))).toMatchObject({ checks: ['It stands level'] });

  const worked = shop.sessions();
  const again = await shop.harness('run', '1', '--json');
  expectExit(again, 8);
  expect(shop.sessions()).toEqual(worked); // asked once, worked on once
  expectExit(await shop.harness('answer', 'g-1', 'verified', '-m', 'level on all sides'), 0);
  const landed = await shop.harness('run', '--json');
  expectExit(landed, 0);
  expect(landed.json()).toMatchObject({ landed: ['1'] });
  expect(shop.git('log', '-1', '--format=%b')).toContain('Verified by hand: Ada');
  expect(JSON.parse(shop.read('.harness/sessions/1/session.json'))).toMatchObject({
    verified_by: { by: 'Ada', note: 'level on all sides' },
  });
});

test('a manual item without a test: no is no, its reason goes to the next session, and manual-verify says yes', async () => {
  const bench = { write: { path: 'src/bench', text: 'bench\n' } };
  const shop = projectOf(MANUAL, bench, 'claim');
  expectExit(await shop.harness('run', '--json'), 8);
  expectExit(await shop.harness('reject', 'g-1', '-m', 'it wobbles'), 0);
  const no = await shop.harness('run', '--json');
  expectExit(no, 9);
  expect(no.json()).toMatchObject({ result: 'rejected', items: [{ id: '1', problems: ['manual-failed'] }] });
  expect(existsSync(join(shop.root, 'src/bench'))).toBe(false);
  expect(shop.features()[0]).toMatchObject({ passes: false });
  expect((await shop.harness('attempts', 'show', '1', '1')).stdout).toContain('src/bench');

  expectExit(await shop.harness('run', '--json'), 8);
  expect(shop.read('.harness/sessions/2/prompt-1.md')).toContain('it wobbles');
  const yes = await shop.harness('manual-verify', '1', '--yes', '--json');
  expectExit(yes, 0);
  expect(yes.json()).toMatchObject({ passed: true, gate: 'g-2' });
  const landed = await shop.harness('run', '--json');
  expectExit(landed, 0);
  expect(landed.json()).toMatchObject({ landed: ['1'] });
});

test('a hybrid item whose command fails is rejected before anybody is asked', async () => {
  const bad = { ...HYBRID, automated_checks: ['$ test -e src/nowhere'] };
  const shop = projectOf(bad, ...work(1));
  expectExit(await shop.harness('run', '--json'), 9);
  expect((await shop.harness('gates', '--json')).json()).toMatchObject({ gates: [] });
});

test('an item that a person skips at the gate is left out, with its work kept', async () => {
  const shop = projectOf(HYBRID, ...work(1));
  expectExit(await shop.harness('run', '--json'), 8);
  expectExit(await shop.harness('answer', 'g-1', 'skip', '-m', 'not now'), 0);
  const ran = await shop.harness('run', '--json');
  expect(shop.features()[0]).toMatchObject({ passes: false, skipped: { reason: 'not now' } });
  expect(shop.git('status', '--porcelain')).toBe('');
  expect((await shop.harness('attempts', '1', '--json')).json()).toMatchObject({ attempts: [{ why: 'decided-skip' }] });
  expectExit(ran, 0);
});

test('what a person changes while they look is not what was proved: it is not landed under their name', async () => {
  const shop = projectOf(HYBRID, ...work(1));
  expectExit(await shop.harness('run', '--json'), 8);
  shop.write('src/bench', 'bench, mended by hand\n');
  expectExit(await shop.harness('answer', 'g-1', 'verified'), 0);
  const ran = await shop.harness('run', '--json');
  expectExit(ran, 9);
  expect(ran.json()).toMatchObject({ items: [{ problems: ['tree-changed-since-check'] }] });
});
