// Who begins a session: the role's own agent, or one that stands in for it while its provider's quota is nearly used up or its
// provider refuses. What is known of accounts is shared by all runs of a person (src/agents/quota).
import { closeAccount, readBook, tidyBook, type Account } from '../../agents/quota/book.ts';
import type { ActionOf, Performer } from '../../engine/types.ts';
import { agentEnvironment } from '../../host/environment.ts';
import type { Actions, ChooseAgentAsk, ChooseAgentOutcome } from '../../model/action.ts';
import type { AgentConfig } from '../../model/config.ts';
import { failure, type Failure, type Params } from '../../model/failure.ts';
import { chooseAgent, CLOSED, type QuotaWindow } from '../../model/quota.ts';
import { restMs } from '../../model/retry.ts';
import { accountIn, agentsOf } from '../agent.ts';
import type { Lane } from '../lane.ts';
import { keepAccounts } from '../records/accounts.ts';
import { repeatable } from './repeatable.ts';

type Candidate = { readonly config: AgentConfig; readonly account: Account };

export const choosesAgents = (lane: Lane): Performer<ActionOf<Actions, 'choose-agent'>, ChooseAgentOutcome> => ({
  perform(ask) {
    // One agent's words are on a tape, and nothing is asked of a provider when they are played.
    if (lane.tape !== null) return Promise.resolve({ agent: 0, wall: ask.refused?.failure ?? null });
    const candidates = candidatesFor(lane, ask);
    const now = lane.clock.now();
    keepAccounts(
      lane,
      candidates.map(({ config: { provider }, account }) => ({ provider, ...account })),
    );
    if (ask.refused !== null) close(lane, candidates[ask.refused.agent], ask.refused.failure, now);
    const chosen = chooseAgent(
      candidates.map(({ account }) => readBook(account, now, unheeded(lane))),
      lane.config.quota,
    );
    for (const { account } of candidates) tidyBook(account, now);
    if (chosen.agent === null) return Promise.resolve({ agent: 0, wall: wallOf(ask, candidates, chosen, now) });
    // Of a refusal in the middle the next session tells, which begins with somebody else.
    if (chosen.instead !== null && ask.refused === null)
      tell(lane, ask, candidates, { agent: chosen.agent, instead: chosen.instead });
    return Promise.resolve({ agent: chosen.agent, wall: null });
  },
  probe: repeatable,
});

/** An agent whose variables cannot be filled in fails when its session is begun, where that is told. */
const candidatesFor = (lane: Lane, { role }: ChooseAgentAsk): readonly Candidate[] =>
  agentsOf(lane.config, role).map((config) => {
    const env = agentEnvironment(config.env);
    return { config, account: accountIn(lane, config, env.ok ? env.value : {}) };
  });

const ownName = (lane: Lane): string => `${CLOSED} ${lane.privateDir}`;

/** Without anybody to stand in, a run that was refused rests as long as it was told: afterwards it asks again. */
const unheeded = (lane: Lane): string => (lane.config.agents.fallback.length === 0 ? ownName(lane) : '');

function close(lane: Lane, refused: Candidate | undefined, why: Failure, now: number): void {
  if (refused === undefined) return;
  const until = new Date(now + restMs(why, 1)).toISOString();
  closeAccount(lane.io, refused.account, ownName(lane), { until, now });
}

function wallOf(
  { refused }: ChooseAgentAsk,
  candidates: readonly Candidate[],
  { soonest, window }: { readonly soonest: number; readonly window: QuotaWindow },
  now: number,
): Failure {
  if (refused !== null) return refused.failure;
  const waits: Params =
    window.resetsAt === null ? {} : { retryAfterMs: Math.max(0, Date.parse(window.resetsAt) - now) };
  const provider = candidates[soonest]?.config.provider ?? '';
  return failure('agent-quota-near', { provider, window: window.window, percent: percentOf(window), ...waits });
}

const percentOf = ({ used }: QuotaWindow): number => Math.min(100, Math.floor(used * 100));

function tell(
  lane: Lane,
  { role, session, item }: ChooseAgentAsk,
  candidates: readonly Candidate[],
  { agent, instead }: { readonly agent: number; readonly instead: QuotaWindow },
): void {
  lane.tell({
    type: 'agent-stands-in',
    level: 'important',
    session,
    ...(item === null ? {} : { item }),
    data: {
      role,
      agent: candidates[agent]?.config.provider ?? '',
      for: candidates[0]?.config.provider ?? '',
      window: instead.window,
      percent: percentOf(instead),
      until: instead.resetsAt,
    },
  });
}
