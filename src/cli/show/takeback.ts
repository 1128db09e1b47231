// The screens of `takeback`: the user's commits, and the results of the checks.
import type { Subject } from '../../model/item.ts';
import { nameOfTest } from '../../model/report.ts';
import type { ReturnedWork, TakebackVerdict } from '../../app/handover/takeback.ts';
import type { Verdict } from '../../model/verdict.ts';
import type { Caller } from '../command.ts';
import { oneLine } from './table.ts';

const MOST_SHOWN = 20;

export function showReturnedWork(
  { note, commits, subject, claimed, branch }: ReturnedWork,
  caller: Caller,
): readonly string[] {
  const { text } = caller.catalogue;
  const shown = commits.slice(-MOST_SHOWN);
  return [
    text('takeback.commits', { count: commits.length, since: note.since }),
    ...(commits.length > shown.length ? [`  ${text('ids.more', { count: commits.length - shown.length })}`] : []),
    ...shown.map(({ id, subject: line }) => `  ${id.slice(0, 10)} ${oneLine(line)}`),
    ...(branch === null ? [] : [caller.paint('yellow', text('takeback.branch', { branch, before: note.branch }))]),
    ...(claimed.length === 0
      ? []
      : [text('takeback.claimed', { items: claimed.map(({ id }) => `#${id}`).join(', ') })]),
    subject === null ? text('takeback.no-item') : text('verify.item', { item: subject.id, title: subject.title }),
    ...(subject === null
      ? []
      : [subject.testFile === null ? text('manual.no-file') : text('manual.file', { file: subject.testFile })]),
  ];
}

export function showTakebackVerdict(
  { own, suite, regressions }: TakebackVerdict,
  { subject }: ReturnedWork,
  caller: Caller,
): readonly string[] {
  const { text, problem } = caller.catalogue;
  const verdicts = [...new Set([own, suite])].filter((one): one is Verdict => one !== null);
  const lines = verdicts.flatMap(({ checks }) =>
    checks.map(
      ({ name, command, passed, ms }) =>
        `  ${name}: ${passed ? caller.paint('green', text('verify.ok')) : caller.paint('red', text('verify.failed'))} (${(ms / 1000).toFixed(1)} s)  $ ${oneLine(command)}`,
    ),
  );
  if (verdicts.length === 0) lines.push(text('takeback.unproved'));
  lines.push(...(own?.problems ?? []).flatMap((one) => problem(one).split('\n')));
  if (regressions.length > 0) {
    lines.push(text('verify.regressions', { count: regressions.length }));
    lines.push(...regressions.slice(0, MOST_SHOWN).map((id) => `  ${nameOfTest(id)}`));
    if (regressions.length > MOST_SHOWN)
      lines.push(`  ${text('ids.more', { count: regressions.length - MOST_SHOWN })}`);
  }
  if (own !== null && subject !== null)
    lines.push(
      caller.paint(
        own.holds ? 'green' : 'red',
        text(own.holds ? 'verify.item-passed' : 'verify.item-failed', { item: subject.id }),
      ),
    );
  return lines;
}

/** What no test covers; the user confirms it. */
export const manualChecksOf = ({ manualChecks }: Subject, { catalogue }: Caller): readonly string[] =>
  manualChecks.map((check) => catalogue.text('manual.check', { check }));
