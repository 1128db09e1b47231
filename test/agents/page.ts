// The table of docs/agents.md: one row for each real agent that was driven through all cases, with the version that was installed. Pure.
import { REAL, type Real } from './table.ts';

export const PAGE = 'docs/agents.md';
const BEGIN = '<!-- driven: written by UPDATE_GOLDEN=1 npm run test:agents -->';
const HEAD = [
  '| agent, version | lands | a forbidden command | refused key | outage | stopped | `kill -9` in a turn | reports |',
  '|---|---|---|---|---|---|---|---|',
];

export type Row = { readonly real: Real; readonly version: string };

/** Rows of agents that were not driven stay as they are. */
export function pageWith(page: string, rows: readonly Row[]): string {
  const [before = '', rest = ''] = page.split(`${BEGIN}\n`);
  const after = rest.slice(rest.search(/^(?!\|)/m));
  const old = rest.slice(0, rest.length - after.length).split('\n');
  const lines = REAL.flatMap(({ name }) => {
    const row = rows.find(({ real }) => real.name === name);
    return row === undefined ? old.filter((line) => line.startsWith(`| \`${name}\` `)) : [lineOf(row)];
  });
  return `${before}${BEGIN}\n${[...HEAD, ...lines, ''].join('\n')}${after}`;
}

function lineOf({ real, version }: Row): string {
  const { seen, because = {} } = real;
  const cell = (what: keyof typeof seen, words: string): string => {
    const why = because[what];
    return why === undefined ? words : `${words}: ${why}`;
  };
  const cells = [
    `\`${real.name}\` ${version}`,
    'yes',
    cell('permission', seen.permission === 'asks' ? 'asks, is refused' : 'runs it, is detected'),
    'exit 4, its words',
    cell('outage', seen.outage === 'the harness' ? 'the harness waits' : 'it tries again itself'),
    'ends, nothing is left',
    cell('resume', seen.resume === 'continues' ? 'continues its session' : 'starts again, lands'),
    cell('reports', seen.reports),
  ];
  return `| ${cells.join(' | ')} |`;
}
