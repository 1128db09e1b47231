// The known agents as they are on this machine, and which of them the repository uses. Needs no repository.
import { lookAt, meet, plainAgent, type AgentHere } from '../../agents/here.ts';
import { KNOWN_AGENTS, knownAgent, knownAs } from '../../agents/known.ts';
import type { Introduction } from '../../agents/acp/hello.ts';
import type { AgentConfig, Config } from '../../model/config.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { openTarget } from '../open/target.ts';
import type { Where } from '../open/project-view.ts';

export type ListedAgent = AgentHere & {
  /** In the configuration of the repository: `default`, `fallback`, names of roles. */
  readonly usedAs: readonly string[];
};
export type CheckedAgent = {
  /** Of a known agent, else provider and program. */
  readonly name: string;
  readonly here: AgentHere | null;
  readonly usedAs: readonly string[];
  readonly version: string | null;
  readonly introduction: Introduction | null;
  /** Why it cannot be started; null: it can. */
  readonly failure: Failure | null;
};

type Use = { readonly agent: AgentConfig; readonly as: string };

export async function listAgents(where: Where): Promise<readonly ListedAgent[]> {
  const uses = await usesIn(where);
  return KNOWN_AGENTS.map((known) => {
    const mine = uses.filter(({ agent }) => knownAs(agent) === known);
    return { ...lookAt(known, mine[0]?.agent), usedAs: mine.map((use) => use.as) };
  });
}

/** `name`: of a known agent; null: those of the configuration, or all that are installed where none is configured. */
export async function checkAgents(where: Where, name: string | null): Promise<Result<readonly CheckedAgent[]>> {
  const uses = await usesIn(where);
  if (name !== null) {
    const known = knownAgent(name);
    if (known === null)
      return err(failure('usage', { what: `'${name}' is not an agent that is known`, hint: 'harness agents' }));
    const mine = uses.filter(({ agent }) => knownAs(agent) === known);
    return ok([await check(mine[0]?.agent ?? plainAgent(known), mine)]);
  }
  const distinct = new Map(
    uses.map((use) => [JSON.stringify([use.agent.provider, use.agent.command, use.agent.env]), use]),
  );
  const configured = [...distinct.entries()].map(([key, { agent }]) => ({
    agent,
    uses: uses.filter((use) => JSON.stringify([use.agent.provider, use.agent.command, use.agent.env]) === key),
  }));
  const wanted =
    configured.length > 0
      ? configured
      : KNOWN_AGENTS.map((known) => lookAt(known))
          .filter(({ place }) => place !== null)
          .map(({ known }) => ({ agent: plainAgent(known), uses: [] }));
  const checked: CheckedAgent[] = [];
  for (const one of wanted) checked.push(await check(one.agent, one.uses));
  return ok(checked);
}

async function check(agent: AgentConfig, uses: readonly Use[]): Promise<CheckedAgent> {
  const known = knownAs(agent);
  const here = known === null ? null : lookAt(known, agent);
  const met = await meet(agent);
  return {
    name: known?.name ?? [agent.provider, ...agent.command.slice(0, 1)].join(' '),
    here,
    usedAs: uses.map((use) => use.as),
    version: met.ok ? (met.value.version ?? here?.version ?? null) : (here?.version ?? null),
    introduction: met.ok ? met.value.introduction : null,
    failure: met.ok ? null : met.failure,
  };
}

/** None without a configuration that names agents. */
async function usesIn(where: Where): Promise<readonly Use[]> {
  const target = await openTarget(where);
  return target.ok && target.value.config.source !== null ? usesOf(target.value.config) : [];
}

const usesOf = ({ agents }: Config): readonly Use[] => [
  { agent: agents.default, as: 'default' },
  ...Object.entries(agents.roles).map(([role, agent]) => ({ agent, as: role })),
  ...agents.fallback.map((agent) => ({ agent, as: 'fallback' })),
  ...agents.competitors.map((agent) => ({ agent, as: 'competitors' })),
];
