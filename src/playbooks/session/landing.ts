// How a session lands: what was proved is committed, brought onto newer commits and proved with them where the branch has moved, delivered, and recorded.
// One recoverable sequence that first closes the agent's session.
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { BundleAsk, CommitOutcome } from '../../model/landing-action.ts';
import type { Config } from '../../model/config.ts';
import type { PushOutcome } from '../../model/push.ts';
import type { Problem } from '../../model/verdict.ts';
import { catchUp } from './tree-change.ts';
import { featureChecks } from './checks.ts';
import type { ClosingSession, Delivered, EndingHooks, LogFacts } from './ending-hooks.ts';
import { keepWork, ownFiles, record } from './ending-steps.ts';
import type { LandingProof, LandResult } from './facts.ts';
import { claimOf, proofOf } from './proof.ts';
import { baselineFrom } from '../../model/baseline-record.ts';
import { evidenceLine, judge, portable, shownChecks, stateOf } from './verdicts.ts';

type R = Run<Actions>;

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
    const { overtaken } = made;
    return { commit: null, usage, refused, ...overtaken };
  }
  const { verdict } = proof;
  const delivered = await deliveredBy(run, input, { commit: landed.commit, landed, proof }, config, hooks);
  if (delivered?.is === 'overtaken') return { commit: null, usage, refused: [], overtaken: verdict.tree };
  if (delivered?.is === 'held') {
    const { is: _, ...why } = delivered;
    return { commit: null, usage, refused: [], held: { tree: verdict.tree, ...why, problems: [...why.problems] } };
  }
  if (delivered?.is === 'proposed') return awaited(run, { ...input, proof, landed }, usage, config, hooks);
  const pushed = delivered === null ? await run.do('push', { kind: 'push', commit: landed.commit }) : NOT_PUSHED;
  const baseline = baselineFrom(verdict, landed.tree);
  if (baseline !== null) await run.do('baseline', { kind: 'remember', what: 'baseline', session, baseline });
  const { evidence } = verdict;
  await run.do('sizes', { kind: 'remember', what: 'sizes', session, evidence });
  await run.do('publish', { kind: 'publish', event: 'landed', item: facts.id, commit: landed.commit });
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
  /** The verified work by itself, where newer commits are in the way and it is not at fault; otherwise null. */
  readonly overtaken: { readonly overtaken: string; readonly merged?: string } | null;
};

/**
 * The accepting commit. The branch may have moved since the session began, by commits of a user or of other lanes: then the work is brought onto them,
 * proved with them, and only then committed. Work that has the turn to land may have been proved so before.
 */
async function commitProved(
  run: R,
  input: ClosingSession & LandingProof,
  config: Config,
  hooks: EndingHooks,
  entry: (proof: LandingProof) => LogFacts,
): Promise<Proved> {
  const { facts, session, checkpoint, verdict, strength, decided, person, merged } = input;
  const work = merged?.work ?? verdict.tree;
  let proof: LandingProof = { verdict, strength, decided, person };
  let base = merged?.base ?? checkpoint.tree;
  let mergedWith: string | null = null;
  const overtaken = (landed: CommitOutcome, refused: Problem | null, tree: string): Proved => ({
    landed: { ...landed, refused: refused ?? landed.refused ?? NOT_PROVED },
    proof,
    overtaken: { overtaken: work, ...(tree === work ? {} : { merged: tree }) },
  });
  const goOn = (brought: Brought): void => {
    ({ proof, base, mergedWith } = brought);
  };
  // It was proved together with newer commits, which are not in the work tree yet.
  if (merged !== undefined) {
    const brought = await onNewest(run.scope('merged'), input, config, { proof, base, work, tree: work });
    if ('refused' in brought) return overtaken({ commit: null, tree: '', refused: null }, brought.refused, work);
    goOn(brought);
  }
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
      ...(mergedWith === null ? {} : { mergedWith }),
      edit: hooks.accepting(input, config, entry(proof)),
      bundle: bundleOf({ ...input, ...proof }, config, hooks),
      proof: proofOf({ ...input, ...proof }).strength,
      ...(hooks.proposes === undefined ? {} : { onto: hooks.proposes.branch(facts) }),
    });
    const { tree } = proof.verdict;
    const code = landed.refused?.code;
    if (code === 'landing-conflict') return overtaken(landed, null, tree);
    if (code !== 'branch-moved') return { landed, proof, overtaken: null };
    if (round >= MOST_BROUGHT) return overtaken(landed, null, tree);
    const brought = await onNewest(step, input, config, { proof, base, work, tree });
    if ('refused' in brought) return overtaken(landed, brought.refused, tree);
    goOn(brought);
  }
}

/** `base`: the newest commit as the work sees it, which `mergedWith` is the id of. */
type Brought = { readonly proof: LandingProof; readonly base: string; readonly mergedWith: string };

/**
 * Brings the work, which is in the work tree as `tree`, onto the newest commit, and proves it there, unless that is what the proof is of. `base`: the
 * commit that the proof is compared with. `refused`: together they fail, or prove less than before: the next session continues on the newest commit.
 */
async function onNewest(
  step: R,
  { facts, session, checkpoint, strength: first, decided, person }: ClosingSession & LandingProof,
  config: Config,
  {
    proof,
    base,
    work,
    tree,
  }: { readonly proof: LandingProof; readonly base: string; readonly work: string; readonly tree: string },
): Promise<Brought | { readonly refused: Problem | null }> {
  const own = ownFiles(config);
  const bring = { kind: 'bring', item: facts.id, session, checkpoint, tree, own } as const;
  // What was merged is merged again from the work itself: commits that both merges have would be in conflict with each other.
  const brought = await step.do('bring', tree === work ? bring : { ...bring, work });
  if (brought.tree === null) return { refused: brought.problem };
  const at = { base: brought.checkpoint.tree, mergedWith: brought.checkpoint.head };
  if (brought.tree === proof.verdict.tree && at.base === base) return { ...at, proof };
  const earlier = { base, strength: proof.strength, work };
  const again = await judge(step, { facts, checkpoint: brought.checkpoint, session }, config, earlier);
  const { problems, strength, verdict } = again;
  // A decision in spite of a doubt holds for that doubt, not for one that came since.
  const decidedOn = new Set(decided === null ? [] : (first?.doubts ?? []).map((doubt) => doubt.code));
  const newDoubt = strength?.doubts.find((doubt) => !decidedOn.has(doubt.code));
  const [problem = newDoubt] = problems;
  return problem !== undefined || strength === null
    ? { refused: problem ?? null }
    : { ...at, proof: { verdict, strength, decided, person } };
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

const scopeOf = (category: string): string =>
  category
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'app';
