// The screens of `runs` and `costs`.
import type { Answers } from '../../app/operations/all.ts';
import type { Caller } from '../command.ts';
import { minute } from './gates.ts';
import { columns, oneLine } from './table.ts';

type Run = Answers['runs']['runs'][number];
type Cost = Run['cost'];

export const tokensOf = ({ tokens }: Cost): number => tokens.input + tokens.output;
/** Neither money nor tokens: nothing was reported, which is not the same as nothing spent. */
export const isUnreported = (cost: Cost): boolean => (cost.usd ?? 0) === 0 && tokensOf(cost) === 0;
const money = (cost: Cost): string => (isUnreported(cost) ? '–' : cost.usd === null ? '?' : `$${cost.usd.toFixed(2)}`);

export function showRuns(runs: readonly Run[], caller: Caller): readonly string[] {
  const { text, outcome } = caller.catalogue;
  if (runs.length === 0) return [text('runs.none')];
  return columns(
    runs.map((run) => [
      run.run,
      run.started === null ? '' : minute(run.started),
      run.is_live
        ? text('runs.live')
        : run.result === null
          ? run.command === null
            ? ''
            : text('runs.killed')
          : outcome(run.reason ?? run.result),
      `${text('runs.sessions', { count: run.sessions })}, ${text('runs.counts', { landed: run.landed, caught: run.caught })}`,
      money(run.cost),
    ]),
    (cell, row, column) => (column === 2 && runs[row]?.is_live === true ? caller.tint('green', cell) : cell),
  );
}

export function showTimeline({ run, spans }: Answers['run'], caller: Caller): readonly string[] {
  const { text, outcome } = caller.catalogue;
  const rows = spans.map((span) => [
    `  ${minute(new Date(span.from).toISOString())}`,
    text('status.session', { session: span.session }).trim(),
    span.item === null ? '' : `#${oneLine(span.item)}`,
    outcome(span.reason === null || span.reason === '' ? (span.result ?? '') : span.reason),
    span.to === null ? '' : duration(span.to - span.from),
  ]);
  return [
    caller.tint('bold', showRuns([run], caller)[0] ?? run.run),
    ...columns(rows),
    ...(spans.length === 0 ? [text('runs.empty')] : []),
  ];
}

const duration = (ms: number): string => {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

export function showCosts(
  { cost }: Answers['costs'],
  groups: Answers['costs']['by_item'],
  by: 'item' | 'role' | 'model' | 'session',
  caller: Caller,
): readonly string[] {
  const { text } = caller.catalogue;
  const nameOf = (key: string): string => (key === '' ? '–' : by === 'item' ? `#${oneLine(key)}` : oneLine(key));
  const rows = groups.map((group) => [
    `  ${nameOf(group.key)}`,
    money(group.cost),
    text('costs.tokens', { tokens: tokensOf(group.cost) }),
    text('runs.sessions', { count: group.sessions }),
  ]);
  if (isUnreported(cost) && rows.length > 0) return [text('costs.unreported'), ...columns(rows)];
  return [text('costs.all', { money: money(cost), tokens: tokensOf(cost) }), ...columns(rows)];
}
