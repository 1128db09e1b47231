// The conversation of the wrapper process with the driver: orders come in by line, reports go out by line.
import type { Clock } from '../../host/clock.ts';
import type { Io } from '../../host/io.ts';
import { openCatalogue } from '../../host/catalogue.ts';
import { endOrphans } from '../../host/process-tree.ts';
import { absentSession } from '../absent.ts';
import { lanePolicy } from '../policy.ts';
import { openBook } from '../quota/book.ts';
import type { AgentRunner, AgentSession } from '../port.ts';
import type { Result } from '../../model/result.ts';
import type { ProviderName } from '../../model/config.ts';
import { orderLine, readLine, startLine, type Order, type Report } from './protocol.ts';
import type { Redact } from './recorder.ts';
import { advice, told } from './told.ts';
import { openPlayed } from './played.ts';
import { openTurns, type Turns } from './turns.ts';
import { openWatch } from './watch.ts';

export type WrapperOptions = {
  readonly lines: AsyncIterable<string>;
  readonly report: (report: Report) => void;
  readonly runnerFor: (provider: ProviderName) => Promise<Result<AgentRunner>>;
  readonly redactorFor: (env: { readonly [name: string]: string }) => Redact;
  readonly clock: Clock;
  readonly io: Io;
};

const GRACE_MS = 500;

/** Serves one session until the driver closes it or is gone. The agent is ended in either case. */
export async function serveSession(options: WrapperOptions): Promise<void> {
  const lines = options.lines[Symbol.asyncIterator]();
  const first = await lines.next();
  if (first.done === true) return;
  const { spec, results, limits, rules: monitored, quota: account } = startLine.parse(readLine(first.value));
  const runner = await options.runnerFor(spec.agent.provider);
  const rules = lanePolicy(spec.cwd, spec.mode, spec.tools, spec.env['HOME']);
  const catalogue = await openCatalogue('en');
  const policy = told(rules, catalogue);
  const session = runner.ok ? await runner.value.open(spec, policy) : absentSession(runner.failure);
  const redact = options.redactorFor({ ...spec.env, ...spec.agent.env, ...spec.tools?.secrets });
  const watch = openWatch(rules, spec.cwd);
  const onEvent: Parameters<typeof openTurns>[0]['onEvent'] = (turn, event) =>
    options.report({ report: 'event', turn, event });
  const monitor = monitored && {
    rules: monitored,
    inject: runner.ok ? runner.value.capabilities.inject : ('none' as const),
    words: advice(catalogue),
  };
  const { clock, io } = options;
  const quota =
    account &&
    openBook(
      { ...account, token: spec.token, isLate: runner.ok && runner.value.capabilities.usage === 'partial' },
      { io, clock },
    );
  const more = { ...(monitor && { monitor }), ...(quota && { quota }) };
  const common = { session, results, clock, io, redact, onEvent };
  const { replay } = session;
  const turns = replay === undefined ? openTurns({ ...common, limits, watch, ...more }) : openPlayed(replay, common);
  const bug = Promise.withResolvers<never>();
  bug.promise.catch(() => undefined); // thrown below, when the next order is waited for
  const next = (): Promise<IteratorResult<string>> => Promise.race([lines.next(), bug.promise]);
  try {
    for (let line = await next(); line.done !== true; line = await next()) {
      const order = orderLine.parse(readLine(line.value));
      if (order.order === 'close') break;
      obey(order, session, turns, options.report).catch(bug.reject);
    }
  } finally {
    const usage = await turns.close();
    await endOrphans(spec.token, GRACE_MS); // whatever the adapter did not know of
    options.report({ report: 'closed', usage });
  }
}

/** Orders are begun here and end by themselves: an abort must not wait for the turn it is to end. */
async function obey(
  order: Exclude<Order, { order: 'close' }>,
  session: AgentSession,
  turns: Turns,
  report: (report: Report) => void,
): Promise<void> {
  switch (order.order) {
    case 'turn': {
      const { turn } = order;
      const outcome = await turns.run(turn, order.prompt);
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
