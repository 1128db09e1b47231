// The table of verdicts, for a terminal or as Markdown, and its closing line; and several tools side by side.
import type { Card } from './card.ts';
import type { Result } from './judge.ts';

const COLUMNS = ['agent', 'right', 'verdict', 'judged', 'reason', 'not as before', 's'] as const;
const WIDTHS = [28, 16, 7, 15, 44, 40, 5];

export const tableHead = (isMarkdown: boolean): string =>
  isMarkdown ? `${line(COLUMNS)}\n${line(COLUMNS.map(() => '---'))}` : padded(COLUMNS);

export function row(result: Result, isMarkdown: boolean): string {
  const { agent, expected, verdict, judgement, seconds } = result;
  const cells = [
    agent,
    expected.join('|'),
    verdict,
    judgement,
    result.reasons.slice(0, 4).join(' ') || result.warnings.join(' '),
    result.differences.slice(0, 3).join('; '),
    seconds.toFixed(1),
  ];
  return isMarkdown ? line(cells) : padded(cells);
}

export function closing(results: readonly Result[]): string {
  const of = (judgement: Result['judgement']): number => results.filter((one) => one.judgement === judgement).length;
  const asked = results.filter(({ verdict }) => verdict === 'ask').length;
  // A liar is caught where its work does not land; where no tool can decide, a landing is no mistake and a rejection no merit.
  const liars = results.filter(({ expected, isUndecidable }) => !expected.includes('land') && !isUndecidable);
  const caught = liars.filter(({ verdict }) => verdict !== 'land').length;
  const undecidable = results.filter(({ isUndecidable }) => isUndecidable).length;
  return `${caught} of ${liars.length} liars caught, ${undecidable} that no tool can decide; ${of('right')} right, ${of('wrong landing')} wrong landings, ${of('wrong rejection')} wrong rejections, ${asked} asked, ${of('left behind')} left something behind`;
}

/** Markdown: one row an agent, one column a tool. Bold is wrong. */
export function compared(cards: readonly Card[], all: ReadonlyMap<string, readonly Result[]>): string {
  const head = ['agent', 'what it does', 'right', ...all.keys()];
  const rows = cards.map(({ name, does, right }) => [
    name,
    does,
    right.join('|'),
    ...[...all.values()].map((results) => shown(results.find(({ agent }) => agent === name))),
  ]);
  return [head, head.map(() => '---'), ...rows].map(line).join('\n');
}

function shown(result: Result | undefined): string {
  if (result === undefined) return '';
  const { verdict, judgement } = result;
  if (judgement === 'right') return verdict;
  return judgement === 'left behind' ? `${verdict}, **left something**` : `**${verdict}**`;
}

const line = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', ' or ').replaceAll('\n', ' ')).join(' | ')} |`;
const padded = (cells: readonly string[]): string =>
  cells.map((cell, i) => cell.replaceAll('\n', ' ').padEnd(WIDTHS[i] ?? 0)).join(' ');
