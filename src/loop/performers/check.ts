// Checks: the harness runs the commands itself, in the box, and compares with what is known to hold.
import { join } from 'node:path';
import type { ActionOf, Performer } from '../../engine/types.ts';
import { shellLine } from '../../host/process.ts';
import type { Actions } from '../../model/action.ts';
import type { Problem, Verdict } from '../../model/verdict.ts';
import { withTreeCopy } from '../../repos/copy.ts';
import { treeOf } from '../../repos/tree.ts';
import { readBaseline } from '../../verify/baseline.ts';
import type { CheckSandbox } from '../../verify/run-once.ts';
import { runChecks } from '../../verify/checks.ts';
import type { RunContext, RunHost, RunSettings } from '../run-context.ts';
import { baselineFiles } from '../records/baseline.ts';
import { asProblem } from '../nested.ts';
import { violationsOf } from '../records/refusals.ts';
import { keepQuarantine, quarantineOf, showQuarantine } from '../records/quarantine.ts';
import { fileName, processToken } from '../token.ts';
import { repeatable } from './repeatable.ts';

export const checks = (context: RunContext): Performer<ActionOf<Actions, 'check'>, Verdict> => ({
  async perform({ kind: _kind, key: _key, ...ask }, { token, signal }) {
    const tree = await treeOf(context.git);
    if (!tree.ok) {
      const problem = ask.session === null ? null : asProblem(tree.failure);
      return problem === null ? { blocked: tree.failure } : unchecked(problem, context.box.level);
    }
    const baseline = readBaseline(baselineFiles(context).kept);
    if (!baseline.ok) return { blocked: baseline.failure };
    if (ask.checks.length > 0)
      context.notify({
        type: 'checking',
        level: 'routine',
        data: { purpose: ask.purpose, checks: ask.checks.map((c) => c.name) },
      });
    const quarantine = quarantineOf(context);
    if (!quarantine.ok) return { blocked: quarantine.failure };
    let held = quarantine.value;
    const isEnvironment = ask.purpose === 'environment';
    const checked = await runChecks(ask, {
      box: boxOf(context, { token: processToken(context, token), signal, leaveRunning: isEnvironment }),
      io: context.io,
      clock: context.clock,
      root: context.root,
      tree: tree.value,
      baseline: baseline.value,
      scratch: join(context.workspaceDir, 'scratch'),
      evidence: join(context.privateDir, 'evidence', fileName(token)),
      redact: context.redact,
      flaky: {
        reruns: context.config.verification.flakyReruns,
        baselineRuns: context.config.verification.baselineRuns,
        ofFile: context.config.testing.feature,
        quarantine: held,
        withCopy: (of, use) => withTreeCopy(context.git, of, use),
        keep(tests) {
          held = tests;
          keepQuarantine(context, tests);
        },
      },
    });
    const verdict = { ...checked, warnings: [...checked.warnings, ...violationsOf(context, ask.session)] };
    if (ask.session === null) showQuarantine(context, held);
    context.notify({
      type: 'checked',
      level: 'important',
      ...(ask.session === null ? {} : { session: ask.session }),
      data: {
        purpose: ask.purpose,
        holds: verdict.holds,
        checks: verdict.checks.map(({ name, passed, ms }) => ({ name, passed, ms })),
        problems: verdict.problems.map((p) => p.code),
      },
    });
    return verdict;
  },
  probe: repeatable,
});

/** The verdict on work that is not checked, because its problem is known. */
const unchecked = (problem: Problem, sandbox: string): Verdict => ({
  holds: false,
  problems: [problem],
  warnings: [],
  checks: [],
  tests: null,
  regressions: [],
  flaky: [],
  tampering: [],
  sandbox,
  tree: '',
  evidence: null,
  passing: null,
});

const isOpen = (context: RunSettings): boolean => context.config.sandbox.network === 'open';

/** The box of the run as the verifier wants it. Only an environment script may leave a server running. */
const boxOf = (
  context: RunSettings & RunHost,
  how: { readonly token: string; readonly signal: AbortSignal; readonly leaveRunning: boolean },
): CheckSandbox => ({
  level: context.box.level === 'bwrap' && isOpen(context) ? 'bwrap, network open' : context.box.level,
  run: ({ command, env, timeoutMs, reportDir, at, network, keepBytes, floodBytes }) =>
    context.io.effect('check', () =>
      context.box.run({
        argv: shellLine(command),
        ...(at === undefined ? {} : { cwd: at }),
        env,
        token: how.token,
        signal: how.signal,
        wallMs: timeoutMs,
        idleMs: null,
        keepBytes,
        floodBytes,
        writable: at === undefined ? [reportDir] : [reportDir, at],
        network: network === 'host' || isOpen(context),
        leaveRunning: how.leaveRunning,
      }),
    ),
});
