// The screen of `trace`: one block for each claim or item.
import type { Answers } from '../../app/operations/all.ts';
import type { Caller } from '../command.ts';
import { oneLine, short } from './table.ts';

type Trace = Answers['trace'];
type Row = Trace['rows'][number];

const TINTS = { holds: 'green', void: 'yellow', failing: 'red', unproved: 'dim' } as const;
/** More are counted. */
const MOST_PATHS = 8;

/** `isOne`: a claim or an item was named. */
export function showTrace(trace: Trace, isOne: boolean, caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  const { rows, counts, playbook } = trace;
  const wantsEvidence = rows.some(({ reason }) => reason === 'no-evidence');
  return [
    ...(trace.has_claims ? [] : [text('trace.no-claims', { playbook })]),
    ...(rows.length === 0 ? [text('trace.none')] : []),
    ...rows.flatMap((row, n) => [...(n === 0 ? [] : ['']), ...blockOf(row, caller)]),
    ...(isOne || rows.length === 0 ? [] : ['', text('trace.counts', counts)]),
    ...(wantsEvidence ? [text('trace.fetch')] : []),
  ];
}

function blockOf(row: Row, caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  const { claim, assertion, spec, item, title, test, commit, verdict, state, reason } = row;
  const named = item === null ? '' : text('trace.item', { item: oneLine(item), title: short(title) });
  const head = claim === null ? named : `${claim}${assertion === null ? '' : `: ${short(assertion.text)}`}`;
  const why = reason === '' ? '' : `: ${text(`trace.reason.${reason}`)}`;
  return [
    caller.tint('bold', head),
    `  ${caller.tint(TINTS[state], `${text(`trace.${state}`)}${why}`)}`,
    ...changedOf(row, caller),
    ...(spec === null ? [] : [`  ${specOf(spec, caller)}`]),
    ...(claim === null || named === '' ? [] : [`  ${named}`]),
    ...(test === null ? [] : [`  ${text('trace.test', { test: oneLine(test) })}`]),
    ...(commit === null ? [] : [`  ${text('trace.commit', { commit: commit.slice(0, 12) })}`]),
    ...(verdict === null ? [] : verdictOf(verdict, caller)),
  ];
}

function specOf({ text: sentence, file, line }: NonNullable<Row['spec']>, { catalogue: { text } }: Caller): string {
  const shown = short(sentence);
  return line === null
    ? text('trace.spec-missing', { text: shown, place: oneLine(file) })
    : text('trace.spec', { text: shown, place: `${oneLine(file)}:${line}` });
}

function changedOf({ changed }: Row, { catalogue: { text } }: Caller): readonly string[] {
  if (changed.length === 0) return [];
  const more = changed.length - MOST_PATHS;
  const shown = changed.slice(0, MOST_PATHS).map(oneLine).join(', ');
  return [`  ${text('trace.changed', { paths: shown, more: more > 0 ? more : '' })}`];
}

function verdictOf({ result, by, at, path, quote, why }: NonNullable<Row['verdict']>, { catalogue: { text } }: Caller) {
  const roles = by.map(({ role, session }) => text('trace.by', { role, session })).join(', ');
  const time = at.slice(0, 16).replace('T', ' ');
  return [
    `  ${text(`trace.verdict.${result}`, { roles, at: time })}`,
    ...(quote === '' ? [] : [`    ${text('trace.quote', { path: oneLine(path), quote: short(quote) })}`]),
    ...(why === '' ? [] : [`    ${short(why)}`]),
  ];
}
