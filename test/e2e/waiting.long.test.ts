// A question keeps its item waiting, and nothing else: the other items continue, and the answer brings the item back.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectWhole, parkedRefs, shopOf } from './waiting-shop.ts';
import { expectExit, eventsOf, session, work, type Steps } from './workshop.ts';

test('other items land while one waits, its work is kept beside, and it lands on top of theirs with the answer', async () => {
  const shop = shopOf();
  const ran = await shop.harness('run', '--until-done', '--json');
  expectExit(ran, 8);
  expect(ran.json()).toMatchObject({ result: 'gate', landed: ['2', '3'], gates: ['g-1'] });
  expect(shop.git('status', '--porcelain')).toBe('');
  const [ref = ''] = parkedRefs(shop).split('\n');
  expect(shop.git('show', `${ref}:src/bench`)).toBe('bench');
  const worked = shop.sessions();

  expectExit(await shop.harness('answer', 'g-1', 'verified', '-m', 'level'), 0);
  const landed = await shop.harness('run', '--until-done', '--json');
  expectExit(landed, 0);
  expect(landed.json()).toMatchObject({ result: 'done', landed: ['1'] });
  expect(shop.subjects().map((subject) => subject.slice(0, 15))).toEqual([
    'feat(bench): #2',
    'feat(wood): #3 ',
    'feat(bench): #1',
  ]);
  expect(shop.sessions()).toEqual(worked); // its agent worked once
  await expectWhole(shop);
});

test('work that its agent committed is no part of the branch while it waits, and lands with the answer', async () => {
  const commits = { run: 'git add -A && git commit -qm "by the agent"' };
  const shop = shopOf([...work(1), commits], 'sandbox: { level: none }\n');
  const run = ['run', '--until-done', '--i-accept-unsandboxed', '--json'];
  const ran = await shop.harness(...run);
  expectExit(ran, 8);
  // Its claim on the branch would have ended its question.
  expect(ran.json()).toMatchObject({ result: 'gate', landed: ['2', '3'], gates: ['g-1'] });
  expect(shop.subjects()).not.toContain('by the agent');
  expectExit(await shop.harness('answer', 'g-1', 'verified', '-m', 'level'), 0);
  const landed = await shop.harness(...run);
  expectExit(landed, 0);
  expect(landed.json()).toMatchObject({ result: 'done', landed: ['1'] });
  expect(shop.git('show', 'main:src/bench')).toBe('bench');
  await expectWhole(shop);
});

test('an answer that comes while another item is at work counts before the next one begins', async () => {
  const shop = shopOf(work(1), '');
  shop.play([
    session(1, ...work(1)),
    session(
      2,
      { write: { path: '../at-work', text: '' } },
      ...work(2).slice(0, 2),
      { wait_for_file: '../answered' },
      'claim',
    ),
    session(3, ...work(3)),
  ]);
  const run = shop.start('run', '--until-done', '--json');
  await run.until(join(shop.around, 'at-work'));
  expectExit(await shop.harness('answer', 'g-1', 'verified', '-m', 'level'), 0);
  writeFileSync(join(shop.around, 'answered'), '');
  const ran = await run.ended;
  expectExit(ran, 0);
  expect(ran.json()).toMatchObject({ result: 'done', landed: ['2', '1', '3'] });
  await expectWhole(shop);
});

test('one session is one session: the run ends at its question with the work in the work tree, and the next takes another item', async () => {
  const shop = shopOf();
  expectExit(await shop.harness('run', '--json'), 8);
  expect([shop.read('src/bench'), parkedRefs(shop)]).toEqual(['bench\n', '']);
  const next = await shop.harness('run', '--json');
  expectExit(next, 8); // the question still waits
  expect(next.json()).toMatchObject({ result: 'landed', landed: ['2'], gates: ['g-1'] });
  expect(parkedRefs(shop)).not.toBe('');
  expect(eventsOf(shop, 'item-parked')).toHaveLength(1);
});

test('a refusal rolls the waiting work back and leaves what landed meanwhile', async () => {
  const shop = shopOf();
  expectExit(await shop.harness('run', '--until-done', '--json'), 8);
  const tip = shop.git('rev-parse', 'HEAD');
  expectExit(await shop.harness('answer', 'g-1', 'failed', '-m', 'it wobbles'), 0);
  shop.play([session(1, 'hang')]);
  const ran = await shop.harness('run', '--json');
  expect(ran.json()).toMatchObject({ result: 'rejected', landed: [] });
  expect([shop.git('rev-parse', 'HEAD'), parkedRefs(shop), shop.git('status', '--porcelain')]).toEqual([tip, '', '']);
});

test('an item that is skipped while it waits gives up its work as an attempt, and its question is withdrawn', async () => {
  const shop = shopOf();
  expectExit(await shop.harness('run', '--until-done', '--json'), 8);
  expectExit(await shop.harness('skip', '1', '--reason', 'no bench after all'), 0);
  const ran = await shop.harness('run', '--until-done', '--json');
  expectExit(ran, 0);
  expect(ran.json()).toMatchObject({ result: 'done', gates: [] });
  expect((await shop.harness('gates', '--json')).json()).toMatchObject({ gates: [] });
  expect(shop.git('show', 'refs/harness/attempts/1/1:src/bench')).toBe('bench');
  expect(shop.git('ls-files', 'src')).not.toContain('bench');
  await expectWhole(shop);
});

test('work that does not fit what landed meanwhile is continued on top of it', async () => {
  const shared = (text: string): Steps[number] => ({ write: { path: 'src/door', text: `door\n${text}\n` } });
  const shop = shopOf([shared('a bench'), ...work(1)]);
  shop.play([
    session(1, shared('a bench'), ...work(1)),
    session(2, shared('a saw'), ...work(2)),
    session(3, ...work(3)),
  ]);
  expectExit(await shop.harness('run', '--until-done', '--json'), 8);
  expectExit(await shop.harness('answer', 'g-1', 'verified', '-m', 'level'), 0);
  const ran = await shop.harness('run', '--json');
  expect(ran.json()).toMatchObject({ result: 'partial', reason: 'overtaken', landed: [] });
  expect(shop.git('show', 'HEAD:src/door')).toContain('a saw');
  expect(shop.workInProgress('1')).toContain('Overtaken');
  expect([parkedRefs(shop), shop.git('status', '--porcelain')]).toEqual(['', '']);
});
