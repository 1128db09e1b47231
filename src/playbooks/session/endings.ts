// The three ends of a session: landed, saved, rolled back. Each is one recoverable sequence that first closes the agent's session.
import { readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions, BundleAsk, CommitOutcome } from '../../model/action.ts';
import type { SessionSummary, EditCall } from '../../model/remember.ts';
import type { Config } from '../../model/config.ts';
import type { Failure } from '../../model/failure.ts';
import type { PushOutcome } from '../../model/push.ts';
import type { Problem } from '../../model/verdict.ts';
import { catchUp } from './tree-change.ts';
import { featureChecks } from './checks.ts';
import type {
  CutReason,
  LandingProof,
  LandResult,
  Rejection,
  RollbackResult,
  SaveResult,
  EndedSession,
  ItemFacts,
} from './facts.ts';
import { claimOf, proofOf } from './proof.ts';
import { budget } from './surveys.ts';
import { terminationOf } from './session-state.ts';
import { baselineFrom } from '../../model/baseline-record.ts';
import { evidenceLine, judge, portable, shownChecks, stateOf } from './verdicts.ts';

/** The entry of a session in the progress log. */
export type LogFacts = { readonly verification: string; readonly state: readonly string[] };
export type ClosingSession = EndedSession & { readonly session: number };
/** An item that the session broke. `isFailing`: it fails on the rolled-back tree too. */
export type BrokenItem = { readonly id: string; readonly dependents: readonly string[]; readonly isFailing: boolean };

/** What a machine adds to the endings: which of its own files its commits carry, and which items a session broke. */
export type EndingHooks = {
  readonly role: (facts: ItemFacts) => string;
  /** What says that an item is done, where no person does. */
  readonly claim: NonNullable<BundleAsk['claim']>;
  /** Committed files in which an agent claims that its item is done: restored where it is not. */
  readonly claimedIn: (config: Config) => readonly string[];
  /** Own files in the accepting commit; null: none. */
  readonly accepting: (closing: ClosingSession, config: Config, entry: LogFacts) => EditCall | null;
  /** The log entry of a session without a landing, which the next landing carries; null: no commit carries the log. */
  readonly logging: (closing: ClosingSession, config: Config, entry: LogFacts) => EditCall | null;
  /** What the session leaves in the memory of the machine; left out: the machine remembers nothing. */
  readonly notes?: (closing: ClosingSession, result: string) => readonly string[];
  /** A rollback gives up all work on the item; left out: what earlier sessions left counts on, unless the work was the cause. */
  readonly startsAnew?: true;
  /** The landing is a pull request that others merge; left out: the accepting commit moves the current branch. */
  readonly proposes?: Proposing;
  /** Whose tests broke, after the rollback. */
  readonly blame: (
    run: Run<Actions>,
    closing: ClosingSession & { readonly why: Rejection },
    config: Config,
  ) => Promise<readonly BrokenItem[]>;
};

/** What was committed on a branch of its own, to be brought to the base branch. */
export type Proposed = {
  readonly commit: string;
  readonly bundle: string;
  readonly proof: LandingProof;
  /** The work of an earlier session, as it was. */
  readonly asBefore: boolean;
};
export type Delivered =
  /** It is on the base branch by this commit, and so is the work tree. */
  | { readonly is: 'merged'; readonly commit: string }
  /** Others merge it. The item waits with its work. */
  | { readonly is: 'proposed'; readonly number: number; readonly url: string }
  /**
   * It was not merged. The work is in the work tree, and the item's next session continues it with these problems. `reached`: it continues after
   * what is done already; left out: from the start.
   */
  | {
      readonly is: 'held';
      readonly failure: Failure | null;
      readonly problems: readonly Problem[];
      readonly reached?: string;
    };
export type Proposing = {
  /** The branch that the accepting commit becomes. */
  readonly branch: (facts: ItemFacts) => string;
  readonly deliver: (run: R, closing: ClosingSession, proposed: Proposed, config: Config) => Promise<Delivered>;
};

