// The final screen of a run: results, evidence, cost, and the next item.
import type { RunSummary } from '../../app/run/run-summary.ts';
import type { ItemOutcome } from '../../model/action.ts';
import type { Failure } from '../../model/failure.ts';
import type { Gate } from '../../model/gate.ts';
import type { Caller } from '../command.ts';
import { mergeCommand } from '../../app/look/unmerged.ts';
import { nameOfItem } from './gates.ts';
import { proofLine } from './proof.ts';
import { oneLine } from './table.ts';
import type { DryRun } from '../../app/run/dry-run.ts';

export function showRun(summary: RunSummary, caller: Caller): readonly string[] {
  const { text, outcome, problem } = caller.catalogue;
  const { report, gate, usage, next } = summary;
  const lines: string[] = [];
  for (const i of report.items) {
    const why = whyOf(i, caller);
    const isAside = report.left.some(({ item, reason }) => item === i.id && reason === i.reason);
    const isPhaseDone = i.result === 'partial' && PHASE_DONE.test(i.reason);
    const shownAs = isPhaseDone ? 'phase' : isLanded(i) ? 'landed' : isAside ? 'aside' : shown(i.result);
    const head = text(`result.${shownAs}`, { item: i.id, reason: why });
    lines.push(`${isLanded(i) || isPhaseDone ? '✓' : '✗'} ${text('run.session', { session: i.session })}  ${head}`);
    for (const p of i.problems)
      lines.push(
        ...problem(p)
          .split('\n')
          .map((line) => `    ${line}`),
      );
    const said = summary.words.get(i.session);
    if (said !== undefined) lines.push(`    ${text('run.said', { words: oneLine(said) })}`);
    if (i.commit !== null && isLanded(i)) lines.push(`    ${text('run.commit', { commit: i.commit.slice(0, 10) })}`);
    if (i.evidence !== null) lines.push(`    ${text('run.evidence', { evidence: i.evidence })}`);
    // Landed, but the push was refused: how to fix it.
    if (i.failure !== null && isLanded(i)) lines.push(...failureLines(i.failure, caller).map((line) => `    ${line}`));
  }
  const isReported = summary.failure !== null && (report.result === 'blocked' || report.result === 'failed');
  if (summary.idle !== null) lines.push(text(summary.idle.text, { file: summary.idle.file }));
  else if (gate?.item === null) lines.push(text('result.gate-of-run', { reason: outcome(report.reason) }));
  else if (!isReported && (report.items.length === 0 || ['gate', 'done', 'limit'].includes(report.result)))
    lines.push(text(`result.${report.result}`, { item: gate?.item ?? '', reason: outcome(report.reason) }));
  if (summary.canContinue) lines.push(...DONE_THEN.map((key) => text(key)));
  if (gate !== null) {
    const asked = caller.catalogue.gate(gate);
    lines.push('', `${asked.header}${inBrackets(gate)}  ${asked.question}`);
    for (const o of asked.options)
      lines.push(`  ${o.id === gate.recommended ? '*' : ' '} ${o.id.padEnd(10)} ${o.description}`);
    lines.push(`  → harness answer ${gate.id} ${gate.recommended}`);
  }
  for (const other of summary.asked)
    if (other.id !== gate?.id)
      lines.push(
        '',
        `${caller.catalogue.gate(other).header}${inBrackets(other)}`,
        `  → harness gates show ${other.id}`,
      );
  if (report.left.length > 0 && report.items.length > 1)
    lines.push('', text('run.left', { items: named(report.left) }));
  const tokens = usage.inputTokens + usage.outputTokens;
  const money = usage.costUsd === null ? text('cost.unknown') : text('cost.usd', { usd: usage.costUsd.toFixed(2) });
  if (report.items.length > 0) lines.push('', text('run.cost', { tokens, money }));
  lines.push(...branchLines(summary.branch, caller));
  if (!isReported && report.result !== 'done' && next.item !== null)
    lines.push(text('run.next', { item: next.item, prompt: next.prompt }));
  lines.push(...tapeLines(report.tape, caller));
  return lines;
}

/** What waits to be merged, and how that is done. */
function branchLines(branch: RunSummary['branch'], { catalogue: { text } }: Caller): readonly string[] {
  if (branch === null) return [];
  const { branch: name, commits, behind } = branch;
  return [
    text('run.branch', { branch: name, count: commits }),
    ...(behind > 0 ? [text('run.branch-behind', { count: behind })] : []),
    `  → ${mergeCommand(branch)}`,
  ];
}

/** It ended where it was asked to: the next phase is another session. */
const PHASE_DONE = /(?:^|-)phase(?:-done)?$/;

const inBrackets = (gate: Gate): string => (gate.item === null ? '' : ` (${nameOfItem(gate)})`);

/** What can be done with a project that is done. */
const DONE_THEN = ['result.done-maintain', 'result.done-add'] as const;

const named = (left: RunSummary['report']['left']): string => left.map(({ item }) => `#${item}`).join(', ');

/** What a landing rests on; otherwise why the item ended as it did. */
function whyOf(i: RunSummary['report']['items'][number], caller: Caller): string {
  const { outcome, failure } = caller.catalogue;
  if (i.failure && !isLanded(i)) return failure(i.failure).title.replace(/\.$/, '');
  if (i.proof === undefined) return outcome(i.reason);
  const proof = proofLine(i.proof, caller);
  return i.result === 'landed' ? proof : `${outcome(i.reason)} (${proof})`;
}

/** The recorded cassette, or that the replay matched it. */
function tapeLines(tape: RunSummary['report']['tape'], { catalogue: { text } }: Caller): readonly string[] {
  if (tape === undefined) return [];
  const { cassette, turns } = 'replay' in tape ? tape.replay : tape.recording;
  return [text('replay' in tape ? 'run.replayed' : 'run.recorded', { file: cassette, count: turns })];
}

/** Also on a person's word. */
const isLanded = ({ result, commit }: Pick<ItemOutcome, 'result' | 'commit'>): boolean =>
  result === 'landed' || (result === 'unproved' && commit !== null);

function failureLines(failure: Failure, caller: Caller): readonly string[] {
  const { title, why, fix, causes } = caller.catalogue.failure(failure);
  return [
    title,
    ...causes.map((cause) => `  ${cause}`),
    ...(why === '' ? [] : why.split('\n').map((line) => `  ${line}`)),
    ...fix.map((step) => `  → ${step}`),
  ];
}

const RESULTS = ['landed', 'partial', 'failed', 'rejected', 'gate', 'blocked', 'paused', 'skipped'] as const;
const shown = (result: string): (typeof RESULTS)[number] => RESULTS.find((known) => known === result) ?? 'blocked';

export function showDryRun(plan: DryRun, caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  if (plan.item === null) return [text('dry.nothing')];
  return [
    text('dry.would', { session: plan.session }),
    `  ${text('dry.role')}: ${plan.role}`,
    `  ${text('dry.item')}: #${plan.item} ${plan.title}`,
    ...(plan.testFile === null ? [] : [`  ${text('dry.test')}: ${plan.testFile}`]),
    '',
    text('dry.prompt'),
    '',
    plan.prompt.trimEnd(),
    '',
    text('dry.unchanged'),
  ];
}
