// What a run did, as `report` shows it afterwards, over a run with an honest item, a lie and an open question.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPERATIONS } from '../../src/app/operations/all.ts';
import { expectExit, session, work, workshop } from './workshop.ts';

type Report = ReturnType<typeof OPERATIONS.report.output.parse>;

test('a report says what landed with its proof, what was caught and why, what is asked, and the same in every format', async () => {
  const lie = session(2, { write: { path: 'src/saw', text: '<script>alert(1)</script>\n' } }, 'claim');
  const shop = workshop({ sessions: [session(1, ...work(1)), lie] });
  expectExit(await shop.harness('run', '1'), 0);
  await shop.harness('run', '2');
  const reportOf = async (...words: string[]): Promise<Report> => {
    const { schema, ...answer } = (await shop.harness('report', ...words, '--json')).json();
    expect(schema).toBe('harness.report/1');
    const read = OPERATIONS.report.output.parse(answer);
    expect(read).toEqual(answer);
    return read;
  };

  const last = await reportOf();
  expect(last.landed).toEqual([]);
  expect([...last.caught, ...last.unfinished]).toMatchObject([
    { item: '2', session: 2, title: 'A saw hangs on the wall' },
  ]);

  const { runs } = OPERATIONS.runs.output.parse((await shop.harness('runs', '--json')).json());
  const first = runs.at(-1)?.run ?? '';
  const report = await reportOf(first);
  expect(report.landed).toMatchObject([
    {
      item: '1',
      title: 'A bench can be set up',
      proof: { strength: 'exit-code' },
      diff: { files: 2 },
      taken_back: false,
    },
  ]);
  const [landed] = report.landed;
  expect(landed?.risks).not.toContain('unconfirmed');
  expect(landed?.commit).toBe(shop.git('rev-parse', 'HEAD').trim());
  expect(landed?.proof.held).toContain('feature');

  const text = await shop.harness('report', first);
  expect(text.stdout).toContain('[exit codes only]');
  expect(text.stdout).toContain(`git show ${landed?.commit.slice(0, 10)}`);
  const file = join(shop.around, 'night.html');
  expectExit(await shop.harness('report', 'last', '--out', file), 0);
  expect(existsSync(file)).toBe(true);
  expect(await shop.harness('report', '--out', file)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--out FILE'),
  });
  expect((await shop.harness('report', '--format', 'markdown')).stdout).toMatch(/^# workshop: run r-/);
  expect((await shop.harness('show', '1', '--json')).json()).toMatchObject({ item: { id: '1', status: 'landed' } });
  expect((await shop.harness('show', 'last', '--json')).json()).toMatchObject({ run: { run: last.run.run } });
  const costs = (await shop.harness('costs', '--by', 'session', '--json')).json();
  expect(
    OPERATIONS.costs.output
      .parse(costs)
      .by_session?.map(({ key }) => key)
      .toSorted(),
  ).toEqual(['1', '2']);
});

test('a record that an agent forged is not confirmed by the repository, and is what to look at first', async () => {
  const shop = workshop();
  expectExit(await shop.harness('run', '1'), 0);
  const { runs } = OPERATIONS.runs.output.parse((await shop.harness('runs', '--json')).json());
  const folder = join(shop.root, '.harness/sessions/9');
  mkdirSync(folder, { recursive: true });
  const forged = {
    session_id: 9,
    feature_id: '3',
    run: runs[0]?.run,
    result: 'landed',
    commit: shop.git('rev-parse', 'HEAD').trim(),
  };
  writeFileSync(join(folder, 'session.json'), JSON.stringify(forged));
  const { landed } = OPERATIONS.report.output.parse((await shop.harness('report', '--json')).json());
  expect(landed.map(({ item, risks }) => [item, risks[0] ?? null])).toEqual([
    ['3', 'unconfirmed'],
    ['1', 'exit-code'],
  ]);
});

test('what a person let land in spite of a doubt comes first, with the name and the note; before, it is an open question', async () => {
  const doubtful = work(1).map((step) =>
    typeof step === 'object' && JSON.stringify(step).includes('bench.test')
      ? { write: { path: 'tests/bench.test', text: 'bench is there|true\n' } }
      : step,
  );
  const shop = workshop({ sessions: [session(1, ...doubtful), session(2, ...work(2)), session(3, ...work(3))] });
  expectExit(await shop.harness('run', '--until-done'), 3);
  const asked = await shop.harness('report');
  expect(asked.stdout).toMatch(/→ harness answer g-1 reject +.*\n +→ harness answer g-1 land/);
  expectExit(await shop.harness('answer', 'g-1', 'land', '-m', 'I looked at it'), 0);
  expectExit(await shop.harness('run', '--until-done'), 0);
  const report = OPERATIONS.report.output.parse((await shop.harness('report', '--json')).json());
  expect(report.landed.map(({ item }) => item)[0]).toBe('1');
  expect(report.landed).toHaveLength(3);
  expect(report.landed[0]).toMatchObject({
    risks: ['doubt', 'person', 'warned'],
    decisions: [{ subject: 'doubtful-proof', option: 'land', note: 'I looked at it' }],
  });
});