type R = Run<Actions>;
/** Costs and the session's record: the last steps of every end. */
async function record(
  run: R,
  closing: ClosingSession,
  hooks: EndingHooks,
  about: Omit<SessionSummary, 'item' | 'startedAt' | 'endedAt'> &
    Pick<SessionSummary, 'completed' | 'termination' | 'result'>,
): Promise<void> {
  const { facts, session, startedAt, endedAt } = closing;
  await run.do('costs', { kind: 'remember', what: 'costs', session, item: facts.id });
  const summary = { item: facts.id, startedAt, endedAt, ...about };
  await run.do('record', { kind: 'remember', what: 'session', session, summary });
  const lines = hooks.notes?.(closing, about.reason ?? about.result) ?? [];
  if (lines.length > 0)
    await run.do('notes', {
      kind: 'remember',
      what: 'memory',
      session,
      role: hooks.role(facts),
      item: facts.id,
      lines,
    });
}

/** What the landing rests on, and who decided where that was in doubt. */
const bodyOf = ({ verdict, strength, decided, person }: LandingProof): string =>
  [
    ...(verdict.evidence === null ? [] : [evidenceLine(verdict)]),
    ...(strength === null ? [] : [`Proofs: ${portable(strength.evidence)}`]),
    ...(decided === null || strength === null
      ? []
      : [
          `Decided: ${decided.option}, by ${decided.by} at ${decided.at}, in spite of ${strength.doubts.map((d) => d.code).join(', ')}`,
          ...(decided.note === '' ? [] : [`Because: ${decided.note}`]),
        ]),
    ...(person === null ? [] : [`Verified by hand: ${person.by}, ${person.at}`, person.note]),
  ].join('\n');

/**
 * Landing: commit, push, baseline, sizes, mirror, costs, record. A refused push is handled after all of these.
 */
export async function land(
  run: R,
  input: ClosingSession & LandingProof,
  config: Config,
  hooks: EndingHooks,
): Promise<LandResult> {
  const { facts, session, person } = input;
  const { usage, tampering } = await run.do('close', { kind: 'close', session });
  if (tampering.length > 0) return { commit: null, usage, refused: tampering };
  const byHand = person === null ? [] : [`A person looked at it and says it holds: ${person.by}`];
  const entry = (proof: LandingProof): LogFacts => ({
    verification: shownChecks(proof.verdict),
    state: [...stateOf(proof.verdict), ...byHand],
  });
  const made = await commitProved(run, input, config, hooks, entry);
  const { landed, proof } = made;
  if (landed.commit === null) {
    const refused = landed.refused ? [landed.refused] : [];
    return { commit: null, usage, refused, ...(made.isOvertaken ? { overtaken: proof.verdict.tree } : {}) };
  }
  const { verdict } = proof;
  const delivered = await deliveredBy(run, input, { commit: landed.commit, landed, proof }, config, hooks);
  if (delivered?.is === 'held') {
    const { is: _, ...why } = delivered;
    return { commit: null, usage, refused: [], held: { tree: verdict.tree, ...why, problems: [...why.problems] } };
  }
  if (delivered?.is === 'proposed') return awaited(run, { ...input, proof, landed }, usage, config, hooks);
  const pushed = delivered === null ? await run.do('push', { kind: 'push', commit: landed.commit }) : NOT_PUSHED;
  const baseline = baselineFrom(verdict, landed.tree);
  if (baseline !== null) await run.do('baseline', { kind: 'remember', what: 'baseline', session, baseline });
  await run.do('sizes', { kind: 'remember', what: 'sizes', session });
  await run.do('publish', { kind: 'publish', event: 'landed', item: facts.id, commit: landed.commit });
  const { evidence } = verdict;
  const bundle = landed.evidence ?? '';
  await record(run, input, hooks, {
    completed: true,
    termination: 'success',
    result: 'landed',
    commit: landed.commit,
    evidence,
    verifiedBy: person,
    bundle,
  });
  const { commit: mine } = landed;
  if (delivered !== null) return { commit: mine, bundle, usage, pushFailure: null };
  const checks = featureChecks(facts, config);
  const pushFailure = await catchUp(run, { item: facts.id, session, commit: mine, push: pushed, checks }, config);
  return { commit: mine, bundle, usage, pushFailure };
}

