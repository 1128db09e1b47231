// What became of the items of a run: one line each, of the newest run alone, through any crash.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MODES, dyingIo } from '../../../test/crash/dying-io.ts';
import { quickIo } from '../../../test/support/quick-io.ts';
import { itemOutcome } from '../../../test/support/outcomes.ts';
import type { ItemOutcome } from '../../model/action.ts';
import { failure } from '../../model/failure.ts';
import { itemReports, lastReport, reportItem } from './reports.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'harness-reports-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}
const report = (
  workspaceDir: string,
  item: string,
  session: number,
  more: { run?: string; key?: string; outcome?: ItemOutcome; io?: ReturnType<typeof quickIo> } = {},
) => {
  const { run = 'r-1', key = `item-${item}-s${session}`, outcome: of = itemOutcome('landed'), io = quickIo() } = more;
  reportItem({ workspaceDir, io, run }, key, { item, session, outcome: of });
};
const fileIn = (workspaceDir: string): string => join(workspaceDir, 'reports.jsonl');
const idsIn = (workspaceDir: string, run: string | null = 'r-1') =>
  itemReports(workspaceDir, run).map(({ id, session }) => [id, session]);

describe('the reports of a run', () => {
  test('are none before the first item has ended', () => {
    const dir = folder();
    expect([itemReports(dir, null), itemReports(dir, 'r-1'), lastReport(dir, 1)]).toEqual([[], [], null]);
  });

  test('are the whole outcomes, in the order in which the items ended', () => {
    const dir = folder();
    const failed = itemOutcome('failed', { failure: failure('agent-crashed'), commit: 'abc' });
    report(dir, '2', 1, { outcome: failed });
    report(dir, '1', 2);
    expect(itemReports(dir, 'r-1')).toEqual([
      { id: '2', session: 1, ...failed },
      { id: '1', session: 2, ...itemOutcome('landed') },
    ]);
    expect(lastReport(dir, 1)).toMatchObject({ id: '2', result: 'failed' });
    expect(lastReport(dir, 3)).toBeNull();
  });

  test('are of the newest run alone', () => {
    const dir = folder();
    report(dir, '1', 1);
    report(dir, '2', 2, { run: 'r-2' });
    expect([idsIn(dir, null), idsIn(dir, 'r-2'), idsIn(dir, 'r-1')]).toEqual([[['2', 2]], [['2', 2]], []]);
    expect(readFileSync(fileIn(dir), 'utf8').trim().split('\n')).toHaveLength(1);
  });

  test('count an item once that is reported again after a crash, and as often as it was worked on', () => {
    const dir = folder();
    report(dir, '1', 1, { outcome: itemOutcome('partial') });
    report(dir, '1', 1, { outcome: itemOutcome('partial') });
    report(dir, '1', 2, { outcome: itemOutcome('landed') });
    expect(itemReports(dir, 'r-1').map(({ session, result }) => [session, result])).toEqual([
      [1, 'partial'],
      [2, 'landed'],
    ]);
  });

  test('leave out lines of another version', () => {
    const dir = folder();
    report(dir, '1', 1);
    const text = readFileSync(fileIn(dir), 'utf8');
    writeFileSync(
      fileIn(dir),
      `${text}{"run":"r-1","key":"k","id":"9","result":"of-the-future"}\nnull\n${text.replace('"1"', '"3"').replace('item-1', 'item-3')}`,
    );
    expect(idsIn(dir)).toEqual([
      ['1', 1],
      ['3', 1],
    ]);
  });
});

describe.each(MODES)('a crash in the write of a report (%s)', (mode) => {
  test('loses no report, neither the one before nor one after', () => {
    const dir = folder();
    report(dir, '1', 1);
    const { io } = dyingIo(1, mode, undefined, quickIo());
    expect(() => report(dir, '2', 2, { io })).toThrow();
    report(dir, '2', 2); // the item is performed again, and reports under the same key
    report(dir, '3', 3);
    expect(idsIn(dir)).toEqual([
      ['1', 1],
      ['2', 2],
      ['3', 3],
    ]);
    expect(lastReport(dir, 3)).toMatchObject({ id: '3' });
  });

  test('loses no report of a new run', () => {
    const dir = folder();
    report(dir, '1', 1);
    const { io } = dyingIo(1, mode, undefined, quickIo());
    expect(() => report(dir, '2', 2, { run: 'r-2', io })).toThrow();
    report(dir, '2', 2, { run: 'r-2' });
    expect(idsIn(dir, null)).toEqual([['2', 2]]);
  });
});
