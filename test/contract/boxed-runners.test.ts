// Real runners say the same in every box: a level that breaks a runner would turn honest work away.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openBox } from '../../src/host/box.ts';
import { shellLine } from '../../src/host/process.ts';
import { heldLevels } from '../support/levels.ts';
import { isThere, LIVE_RUNNERS, RECORDED_ROOT, recordingOf } from './live-runners.ts';
import { makeNeeded } from '../../src/verify/run-once.ts';

const held = await heldLevels();
const repository = resolve(import.meta.dirname, '../..');
const path = [dirname(process.execPath), join(repository, 'node_modules/.bin'), process.env['PATH'] ?? ''].join(
  delimiter,
);
const runners = LIVE_RUNNERS.filter(({ name }) => ['node', 'vitest', 'pytest'].includes(name));

describe.each([...held])('at level %s', (level) => {
  test.each(runners)('$name reports every test as it does without a box', { timeout: 180_000 }, async (runner) => {
    if (!(await isThere(runner))) {
      console.warn(`SKIPPED: ${runner.name} in a box, because \`${runner.probe}\` does not work here`);
      return;
    }
    const top = realpathSync(mkdtempSync(join(tmpdir(), 'harness-boxed-')));
    onTestFinished(() => rmSync(top, { recursive: true, force: true }));
    const [root, reports] = [join(top, 'project'), join(top, 'reports')];
    cpSync(join(repository, 'test/fixtures/runners', runner.projects, 'mixed'), root, { recursive: true });
    symlinkSync(realpathSync(join(repository, 'node_modules')), join(root, 'node_modules'));
    mkdirSync(reports);
    const report = join(reports, `report.${runner.runner.reporting.extension}`);
    const how = runner.runner.reporting.instrument(runner.command, report);
    makeNeeded(how);
    const box = await openBox({ root, level });
    onTestFinished(() => box.close());
    const exit = await box.run({
      argv: shellLine(how?.command ?? 'false'),
      env: { PATH: path, PYTHONDONTWRITEBYTECODE: '1', ...how?.env },
      writable: [reports],
      token: `boxed-${process.pid}`,
      wallMs: 120_000,
      idleMs: null,
      keepBytes: 1_000_000,
      floodBytes: null,
    });
    const cases = (text: string, from: string): readonly string[] => {
      const parsed = runner.runner.parse(text, from);
      return parsed.ok ? parsed.value.cases.map(({ status, id }) => `${status} ${id}`).sort() : [];
    };
    const seen = existsSync(report) ? readFileSync(report, 'utf8') : '';
    const known = cases(readFileSync(recordingOf(runner, 'mixed'), 'utf8'), RECORDED_ROOT);
    expect(known).not.toEqual([]);
    expect(cases(seen, root), `${exit.stdout.slice(-1_000)}\n${exit.stderr.slice(-1_000)}`).toEqual(known);
  });
});
