// The wrapper process around agent sessions, one after another: reads orders and writes reports, one per line. It does not outlive its driver:
// when its stdin ends, it ends the agent and itself.
import { flushCompileCache } from 'node:module';
import { openCatalogue, type Catalogue } from '../../host/catalogue.ts';
import { systemClock } from '../../host/clock.ts';
import { realIo } from '../../host/io.ts';
import { endOrphans } from '../../host/process-tree.ts';
import { createRedactor } from '../../host/redact.ts';
import { PROVIDERS, type ProviderName } from '../../model/config.ts';
import { failedSession } from '../failed-session.ts';
import { linesOf } from '../line-reader.ts';
import { toolPolicy } from '../policy.ts';
import type { AgentSession, ToolPolicy } from '../port.ts';
import { openQuotaLedger } from '../quota/ledger.ts';
import { runnerFor } from '../registry.ts';
import { orderLine, readLine, startLine, type WrapperOrder, type WrapperReport } from './protocol.ts';
import { openReplayedTurns, openTurns, type Turns } from './turns.ts';
import { violationDetector } from './violations.ts';

const isProvider = (name: string | undefined): name is ProviderName => PROVIDERS.some((one) => one === name);

/** Serves sessions over stdin and stdout. A function, because adapters are imported from within it and import this file's bundle. */
export async function serve(): Promise<void> {
  /** The adapter that the session will need, given at the start: it is loaded while the driver still prepares the session. */
  const [, , expected] = process.argv;
  if (isProvider(expected))
    runnerFor(expected)
      .then((runner) => (runner.ok ? runner.value.load?.() : null))
      .catch(() => undefined); // what cannot be loaded fails again, and is reported, when the session needs it

  const leave = (): void => void process.stdin.destroy();
  process.stdout.on('error', leave); // EPIPE: the driver has exited
  process.stderr.on('error', leave);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, leave);

  try {
    const lines = linesOf(process.stdin);
    const report = (one: WrapperReport): void => {
      if (process.stdout.writable) process.stdout.write(`${JSON.stringify(one)}\n`);
    };
    for (let start = await lines.next(); start.done !== true; start = await lines.next())
      await serveSession(start.value, lines, report);
    process.exitCode = 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  }
  leave();
  process.stdout.end(() => process.exit());
}

/** Between TERM and KILL for processes that the adapter did not end, milliseconds. */
const GRACE_MS = 500;

/** Serves one session until the driver closes it or exits. The agent is ended in either case. */
async function serveSession(
  start: string,
  lines: AsyncIterator<string>,
  report: (report: WrapperReport) => void,
): Promise<void> {
  const { spec, results, limits, rules, quota: account } = startLine.parse(readLine(start));
  const runner = await runnerFor(spec.agent.provider);
  const isBoxed = spec.box !== undefined;
  const policy = toolPolicy(spec.cwd, spec.mode, { rules: spec.tools, home: spec.env['HOME'], isBoxed });
  const catalogue = await openCatalogue('en');
  const session = runner.ok
    ? await runner.value.open(spec, explained(policy, catalogue))
    : failedSession(runner.failure);
  const [clock, io] = [systemClock, realIo()];
  const shared = {
    session,
    results,
    clock,
    io,
    redact: createRedactor({ ...spec.env, ...spec.agent.env, ...spec.tools?.secrets }),
    onEvent: (turn, event) => report({ report: 'event', turn, event }),
  } satisfies Partial<Parameters<typeof openTurns>[0]>;
  const inject = runner.ok ? runner.value.capabilities.inject : 'none';
  const isLate = runner.ok && runner.value.capabilities.usage === 'partial';
  const turns =
    session.replay === undefined
      ? openTurns({
          ...shared,
          limits,
          violations: violationDetector(policy, spec.cwd),
          ...(rules && { monitor: { rules, inject, adviceText: adviceOf(catalogue) } }),
          ...(account && { quota: openQuotaLedger({ ...account, token: spec.token, isLate }, { io, clock }) }),
        })
      : openReplayedTurns(session.replay, shared);
  const bug = Promise.withResolvers<never>();
  bug.promise.catch(() => undefined); // thrown below, while the next order is awaited
  const next = (): Promise<IteratorResult<string>> => Promise.race([lines.next(), bug.promise]);
  try {
    for (let line = await next(); line.done !== true; line = await next()) {
      const order = orderLine.parse(readLine(line.value));
      if (order.order === 'close') break;
      obey(order, session, turns, report).catch(bug.reject);
    }
  } finally {
    const usage = await turns.close();
    await endOrphans(spec.token, GRACE_MS); // what the adapter did not know of
    // Node does so when a process exits, but a wrapper that is not needed any more is killed.
    flushCompileCache();
    report({ report: 'closed', usage });
  }
}

/** The policy with the reason of each refusal as a sentence for the agent. */
const explained =
  (policy: ToolPolicy, { text }: Catalogue): ToolPolicy =>
  (call) => {
    const verdict = policy(call);
    if (verdict.allow) return verdict;
    const why = text(`tool.${verdict.why}`, verdict.params);
    return { ...verdict, say: text('tool.refused', { rule: verdict.why, why }) };
  };

const adviceOf =
  ({ text }: Catalogue): NonNullable<Parameters<typeof openTurns>[0]['monitor']>['adviceText'] =>
  (say, params) =>
    text('limit.from-harness', { words: text(`limit.${say}`, params) });

/** Starts an order without waiting for its end: an abort must not wait for the turn that it ends. */
async function obey(
  order: Exclude<WrapperOrder, { order: 'close' }>,
  session: AgentSession,
  turns: Turns,
  report: (report: WrapperReport) => void,
): Promise<void> {
  switch (order.order) {
    case 'turn': {
      const { turn } = order;
      const outcome = await turns.run(turn, order.prompt, order.stable);
      if (outcome !== null) report({ report: 'turn', turn, outcome });
      return;
    }
    case 'inject':
      report({ report: 'injected', id: order.id, how: await session.inject(order.text) });
      return;
    case 'abort':
      await turns.abort();
  }
}
