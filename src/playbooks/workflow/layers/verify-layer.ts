// Layer 1 (reference 004, Step 5): the harness runs build, test, lint and type check itself and decides by their results. The verifier
// words what failed; what it says decides nothing.
import type { Run } from '../../../engine/types.ts';
import type { Actions } from '../../../model/action.ts';
import type { Config } from '../../../model/config.ts';
import type { Problem } from '../../../model/verdict.ts';
import { ask } from '../../session/asks.ts';
import type { Came } from '../table/came.ts';
import { send } from '../sessions/dispatch.ts';
import type { Dispatch } from '../sessions/one-session.ts';
import type { Todo } from '../project/todos.ts';
import { VERIFIER } from '../table/sessions.ts';
import { failLine, layer1Checks, layer1Event, withBounds } from './layer-1.ts';
import { verifyReport } from './verify-report.ts';

type R = Run<Actions>;
type Input = Pick<Dispatch, 'item' | 'stage' | 'session' | 'state'>;

export async function layer1(run: R, input: Input, config: Config): Promise<Came> {
  const { state } = input;
  const checks = layer1Checks(state, config);
  const { todos, at } = await ask<{ readonly todos: readonly Todo[]; readonly at: string }>(run, 'todos', {
    docs: state.docs_path,
  });
  const verdict =
    checks.length === 0
      ? null
      : await run.do('check', { kind: 'check', purpose: 'layer-1', session: null, checks, goesOn: true });
  const { problems: beyond } = await ask<{ readonly problems: readonly Problem[] }>(run, 'bounds', {
    scope: state.scope,
    maxFiles: state.max_files,
    docs: state.docs_path,
  });
  const found = withBounds(verdict, beyond);
  const report = `${state.docs_path}verify_report.md`;
  const text = verifyReport({ verdict: found, state, at, todos });
  await run.do('report', { kind: 'write', edit: { name: 'texts', input: { [report]: text } }, lines: [] });
  const on = layer1Event(found, todos, state);
  const evidence = verdict?.evidence ?? null;
  if (on !== 'layer 1: fail')
    return { on, line: on === 'layer 1: pass' ? 'PASS' : '', evidence: on === 'layer 1: pass' ? evidence : null };
  const own = failLine(found, todos);
  const worded = await send(
    run.scope('words'),
    { ...input, specs: [VERIFIER], attempt: 1, retry: { line: own, report }, note: '' },
    config,
  );
  // It decides nothing: where there is no money left for its words, the harness has its own.
  if ('over' in worded) return { on, line: own, evidence: null };
  const [said] = worded.returned;
  // Only a word of failure can stand for one.
  const line = worded.outage === null && said?.keyword === 'FAIL' ? said.line : own;
  return { on, line, sessions: 1, usage: worded.usage, evidence: null };
}
