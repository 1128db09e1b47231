// Checks: the harness runs the commands itself, in the box, and compares with what is known to hold.
import { join } from 'node:path';
import type { ActionOf, Performer } from '../../engine/types.ts';
import { shellLine } from '../../host/process.ts';
import type { Actions } from '../../model/action.ts';
import type { Problem, Verdict } from '../../model/verdict.ts';
import { withTreeCopy } from '../../repos/copy.ts';
import { treeOf } from '../../repos/tree.ts';
import { readBaseline } from '../../verify/baseline.ts';
import type { Box } from '../../verify/box.ts';
import { runChecks } from '../../verify/checks.ts';
import type { RunContext } from '../run-context.ts';
import { baselineFiles } from '../records/baseline.ts';
import { asProblem } from '../nested.ts';
import { violationsOf } from '../records/refusals.ts';
import { keepQuarantine, quarantineOf, showQuarantine } from '../records/quarantine.ts';
import { fileName } from '../token.ts';
import { repeatable } from './repeatable.ts';

export const checks = (lane: RunContext): Performer<ActionOf<Actions, 'check'>, Verdict> => ({
  async perform({ kind: _kind, key: _key, ...ask }, { token, signal }) {
    const tree = await treeOf(lane.git);
    if (!tree.ok) {
      const problem = ask.session === null ? null : asProblem(tree.failure);
      return problem === null ? { blocked: tree.failure } : unchecked(problem, lane.box.level);
    }
    const files = baselineFiles(lane);
    // While a session is open only the private copy counts: the one people read lies where an agent writes.
    const baseline = readBaseline(ask.session === null ? files.shown : files.kept);
    if (!baseline.ok) return { blocked: baseline.failure };
    if (ask.checks.length > 0)
      lane.tell({
        type: 'checking',
        level: 'routine',
        data: { purpose: ask.purpose, checks: ask.checks.map((c) => c.name) },
      });
    const quarantine = quarantineOf(lane);
    if (!quarantine.ok) return { blocked: quarantine.failure };
    let held = quarantine.value;
    const isEnvironment = ask.purpose === 'environment';
    const checked = await runChecks(ask, {
      box: boxOf(lane, { token, signal, leaveRunning: isEnvironment }),
      io: lane.io,
      clock: lane.clock,
      root: lane.root,
      tree: tree.value,
      baseline: baseline.value,
      scratch: join(lane.privateDir, 'scratch'),
      evidence: join(lane.privateDir, 'evidence', fileName(token)),
      redact: lane.redact,
      flaky: {
        reruns: lane.config.verification.flakyReruns,
        baselineRuns: lane.config.verification.baselineRuns,
        ofFile: lane.config.testing.feature,
        quarantine: held,
        withCopy: (of, use) => withTreeCopy(lane.git, of, use),
        keep(tests) {
          held = tests;
          keepQuarantine(lane, tests);
        },
      },
    });
    const verdict = { ...checked, warnings: [...checked.warnings, ...violationsOf(lane, ask.session)] };
    if (ask.session === null) showQuarantine(lane, held);
    lane.tell({
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

/** Work that is not even looked at: what is wrong with it is known. */
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

const isOpen = (lane: RunContext): boolean => lane.config.sandbox.network === 'open';

/** The lane's box as the verifier wants it. An environment script may leave a server behind; nothing else may. */
const boxOf = (
  lane: RunContext,
  how: { readonly token: string; readonly signal: AbortSignal; readonly leaveRunning: boolean },
): Box => ({
  level: lane.box.level === 'bwrap' && isOpen(lane) ? 'bwrap, network open' : lane.box.level,
  run: ({ command, env, timeoutMs, reportDir, at, network, keepBytes, floodBytes }) =>
    lane.io.effect('check', () =>
      lane.box.run({
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
        network: network === 'host' || isOpen(lane),
        leaveRunning: how.leaveRunning,
      }),
    ),
});
