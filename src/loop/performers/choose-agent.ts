// The agent of a session: the role's own, or a fallback while the provider's quota is nearly used up or the provider refuses.
// Quota ledgers are shared by all runs of a user (src/agents/quota).
import { closeAccount, readQuotaWindows, removeExpiredPages, type Account } from '../../agents/quota/ledger.ts';
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { ChooseAgentAsk, ChooseAgentOutcome } from '../../model/choose-agent.ts';
import type { AgentConfig } from '../../model/config.ts';
import { failure, type Failure, type Params } from '../../model/failure.ts';
import { chooseAgent, CLOSED, percentOf, type Chosen, type QuotaWindow } from '../../model/quota.ts';
import { restMs } from '../../model/retry.ts';
import { accountIn, agentsOf, isReady } from '../agent.ts';
import type { RunContext, RunEvents, RunHost, RunRepository, RunSettings } from '../run-context.ts';
import { keepAccounts } from '../records/accounts.ts';
import { repeatable } from './repeatable.ts';

type Candidate = {
  readonly number: number;
  readonly config: AgentConfig;
  readonly account: Account;
  /** Of its account, now. */
  readonly windows: readonly QuotaWindow[];
};

/** `probe`: whether an agent could be started here. */
export const choosesAgents = (
  context: RunContext,
  probe: typeof isReady = isReady,
): Performer<ActionOf<Actions, 'choose-agent'>, ChooseAgentOutcome> => ({
  async perform(ask) {
    // One agent's words are on a tape, and nothing is asked of a provider when they are played.
    if (context.tape !== null) return { agent: 0, wall: ask.refused?.failure ?? null };
    const now = context.clock.now();
    if (ask.refused !== null)
      close(context, agentsOf(context.config, ask.role)[ask.refused.agent], ask.refused.failure, now);
    const all = candidatesFor(context, ask, now);
    keepAccounts(
      context,
      all.map(({ config: { provider }, account }) => ({ provider, ...account })),
    );
    for (const { account } of all) removeExpiredPages(account, now);
    if (choose(context, all).agent === 0) return { agent: 0, wall: null };
    const here = await readyOnes(all, probe);
    const chosen = choose(context, here);
    if (chosen.agent === null) {
      const wall = ask.refused?.failure ?? nearEnd(here[chosen.soonest], chosen.window, now);
      return { agent: 0, wall };
    }
    const candidate = here[chosen.agent];
    // After a refusal during a session the next session, with another agent, reports it.
    if (chosen.instead !== null && ask.refused === null)
      notifyFallback(context, ask, { first: all[0], fallback: candidate, window: chosen.instead });
    return { agent: candidate?.number ?? 0, wall: null };
  },
  probe: repeatable,
  isJudging: true,
});

const candidatesFor = (
  context: RunRepository & RunSettings,
  { role }: ChooseAgentAsk,
  now: number,
): readonly Candidate[] =>
  agentsOf(context.config, role).map((config, number) => {
    const account = accountIn(context, config);
    return { number, config, account, windows: readQuotaWindows(account, now, ownRefusals(context)) };
  });

const choose = ({ config }: RunSettings, candidates: readonly Candidate[]): Chosen =>
  chooseAgent(
    candidates.map(({ windows }) => windows),
    config.quota,
  );

/** An agent that is not installed is no fallback; for the role's own agent the start of the session fails. */
async function readyOnes(all: readonly Candidate[], probe: typeof isReady): Promise<readonly Candidate[]> {
  const ready = await Promise.all(all.map(async ({ number, config }) => number === 0 || (await probe(config)).ok));
  return all.filter((_, n) => ready[n]);
}

const ownName = (context: RunRepository): string => `${CLOSED} ${context.privateDir}`;

/** Without a fallback, a run that was refused waits as long as the provider says, then tries again. */
const ownRefusals = (context: RunRepository & RunSettings): string =>
  context.config.agents.fallback.length === 0 ? ownName(context) : '';

/** Only a user can fix this: it is not retried every few minutes. */
const UNFIXED_RETRY_MS = 3_600_000;

function close(
  context: RunRepository & RunSettings & RunHost,
  refused: AgentConfig | undefined,
  why: Failure,
  now: number,
): void {
  if (refused === undefined) return;
  const until = new Date(now + (why.policy === 'needs-human' ? UNFIXED_RETRY_MS : restMs(why, 1))).toISOString();
  closeAccount(context.io, accountIn(context, refused), ownName(context), { until, now });
}

function nearEnd(candidate: Candidate | undefined, window: QuotaWindow, now: number): Failure {
  const { window: name, resetsAt } = window;
  const waits: Params = resetsAt === null ? {} : { retryAfterMs: Math.max(0, Date.parse(resetsAt) - now) };
  const provider = candidate?.config.provider ?? '';
  return failure('agent-quota-near', { provider, window: name, percent: percentOf(window), ...waits });
}

function notifyFallback(
  context: RunEvents,
  { role, session, item }: ChooseAgentAsk,
  who: {
    readonly first: Candidate | undefined;
    readonly fallback: Candidate | undefined;
    readonly window: QuotaWindow;
  },
): void {
  const { first, fallback, window } = who;
  context.notify({
    type: 'agent-stands-in',
    level: 'important',
    session,
    ...(item === null ? {} : { item }),
    data: {
      role,
      agent: fallback?.config.provider ?? '',
      for: first?.config.provider ?? '',
      window: window.window,
      percent: percentOf(window),
      until: window.resetsAt,
    },
  });
}