/** The pull request is open: the work is kept for what reviewers ask, and the work tree is at the tip. */
async function awaited(
  run: R,
  { proof, landed, ...closing }: ClosingSession & { readonly proof: LandingProof; readonly landed: CommitOutcome },
  usage: LandResult['usage'],
  config: Config,
  hooks: EndingHooks,
): Promise<LandResult> {
  const { verdict, person } = proof;
  const { checkpoint } = closing;
  const paths = hooks.claimedIn(config);
  if (paths.length > 0) await run.do('revert-claim', { kind: 'restore', checkpoint, paths });
  await keepWork(run, { ...closing, tree: verdict.tree }, config, 'review');
  const bundle = landed.evidence ?? '';
  await record(run, closing, hooks, {
    completed: true,
    termination: 'success',
    result: 'landed',
    reason: 'proposed',
    commit: landed.commit,
    evidence: verdict.evidence,
    verifiedBy: person,
    bundle,
  });
  return { commit: landed.commit ?? '', bundle, usage, pushFailure: null, isProposed: true };
}

const NOT_PUSHED: PushOutcome = { pushed: false, remote: null, failure: null };

/** null: the landing moved the branch itself. */
const deliveredBy = async (
  run: R,
  input: ClosingSession & Pick<LandingProof, 'asBefore'>,
  { commit, landed, proof }: { readonly commit: string; readonly landed: CommitOutcome; readonly proof: LandingProof },
  config: Config,
  { proposes }: EndingHooks,
): Promise<Delivered | null> =>
  proposes === undefined
    ? null
    : proposes.deliver(
        run.scope('deliver'),
        input,
        { commit, bundle: landed.evidence ?? '', proof, asBefore: input.asBefore === true },
        config,
      );

/** How often the work is brought onto commits that came meanwhile. */
const MOST_BROUGHT = 5;

type Proved = {
  readonly landed: CommitOutcome;
  readonly proof: LandingProof;
  /** Newer commits are in the way: the work is not at fault. */
  readonly isOvertaken: boolean;
};

/**
 * The accepting commit. The branch may have moved since the session began, by commits of a user: then the work is brought onto them, proved with
 * them, and only then committed.
 */
