// Gates as text and as JSON; the question is formulated here for both.
import type { GateRecord } from '../../gates/store.ts';
import { printable } from '../../host/formatter.ts';
import { itemTitle } from '../../model/gate.ts';
import type { Caller } from '../command.ts';
import { columns, oneLine, short } from './table.ts';

export function showGates(records: readonly GateRecord[], caller: Caller): readonly string[] {
  if (records.length === 0) return [caller.catalogue.text('gate.none')];
  return records.flatMap((record, i) => [...(i === 0 ? [] : ['']), ...showGate(record, caller)]);
}

/** The document to read before answering, made printable: an agent may have written it. */
export const showDocument = (document: string | null): readonly string[] =>
  document === null
    ? []
    : [
        ...document
          .trimEnd()
          .split('\n')
          .map((line) => `  | ${printable(line.trimEnd())}`),
        '',
      ];

/** `#2 A saw hangs on the wall`; '' where the question is about no item. */
export function nameOfItem(gate: Parameters<typeof itemTitle>[0]): string {
  const title = itemTitle(gate);
  return gate.item === null ? '' : `#${gate.item}${title === null ? '' : ` ${short(title, MOST_OF_TITLE)}`}`;
}
const MOST_OF_TITLE = 60;

export function showGate({ gate, closed }: GateRecord, caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  const { header, question, options } = caller.catalogue.gate(gate);
  const since = text('gates.since', { since: minute(gate.since), item: nameOfItem(gate) });
  const head = [
    `${caller.tint('bold', `${gate.id}  ${header}`)}  ${caller.tint('dim', since)}`,
    ...question.split('\n').map((line) => `  ${line}`),
  ];
  const evidence = gate.evidence.map((path) => `  ${text('run.evidence', { evidence: oneLine(path) })}`);
  if (closed !== null) return [...head, ...evidence, `  ${endOf(closed, caller)}`];
  const rows = columns(
    options.map(({ id, label, description }) => {
      const isBest = id === gate.recommended;
      const more = isBest ? ` (${text('gates.recommended')})` : '';
      return [isBest ? '*' : ' ', id, label, `${description}${more}`];
    }),
    (cell, row, column) => (column === 1 && options[row]?.id === gate.recommended ? caller.tint('green', cell) : cell),
  );
  return [...head, ...evidence, ...rows.map((row) => `  ${row}`), `  → ${text('gates.how', { gate: gate.id })}`];
}

function endOf(closed: NonNullable<GateRecord['closed']>, caller: Caller): string {
  const { text } = caller.catalogue;
  if (closed.how === 'withdrawn') return text('gates.withdrawn', { at: minute(closed.at) });
  const said = text('gates.answered', { option: closed.option, by: closed.by, at: minute(closed.at) });
  return closed.note === '' ? said : `${said}: ${oneLine(closed.note)}`;
}

/** UTC, to the minute: `2026-01-31 12:05`. */
export const minute = (iso: string): string => iso.slice(0, 16).replace('T', ' ');
