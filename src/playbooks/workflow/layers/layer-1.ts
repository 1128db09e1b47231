// Layer 1: the harness runs build, test, lint and type-check itself and decides by their results. The verifier words what failed; its answer
// decides nothing.
import { z } from 'zod';
import { defineEdit, defineProcedure, editCall, readFacts } from '../../../engine/definitions.ts';
import { ok } from '../../../model/result.ts';
import { resolved } from '../file/state.ts';
import { addedTodos } from '../project/todos.ts';
import { groupInput, send } from '../sessions/dispatch.ts';
import { taskProblems } from '../sessions/session-outputs.ts';
import { VERIFIER } from '../table/assignments.ts';
import { stageResult, type StageResult } from '../table/stage-result.ts';
import { failLine, layer1Checks, layer1Event, withBounds } from './layer-1-checks.ts';
import { verifyReport } from './verify-report.ts';

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
    const checks = layer1Checks(state, config);
    const { todos, at } = await readFacts(run, addedTodos, { docs });
    const verdict =
      checks.length === 0
        ? null
        : await run.do('check', { kind: 'check', purpose: 'layer-1', session: null, checks, goesOn: true });
    const { problems } = await readFacts(run, taskProblems, { scope, maxFiles, docs });
    const found = withBounds(verdict, problems);
    const report = `${docs}verify_report.md`;
    const text = verifyReport({ verdict: found, state, at, todos });
    await run.do('report', { kind: 'write', edit: editCall(writeReport, { path: report, text }), lines: [] });
    const on = layer1Event(found, todos, state);
    if (on === 'layer 1: skipped') return { on, line: '', evidence: null };
    if (on === 'layer 1: pass') return { on, line: 'PASS', evidence: verdict?.evidence ?? null };
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