async function commitProved(
  run: R,
  input: ClosingSession & LandingProof,
  config: Config,
  hooks: EndingHooks,
  entry: (proof: LandingProof) => LogFacts,
): Promise<Proved> {
  const { facts, session, checkpoint, decided, person } = input;
  let proof: LandingProof = { verdict: input.verdict, strength: input.strength, decided, person };
  for (let round = 0; ; round += 1) {
    const step = round === 0 ? run : run.scope(`onto-${round}`);
    const landed = await step.do('commit', {
      kind: 'commit',
      style: 'accept',
      item: facts.id,
      session,
      only: null,
      subject: `feat(${scopeOf(facts.category)}): #${facts.id} ${facts.title}`,
      body: bodyOf(proof),
      tree: proof.verdict.tree,
      checkpoint,
      edit: hooks.accepting(input, config, entry(proof)),
      bundle: bundleOf({ ...input, ...proof }, config, hooks),
      proof: proofOf({ ...input, ...proof }).strength,
      ...(hooks.proposes === undefined ? {} : { onto: hooks.proposes.branch(facts) }),
    });
    const code = landed.refused?.code;
    if (code === 'landing-conflict') return { landed, proof, isOvertaken: true };
    if (code !== 'branch-moved') return { landed, proof, isOvertaken: false };
    if (round >= MOST_BROUGHT) return { landed, proof, isOvertaken: true };
    const { tree } = proof.verdict;
    const own = ownFiles(config);
    const brought = await step.do('bring', { kind: 'bring', item: facts.id, session, checkpoint, tree, own });
    const overtaken = (refused: Problem): Proved => ({ landed: { ...landed, refused }, proof, isOvertaken: true });
    if (brought.tree === null) return overtaken(brought.problem);
    const again = await judge(step, { facts, checkpoint: brought.checkpoint, session }, config);
    const { problems, strength, verdict } = again;
    // Together they fail, or prove less than before: the next session continues on the newest commit. A decision in spite of a doubt holds for
    // that doubt, not for one that came since.
    const decidedOn = new Set(decided === null ? [] : (input.strength?.doubts ?? []).map((doubt) => doubt.code));
    const newDoubt = strength?.doubts.find((doubt) => !decidedOn.has(doubt.code));
    const [problem = newDoubt] = problems;
    if (problem !== undefined || strength === null) return overtaken(problem ?? landed.refused ?? NOT_PROVED);
    proof = { verdict, strength, decided, person };
  }
}
const NOT_PROVED: Problem = { code: 'branch-moved', params: {} };

const bundleOf = (input: ClosingSession & LandingProof, config: Config, hooks: EndingHooks): BundleAsk => ({
  title: input.facts.title,
  role: hooks.role(input.facts),
  attempt: input.facts.attempt,
  startedAt: input.startedAt,
  endedAt: input.endedAt,
  said: input.text,
  checkpoint: input.checkpoint,
  verdict: input.verdict,
  backlog: config.paths.backlog,
  proof: proofOf(input),
  claim: claimOf(hooks.claim, proofOf(input)),
  ...(input.by === undefined ? {} : { by: input.by }),
});

/** Ended by a limit or a pause: its work is kept as work in progress, the tree goes back to the tip, and the next session continues it. */
export async function save(
  run: R,
  input: ClosingSession & {
    readonly why: CutReason;
    /** What is wrong with the work, for the session that continues it; left out: nothing is known. */
    readonly problems?: readonly Problem[];
    /** What was verified; left out: the work tree. */
    readonly tree?: string;
    /** How far it has come; left out: it is not done. */
    readonly reached?: string;
  },
  config: Config,
  hooks: EndingHooks,
): Promise<SaveResult> {
  const { facts, session, why, checkpoint, problems = [] } = input;
  const { usage } = await run.do('close', { kind: 'close', session });
  const paths = hooks.claimedIn(config);
  if (paths.length > 0) await run.do('revert-claim', { kind: 'restore', checkpoint, paths });
  const state = [
    `SESSION TERMINATED: ${why} in the middle of #${facts.id}`,
    'Work in progress is kept; the next session continues from it.',
  ];
  // Before the tree goes back: the agent's own notes are in it.
  await logLater(run, { ...input, state }, config, hooks);
  const { commit, refused } = await keepWork(run, input, config, why);
  if (refused !== null) return rollBackRefused(run, input, config, hooks, usage, refused);
  const termination = terminationOf(why);
  const found = problems.length === 0 ? {} : { problems };
  await record(run, input, hooks, { completed: false, termination, result: 'partial', reason: why, commit, ...found });
  if (why !== 'budget') return { usage, commit };
  const { over } = await readFacts(run, budget, { item: facts.id, session });
  return { usage, commit, ...(over ? { over } : {}) };
}

const keepWork = (
  run: R,
  { facts, session, checkpoint, tree, reached }: ClosingSession & { readonly tree?: string; readonly reached?: string },
  config: Config,
  why: CutReason,
) =>
  run.do('keep', {
    kind: 'keep-wip',
    item: facts.id,
    session,
    subject: `${WIP[why](config)}#${facts.id} ${facts.title}`,
    checkpoint,
    own: ownFiles(config),
    ...(tree === undefined ? {} : { tree }),
    ...(reached === undefined ? {} : { reached }),
  });

