// The screen of `health`: each figure with its source and age, then the total.
import type { ProjectHealth } from '../../app/look/health.ts';
import type { Caller, Style } from '../command.ts';
import { oneLine, pairs } from './table.ts';

/** The maximum number of overlong files listed. */
const MOST_NAMED = 10;
export const HEALTH_COLOURS: { readonly [S in NonNullable<ProjectHealth['status']>]: Style } = {
  GOOD: 'green',
  FAIR: 'yellow',
  POOR: 'red',
};

export function showHealth(h: ProjectHealth, caller: Caller, nowMs: number): readonly string[] {
  const { text } = caller.catalogue;
  const percent = (share: number | null): number => Math.floor(100 * (share ?? 0) + 1e-9);
  const ageOf = (at: string | null): number => Math.max(0, nowMs - Date.parse(at ?? ''));
  const long = h.files.slice(0, MOST_NAMED).map(({ path, lines }) => {
    const said = text('health.file', { file: oneLine(path), lines, max: h.maxFileLines });
    return `⚠ ${said}`;
  });
  const more = h.files.length - long.length;
  const rest = h.files.length === 0 ? 'health.files-all' : more > 0 ? 'health.files-more' : 'health.files-rest';
  const rows: [string, string | readonly string[]][] = [
    [text('status.project'), oneLine(h.project)],
    [
      text('health.features'),
      h.featureCompletion === null
        ? text('status.none')
        : text('health.passing', {
            passed: h.features.passing,
            total: h.features.total,
            percent: percent(h.featureCompletion),
          }),
    ],
    [
      text('health.tests'),
      h.tests === null
        ? text('health.tests-unknown')
        : text('health.measured', {
            figure: text('health.passing', {
              passed: h.tests.passed,
              total: h.tests.total,
              percent: percent(h.testPassRate),
            }),
            from: h.tests.from,
            ageMs: ageOf(h.tests.at),
          }),
    ],
    [
      text('health.lint'),
      h.lint === null
        ? text('health.lint-unknown')
        : text('health.measured', {
            figure: text('health.errors', { count: h.lint.errors, lines: h.lint.lines }),
            from: h.lint.from,
            ageMs: ageOf(h.lint.at),
          }),
    ],
    [text('health.files'), [...long, text(rest, { max: h.maxFileLines, count: more })]],
    [text('health.overall'), overallOf(h, caller)],
  ];
  if (h.nextCleanup !== null) rows.push([text('health.cleanup'), text('health.cleanup-at', { count: h.nextCleanup })]);
  return pairs(rows);
}

function overallOf(h: ProjectHealth, caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  if (h.overall === null || h.status === null) return [text('health.nothing')];
  const figure = `${h.status} (${h.overall.toFixed(2)})`;
  const named = h.unknown.map((part) => text(`health.${part}`).toLowerCase()).join(', ');
  const shared = h.unknown.length === 0 ? [] : [text('health.shared', { parts: named })];
  return [caller.tint(HEALTH_COLOURS[h.status], figure), ...shared];
}
