// Who begins a session: the role's own agent, or one that stands in for it while its provider's quota is nearly used up or its
// provider refuses. What is known of accounts is shared by all runs of a person (src/agents/quota).
import { closeAccount, readBook, tidyBook, type Account } from '../../agents/quota/book.ts';
import type { ActionOf, Performer } from '../../engine/types.ts';
import { agentEnvironment } from '../../host/environment.ts';
import type { Actions, ChooseAgentAsk, ChooseAgentOutcome } from '../../model/action.ts';
import type { AgentConfig } from '../../model/config.ts';
import { failure, type Failure, type Params } from '../../model/failure.ts';
import { chooseAgent, CLOSED, type Chosen, type QuotaWindow } from '../../model/quota.ts';
import { restMs } from '../../model/retry.ts';
import { accountIn, agentsOf, isReady } from '../agent.ts';
import type { Lane } from '../lane.ts';
import { keepAccounts } from '../records/accounts.ts';
import { repeatable } from './repeatable.ts';

type Candidate = { readonly number: number; readonly config: AgentConfig; readonly account: Account };

export const choosesAgents = (lane: Lane): Performer<ActionOf<Actions, 'choose-agent'>, ChooseAgentOutcome> => ({
  async perform(ask) {
    // One agent's words are on a tape, and nothing is asked of a provider when they are played.
    if (lane.tape !== null) return { agent: 0, wall: ask.refused?.failure ?? null };
    const all = candidatesFor(lane, ask);
    const now = lane.clock.now();
    keepAccounts(
      lane,
      all.map(({ config: { provider }, account }) => ({ provider, ...account })),
    );
    if (ask.refused !== null) close(lane, all[ask.refused.agent], ask.refused.failure, now);
    const choose = (candidates: readonly Candidate[]): Chosen =>
      chooseAgent(
        candidates.map(({ account }) => readBook(account, now, unheeded(lane))),
        lane.config.quota,
      );
    for (const { account } of all) tidyBook(account, now);
    const first = choose(all);
    if (first.agent === 0) return { agent: 0, wall: null };
    const here = await readyOnes(all);
    const chosen = choose(here);
    const stands = chosen.agent === null ? undefined : here[chosen.agent];
    if (chosen.agent === null || stands === undefined) return { agent: 0, wall: wallOf(ask, here, chosen, now) };
    // Of a refusal in the middle the next session tells, which begins with somebody else.
    if (chosen.instead !== null && ask.refused === null)
      tell(lane, ask, { first: all[0], stands, window: chosen.instead });
    return { agent: stands.number, wall: null };
  },
  probe: repeatable,
});

/** An agent whose variables cannot be filled in fails when its session is begun, where that is told. */
const candidatesFor = (lane: Lane, { role }: ChooseAgentAsk): readonly Candidate[] =>
  agentsOf(lane.config, role).map((config, number) => {
    const env = agentEnvironment(config.env);
    return { number, config, account: accountIn(lane, config, env.ok ? env.value : {}) };
  });

/** Somebody who is not installed stands in for nobody; the role's own agent is told about when its session is begun. */
async function readyOnes(all: readonly Candidate[]): Promise<readonly Candidate[]> {
  const ready = await Promise.all(all.map(async ({ number, config }) => number === 0 || (await isReady(config)).ok));
  return all.filter((_, n) => ready[n]);
}

const ownName = (lane: Lane): string => `${CLOSED} ${lane.privateDir}`;

/** Without anybody to stand in, a run that was refused rests as long as it was told: afterwards it asks again. */
const unheeded = (lane: Lane): string => (lane.config.agents.fallback.length === 0 ? ownName(lane) : '');

/** What a person has to mend is not tried again every few minutes. */
const MENDING_MS = 3_600_000;

function close(lane: Lane, refused: Candidate | undefined, why: Failure, now: number): void {
  if (refused === undefined) return;
  const until = new Date(now + (why.policy === 'needs-human' ? MENDING_MS : restMs(why, 1))).toISOString();
  closeAccount(lane.io, refused.account, ownName(lane), { until, now });
}

function wallOf(
  { refused }: ChooseAgentAsk,
  candidates: readonly Candidate[],
  chosen: Chosen,
  now: number,
): Failure | null {
  if (refused !== null) return refused.failure;
  if (chosen.agent !== null) return null;
  const { window, used, resetsAt } = chosen.window;
  const waits: Params = resetsAt === null ? {} : { retryAfterMs: Math.max(0, Date.parse(resetsAt) - now) };
  const provider = candidates[chosen.soonest]?.config.provider ?? '';
  return failure('agent-quota-near', { provider, window, percent: percentOf(used), ...waits });
}

const percentOf = (used: number): number => Math.min(100, Math.floor(used * 100));

function tell(
  lane: Lane,
  { role, session, item }: ChooseAgentAsk,
  {
    first,
    stands,
    window,
  }: { readonly first: Candidate | undefined; readonly stands: Candidate; readonly window: QuotaWindow },
): void {
  lane.tell({
    type: 'agent-stands-in',
    level: 'important',
    session,
    ...(item === null ? {} : { item }),
    data: {
      role,
      agent: stands.config.provider,
      for: first?.config.provider ?? '',
      window: window.window,
      percent: percentOf(window.used),
      until: window.resetsAt,
    },
  });
}
