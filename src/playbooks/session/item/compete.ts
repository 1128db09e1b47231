// Several agents attempt one item, one after the other, each from the same state; the harness proves each. One of those that hold lands, and every
// attempt is kept.
//
//   attempt 1 ─▶ kept, tree back ─▶ attempt 2 ─▶ kept, tree back ─▶ … ─▶ compare ─▶ the winner's tree is written back, and proved again
//
// They share the work tree of the item: nothing of one is there when the next begins. Each has a session of its own; what lands is proved under the
// item's session, like all work. Where none holds, the item ends as the first attempt did.
import { readFacts } from '../../../engine/definitions.ts';
import type { Run } from '../../../engine/types.ts';
import type { Actions } from '../../../model/action.ts';
import type { Checkpoint } from '../../../model/checkpoint.ts';
import { bestOf, type CompetitionFacts, type Scored } from '../../../model/competition.ts';
import type { Config } from '../../../model/config.ts';
import type { WorkInput, WorkResult } from '../facts.ts';
import { budget } from '../surveys.ts';
import { judge } from '../verdicts.ts';
import type { Contest, ItemKind } from './kind.ts';

type R = Run<Actions>;
type Attempt = (kind: ItemKind, run: R, input: WorkInput, config: Config, agent?: number) => Promise<WorkResult>;
type Attempted = {
  readonly number: number;
  readonly session: number;
  readonly result: WorkResult;
  /** The work tree at its end. */
  readonly end: Checkpoint;
  readonly attempt: string | null;
};

export async function compete(
  kind: ItemKind,
  run: R,
  input: WorkInput,
  config: Config,
  attempt: Attempt,
): Promise<WorkResult> {
  const all: Attempted[] = [];
  for (const [n, session] of [input.session, ...(input.facts.rivals ?? [])].entries()) {
    const number = n + 1;
    const step = run.scope(`attempt-${number}`);
    if (number > 1 && !(await isAffordable(step, input))) break;
    const checkpoint = number === 1 ? input.checkpoint : await startOf(step, input, session);
    const found = await attempt(kind, step, { ...input, checkpoint, session }, config, agentOf(config, number));
    const result = await closed(step, session, found);
    // A user stopped it: its work is kept like that of any session.
    if (result.end === 'unfinished' && result.why === 'user_pause') return result;
    all.push({ number, session, result, ...(await kept(step, { ...input, checkpoint, session })) });
  }
  return decided(kind, run, input, all, config);
}

/** The first has the agent of its role, chosen like that of any session; the others those of the configuration. */
function agentOf({ agents: { fallback, competitors } }: Config, number: number): number | undefined {
  const n = number - 2;
  return n < 0 || n >= competitors.length ? undefined : 1 + fallback.length + n;
}

const isAffordable = async (step: R, { facts }: WorkInput): Promise<boolean> =>
  (await readFacts(step, budget, { item: facts.id, session: 0 })).failure === null;

const startOf = (step: R, { facts }: WorkInput, session: number): Promise<Checkpoint> =>
  step.do('start', { kind: 'checkpoint', session, item: facts.id, why: 'competitor' });

/** Its agent ends before the next begins. */
async function closed(step: R, session: number, result: WorkResult): Promise<WorkResult> {
  const { tampering } = await step.do('end', { kind: 'close', session });
  const [first] = tampering;
  if (first === undefined) return result;
  const reason = first.code;
  return { end: 'rejected', reason, problems: tampering, regressions: [], evidence: null, text: result.text };
}

async function kept(step: R, { facts, checkpoint, session }: WorkInput): Promise<Pick<Attempted, 'end' | 'attempt'>> {
  const of = { session, item: facts.id };
  const end = await step.do('keep', { kind: 'checkpoint', ...of, why: 'competed' });
  const { attempt } = await step.do('back', { kind: 'rollback', ...of, checkpoint, why: 'competed' });
  return { end, attempt };
}

/** What it asks for is decided before the next session. */
const isUndecided = (result: WorkResult): boolean => result.end === 'unfinished' && result.why === 'unclear';
const holds = ({ result }: Attempted): boolean => result.end === 'holds';