const ownFiles = ({ paths }: Config): readonly string[] => [paths.backlog, paths.progress];

/** Work that cannot be committed cannot be continued: kept as an attempt and rolled back, like work that does not hold. */
async function rollBackRefused(
  run: R,
  input: ClosingSession,
  config: Config,
  hooks: EndingHooks,
  usage: SaveResult['usage'],
  refused: Problem,
): Promise<SaveResult> {
  const { facts, session, checkpoint } = input;
  const why = refused.code;
  const back = await run.do('rollback', { kind: 'rollback', checkpoint, item: facts.id, session, why });
  const state = [`Rolled back: ${why}`];
  await logLater(run.scope('refused'), { ...input, state }, config, hooks);
  const { attempt } = back;
  const about = { result: 'failed', reason: why, problems: [refused], attempt };
  await record(run, input, hooks, { completed: false, termination: 'error', ...about });
  return { usage, commit: null, refused };
}

const WIP: { readonly [W in CutReason]: (config: Config) => string } = {
  timeout: (config) => config.session.wipPrefix,
  context_limit: (config) => config.context.wipPrefix,
  stuck: () => 'WIP: Stuck - ',
  user_pause: () => 'WIP: Paused - ',
  budget: () => 'WIP: Budget - ',
  error: () => 'WIP: Error - ',
  incomplete: () => 'WIP: ',
  review: () => 'WIP: Review - ',
  overtaken: () => 'WIP: Overtaken - ',
  provider_limit: () => 'WIP: Provider limit - ',
  phase: () => 'WIP: Phase - ',
  answered: () => 'WIP: Answered - ',
};

/**
 * Work that does not hold: kept as an attempt, rolled back, written into the log. Where the work was the cause, the work in progress that it
 * continued is given up with it.
 */
export async function reject(
  run: R,
  input: ClosingSession & { readonly why: Rejection },
  config: Config,
  hooks: EndingHooks,
): Promise<RollbackResult> {
  const { facts, session, checkpoint, why } = input;
  const { usage } = await run.do('close', { kind: 'close', session });
  const back = await run.do('rollback', { kind: 'rollback', checkpoint, item: facts.id, session, why: why.reason });
  if (facts.partial?.wip !== undefined && (why.problems.length > 0 || hooks.startsAnew === true))
    await run.do('drop-wip', { kind: 'drop-wip', item: facts.id });
  const broken = why.regressions.length === 0 ? [] : await hooks.blame(run.scope('regressed'), input, config);
  const state = [`Rolled back: ${why.reason}`, ...broken.map(brokenLine)];
  await logLater(run, { ...input, state }, config, hooks);
  await record(run, input, hooks, {
    completed: false,
    termination: 'error',
    result: 'failed',
    reason: why.reason,
    problems: why.problems,
    failure: why.failure,
    broken,
    evidence: why.evidence,
    attempt: back.attempt,
  });
  return { usage, attempt: back.attempt };
}

const scopeOf = (category: string): string =>
  category
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'app';

const brokenLine = (b: BrokenItem): string =>
  `Broke #${b.id}${b.dependents.length > 0 ? `, which #${b.dependents.join(', #')} depends on` : ''}${b.isFailing ? '; it fails without this change too and goes first' : ''}`;

/** The log entry of a session without a landing: the next landing carries it. */
async function logLater(
  run: R,
  input: ClosingSession & { readonly state: readonly string[] },
  config: Config,
  hooks: EndingHooks,
): Promise<void> {
  const { session, state } = input;
  const edit = hooks.logging(input, config, { verification: '', state });
  if (edit !== null) await run.do('log', { kind: 'remember', what: 'log', session, edit });
}
