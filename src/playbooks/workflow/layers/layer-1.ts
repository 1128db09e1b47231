// Layer 1: the harness runs build, test, lint and type-check itself and decides by their results. The verifier words what failed; its answer
// decides nothing.
import { z } from 'zod';
import { defineEdit, defineProcedure, editCall, readFacts } from '../../../engine/definitions.ts';
import { ok } from '../../../model/result.ts';
import { resolved, type WorkflowState } from '../file/state.ts';
import { addedTodos, type Todo } from '../project/todos.ts';
import { groupInput, send } from '../sessions/dispatch.ts';
import { taskProblems } from '../sessions/session-outputs.ts';
import { VERIFIER } from '../table/assignments.ts';
import { stageResult, type StageResult } from '../table/stages.ts';
import {
  failLine,
  layer1Checks,
  layer1Event,
  withBounds,
  withExit,
  checkRows,
  failureText,
  otherProblems,
  type CheckRow,
  type Layer1Findings,
} from './layer-1-checks.ts';
import { code, fenced, plain, problemLine } from '../../session/quote.ts';
import { proofOf } from '../../session/proof.ts';
import { strengthOfLayer1, testsOf } from './prove.ts';
import { filesNamedIn } from '../paths/named-files.ts';

export type VerifyReportInput = {
  readonly verdict: Layer1Findings;
  readonly state: WorkflowState;
  /** ISO 8601. */
  readonly at: string;
  readonly todos: readonly Todo[];
};

const VERDICTS = { 'layer 1: pass': 'PASS', 'layer 1: fail': 'FAIL', 'layer 1: skipped': 'SKIPPED' } as const;
const MAX_FILES = 20;
const MAX_TODOS = 50;

/**
 * The text of verify_report.md: results, exit codes, the end of failed output, the files that it names, new TODOs, and the verdict in the last
 * line.
 */
export function verifyReport({ verdict, state, at, todos }: VerifyReportInput): string {
  const rows = checkRows(verdict, state);
  const failed = rows.filter(({ result }) => result === 'FAIL');
  const outcome = VERDICTS[layer1Event(verdict, todos, state)];
  const parts = [
    '# Verify report (Layer 1)',
    `Task: ${plain(state.task, 100)}\nRound: ${state.round} / ${state.max_rounds}\nAt: ${at}`,
    ['| Check | Result | Exit code | Command |', '| --- | --- | --- | --- |', ...rows.map(rowLine)].join('\n'),
    ...failed.map(failedPart),
    ...otherPart(verdict),
    ...failingPart(failed),
    todoPart(todos, state.verify.todo_blocking),
    `### Verdict: ${outcome}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

function rowLine({ name, command, result, check }: CheckRow): string {
  const exit = check === null ? '–' : (check.exit ?? 'none');
  const said = command === null ? 'no command' : code(command, 200).replaceAll('|', '\\|');
  return `| ${name} | ${result} | ${exit} | ${said}${command !== null && check === null ? ' (not run)' : ''} |`;
}

function failedPart({ check }: CheckRow): string {
  if (check === null) return '';
  const tail = readable(check.tail);
  const end = tail.trim() === '' ? 'It printed nothing.' : `The end of its output:\n\n${fenced(tail)}`;
  return `## FAIL ${failureText(check)}\n\n${end}`;
}

/** Without colours and other control characters. */
const readable = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex
    .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .toWellFormed();

function otherPart(verdict: Layer1Findings): readonly string[] {
  const others = otherProblems(verdict);
  return others.length === 0 ? [] : [`## Other problems\n\n${others.map((one) => problemLine(one, 200)).join('\n')}`];
}

function failingPart(failed: readonly CheckRow[]): readonly string[] {
  if (failed.length === 0) return [];
  const named = filesNamedIn(failed.map(({ check }) => readable(check?.tail ?? '')).join('\n'));
  const sure = named.filter(({ isSure }) => isSure).slice(0, MAX_FILES);
  const lines = sure.length === 0 ? ['The output names none.'] : sure.map(({ path }) => `- ${code(path, 200)}`);
  return [`## Failing files\n\n${lines.join('\n')}`];
}

function todoPart(todos: readonly Todo[], isBlocking: boolean): string {
  if (todos.length === 0) return '## TODO/FIXME\n\nNo new ones.';
  const lines = todos
    .slice(0, MAX_TODOS)
    .map(({ path, line, text }) => `- ${code(`${path}:${line}`, 100)} ${plain(text, 60)}`);
  const more = todos.length > MAX_TODOS ? [`- and ${todos.length - MAX_TODOS} more`] : [];
  const says = isBlocking ? `${todos.length} new, which is a FAIL.` : `${todos.length} new, which do not fail Layer 1.`;
  return `## TODO/FIXME\n\n${says}\n\n${[...lines, ...more].join('\n')}`;
}

const writeReport = defineEdit({
  id: 'workflow.report',
  input: z.object({ path: z.string(), text: z.string() }),
  texts: (_context, { path, text }) => Promise.resolve(ok({ [path]: text })),
});

export const layer1 = defineProcedure({
  id: 'workflow.layer-1',
  input: groupInput.pick({ item: true, stage: true, session: true, file: true }),
  output: stageResult,
  async perform(run, { item, stage, session, file }, config): Promise<StageResult> {
    const state = resolved(file);
    const { docs_path: docs, scope, max_files: maxFiles } = state;
    const tests = await testsOf(run, state);
    const checks = layer1Checks(state, config, tests);
    const { todos, at } = await readFacts(run, addedTodos, { docs });
    const verdict =
      checks.length === 0
        ? null
        : withExit(await run.do('check', { kind: 'check', purpose: 'layer-1', session: null, checks, goesOn: true }));
    const { problems } = await readFacts(run, taskProblems, { scope, maxFiles, docs });
    const strength =
      verdict?.holds === true && problems.length === 0
        ? await strengthOfLayer1(run, { item, session, verdict, checks, tests }, config)
        : null;
    const found = withBounds(verdict, [...problems, ...(strength?.problems ?? [])]);
    const report = `${docs}verify_report.md`;
    const text = verifyReport({ verdict: found, state, at, todos });
    await run.do('report', { kind: 'write', edit: editCall(writeReport, { path: report, text }), lines: [] });
    const on = layer1Event(found, todos, state);
    if (on === 'layer 1: skipped') return { on, line: '', evidence: null };
    if (on === 'layer 1: pass') {
      const { tree = '', evidence = null } = verdict ?? {};
      const proof = proofOf({ verdict: { checks: verdict?.checks ?? [] }, strength });
      return { on, line: 'PASS', evidence, proved: { proof, doubts: strength?.doubts ?? [], tree } };
    }
    const own = failLine(found, todos);
    const group = { item, stage, session, file, assignments: [VERIFIER], attempt: 1, note: '' };
    const sent = await send(run.scope('words'), { ...group, retry: { line: own, report } }, config);
    // Where there is no budget left for the verifier, the harness words it.
    if ('over' in sent) return { on, line: own, evidence: null };
    const [first] = sent.returned;
    // Only a line that says FAIL is used for a failure.
    const line = sent.outage === null && first?.keyword === 'FAIL' ? first.line : own;
    return { on, line, sessions: 1, usage: sent.usage, evidence: null };
  },
});