async function decided(
  kind: ItemKind,
  run: R,
  input: WorkInput,
  all: readonly Attempted[],
  config: Config,
): Promise<WorkResult> {
  const held = all.filter(holds);
  const { facts, checkpoint, session } = input;
  const candidates = held.map(({ number, end: { commit } }) => ({ number, commit }));
  const contest: Contest = { facts, checkpoint, session, candidates };
  const compared = held.length > 1 ? await kind.compare?.(run.scope('compare'), contest, config) : undefined;
  const scored = compared?.scored ?? [];
  const best = bestOf(scored);
  const winner = held.find(({ number }) => number === best) ?? held[0];
  const chosen =
    winner ??
    all.find(({ result }) => result.end === 'doubtful') ??
    all.find(({ result }) => isUndecided(result)) ??
    all[0];
  const how = held.length === 0 ? 'none' : held.length === 1 ? 'only' : best === null ? 'first' : 'judge';
  const attempts = all.map((one) => becameOf(one, winner?.number ?? null, scored));
  const competition: CompetitionFacts = { item: facts.id, how, judge: compared?.judge ?? null, attempts };
  const role = kind.hooks(config).role(facts);
  await run.do('competition', { kind: 'remember', what: 'competition', session, role, competition });
  for (const one of attempts)
    if (one.session !== session) await record(run.scope(`attempt-${one.number}`), input, role, one, all);
  // The loop above ran at least once.
  if (chosen === undefined) return { end: 'unfinished', why: 'incomplete', text: '' };
  await run.do('take', { kind: 'take-tree', tree: chosen.end.tree });
  if (chosen.session === session || isUndecided(chosen.result)) return chosen.result;
  return proved(run.scope('again'), input, chosen, config);
}

type Became = CompetitionFacts['attempts'][number];

function becameOf(
  { number, session, result, attempt, end }: Attempted,
  winner: number | null,
  scored: readonly Scored[],
): Became {
  const own = scored.find((one) => one.number === number);
  const became = number === winner ? 'won' : result.end === 'holds' ? 'lost' : 'failed';
  const reason = became === 'failed' ? reasonOf(result) : became;
  return { number, session, became, reason, attempt, tree: end.tree, scores: own?.scores ?? null, why: own?.why ?? '' };
}

function reasonOf(result: WorkResult): string {
  switch (result.end) {
    case 'rejected':
      return result.reason;
    case 'unfinished':
      return result.failure?.reason ?? result.why;
    case 'agent-failed':
      return result.failure.reason;
    case 'doubtful':
      return result.strength.doubts[0]?.code ?? 'doubtful';
    case 'holds':
      return 'holds';
  }
}

/** Of a session beside the item's own: what it cost, how it ended, where its work is. */
async function record(
  step: R,
  { facts }: WorkInput,
  role: string,
  { session, became, reason, attempt }: Became,
  all: readonly Attempted[],
): Promise<void> {
  const result = all.find((one) => one.session === session)?.result;
  const problems = result?.end === 'rejected' ? result.problems : [];
  const isHeld = became !== 'failed';
  await step.do('costs', { kind: 'remember', what: 'costs', session, item: facts.id });
  const summary = {
    item: facts.id,
    role,
    completed: isHeld,
    termination: isHeld ? 'success' : 'error',
    result: isHeld ? 'done' : 'failed',
    reason,
    attempt,
    problems,
  };
  await step.do('record', { kind: 'remember', what: 'session', session, summary });
}

/** What lands was proved under the item's session, on the tree as it is now. */
async function proved(
  run: R,
  input: WorkInput,
  { session: by, result }: Attempted,
  config: Config,
): Promise<WorkResult> {
  const { verdict, strength, problems } = await judge(run, input, config);
  const { text } = result;
  const { regressions, evidence } = verdict;
  if (strength === null || problems.length > 0)
    return { end: 'rejected', reason: problems[0]?.code ?? 'rejected', problems, regressions, evidence, text };
  return strength.doubts.length > 0
    ? { end: 'doubtful', verdict, strength, text, by }
    : { end: 'holds', verdict, strength, text, by };
}
