// A report as plain text.
import type { Caller } from '../../command.ts';
import { columns, pairs } from '../table.ts';
import type { Entry, ReportDocument, Tone } from './document.ts';

const COLOURS = { good: 'green', warn: 'yellow', bad: 'red', plain: 'dim' } as const satisfies { [T in Tone]: string };

export function reportText(
  { title, lead, pairs: about, sections }: ReportDocument,
  tint: Caller['tint'],
): readonly string[] {
  return [
    tint('bold', title),
    lead,
    ...pairs(about).map((line) => `  ${line}`),
    ...sections.flatMap(({ title: head, note, entries }) => [
      '',
      tint('bold', head),
      ...(note === '' ? [] : [`  ${note}`]),
      ...entries.flatMap((entry) => entryLines(entry, tint)),
    ]),
  ];
}

function entryLines({ title, badges, facts, texts, commands }: Entry, tint: Caller['tint']): readonly string[] {
  const marks = badges.map(({ tone, text }) => tint(COLOURS[tone], `[${text}]`));
  return [
    `  ${[title, ...marks].join('  ')}`,
    ...facts.map((fact) => `    ${fact}`),
    ...texts.flatMap((text) => text.split('\n').map((line) => `    | ${line}`)),
    ...columns(commands.map(({ command, about }) => [`    → ${command}`, about])),
  ];
}
