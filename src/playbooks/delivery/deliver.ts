// From the accepted work to the base branch: prepare-pr → open PR → CI → e2e-verify → merge-readiness → label and merge → the plan file moved. Each step is
// remembered, and each effect finds what it has done, so that a run that was killed ends with one pull request and one merge.
import { withoutStrays } from '../session/strays.ts';
import { openingSay } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { Failure } from '../../model/failure.ts';
import type { CiOutcome, ProposePullAsk } from '../../model/forge-action.ts';
import type { Problem } from '../../model/verdict.ts';
import type { ClosingSession, Delivered, Proposed } from '../session/ending-hooks.ts';
import { mergeChecker, preparer } from './briefs.ts';
import { awaited, notPassed, shownCi } from './ci.ts';
import { endToEnd } from './e2e.ts';
import { atPhase } from './index-step.ts';
import { asProblem, judgedBy } from './judged.ts';
import { isMergedBefore, movePlan } from './merged.ts';
import { branchOf, markOf, READY_LABEL } from './paths.ts';
import { askedPhase, hasReached, onBase, reachedText, readReached, type PlanPhase, type Reached } from './phases.ts';
import { pullBody, readPullText, type PullText } from './pull-text.ts';
import { keepRecord, recordOf } from './record.ts';
import { readMergeCheck } from './review-answer.ts';
import { askRole } from './role-session.ts';
import { settleTrouble } from './trouble.ts';

type R = Run<Actions>;

export async function deliver(run: R, closing: ClosingSession, ask: Proposed, config: Config): Promise<Delivered> {
  const { commit, proof, asBefore } = ask;
  const { facts, checkpoint } = closing;
  const { id: item } = facts;
  const since = facts.partial?.base ?? checkpoint.commit;
  const only = askedPhase(config);
  const from = asBefore ? onBase(readReached(facts.partial?.reached), checkpoint.head) : null;
  const proposed = { commit, base: checkpoint.head };
  /** A phase that was asked for runs again; others only where nothing of before holds. */
  const isToDo = (phase: PlanPhase & Reached['at']): boolean =>
    only === phase || !hasReached(from, phase) || (phase !== 'prepare-pr' && from?.proposed?.commit !== commit);
  const stop = async (step: R, at: Reached['at']): Promise<Delivered> => {
    await atPhase(step, item, { phase: null, reached: at });
    const reached = reachedText({ at, proposed: at === 'prepare-pr' ? null : proposed });
    return { is: 'held', failure: null, problems: [], reached };
  };

  const record = await recordOf(run, item);
  const preparing = run.scope('prepare-pr');
  await atPhase(preparing, item, { phase: 'prepare-pr', reached: 'review' });
  const known = isToDo('prepare-pr') ? undefined : record.text;
  const text = known ?? (await prepared(preparing, closing, since, config));
  await keepRecord(preparing, item, { text });
  if (only === 'prepare-pr') return stop(preparing.scope('stop'), 'prepare-pr');

  const tree = config.e2e === null ? null : proof.verdict.tree;
  const body = pullBody(text, { item, record, tree });
  const { title } = text;
  const asked = { item, branch: branchOf(item), mark: markOf(item), commit, title, body };
  const pull = await proposedAs(run, asked, facts);
  if (pull === 'overtaken') return { is: 'overtaken' };
  if (pull === 'skipped') return held(null, []);
  const { number, isMerged } = pull;
  if (!isMerged) {
    if (only === 'open-pr') return stop(run.scope('open-pr'), 'open-pr');
    const checking = run.scope('ci');
    await atPhase(checking, item, { phase: 'ci', reached: 'open-pr' });
    const checked = { commit, branch: asked.branch, pull: number };
    const ci = isToDo('ci')
      ? await awaited(checking, checked, closing)
      : await run.do('ci-again', { kind: 'ci', ...checked });
    const failed = notPassed(ci);
    if (failed.length > 0) return held(null, failed);
    if (only === 'ci') return stop(checking.scope('stop'), 'ci');

    const verifying = run.scope('e2e-verify');
    await atPhase(verifying, item, { phase: 'e2e-verify', reached: 'ci' });
    const failing = isToDo('e2e-verify') ? await verified(verifying, closing, proof.verdict.tree, config) : [];
    if (failing.length > 0) return held(null, failing);
    if (only === 'e2e-verify') return stop(verifying.scope('stop'), 'e2e-verify');

    const judging = run.scope('merge-check');
    await atPhase(judging, item, { phase: 'merge-check', reached: 'e2e-verify' });
    if (isToDo('merge-check')) {
      const reached = reachedText({ at: 'e2e-verify', proposed });
      const refused = await refusedBy(judging, closing, { since, title, body, ci, reached }, config);
      if (refused !== null) return refused;
    }
    if (only === 'merge-check') return stop(judging.scope('stop'), 'merge-check');

    await atPhase(run.scope('merging'), item, { phase: 'merge', reached: 'merge-check' });
    const merge = { number, head: commit, title: `${title} (#${number})`, message: `Plan ${item}`, label: READY_LABEL };
    const merged = await run.do('merge', { kind: 'merge-pull', ...merge });
    if (merged.failure !== null) return held(null, [refusal(merged.failure)]);
  }
  await movePlan(run.scope('merged'), item);
  return { is: 'merged', commit };
}

/**
 * `skipped`: a user leaves the plan out. What others have on its branch is asked about until it is gone. `overtaken`: a user merged its pull request as it
 * was before; another one for the rest is not what they decided.
 */
async function proposedAs(
  run: R,
  asked: ProposePullAsk,
  about: Pick<ClosingSession['facts'], 'id' | 'title'>,
): Promise<{ readonly number: number; readonly isMerged: boolean } | 'skipped' | 'overtaken'> {
  for (let tries = 1; ; tries += 1) {
    const step = tries === 1 ? run : run.scope(`again-${tries}`);
    if (await isMergedBefore(step.scope('before'), asked.item, asked.commit)) return 'overtaken';
    const proposed = await step.do('propose', { kind: 'propose', ...asked });
    if (proposed.failure === undefined) return proposed;
    if ((await settleTrouble(step, about, proposed.failure)) === 'skip') return 'skipped';
  }
}

type Held = Extract<Delivered, { readonly is: 'held' }>;
const held = (failure: Failure | null, problems: readonly Problem[]): Held => ({ is: 'held', failure, problems });

const refusal = ({ params, reason }: Failure): Problem => ({
  code: 'merge-refused',
  params: { words: String(params['words'] ?? reason) },
});

/** The end-to-end tests on exactly what is proposed. Where they passed on these files in the review, they are not run twice. */
async function verified(run: R, closing: ClosingSession, tree: string, config: Config): Promise<readonly Problem[]> {
  const tried = await endToEnd(run, closing, config);
  if (tried.is === 'none') return [];
  if (tried.is === 'failed') return [{ code: 'ci-failed', params: { name: 'e2e-verify', summary: tried.output } }];
  const summary = 'The files are not those of the pull request any more.';
  return tried.tree === tree ? [] : [{ code: 'ci-failed', params: { name: 'e2e-verify', summary } }];
}

type MergeFacts = {
  readonly since: string;
  readonly title: string;
  readonly body: string;
  readonly ci: CiOutcome;
  /** Where it continues if there is no answer. */
  readonly reached: string;
};
/** Why the merge-checker does not let it be merged; null: it does. */
async function refusedBy(
  run: R,
  closing: ClosingSession,
  { since, title, body, ci, reached }: MergeFacts,
  config: Config,
): Promise<Held | null> {
  const opening = openingSay(mergeChecker, { item: closing.facts.id, since, title, body, checks: shownCi(ci) });
  const judging = { closing, role: 'merge-checker', pass: 1, opening, read: readMergeCheck, before: null };
  const ready = await judgedBy(run, judging, config);
  if (ready.is === 'none') return { ...held(ready.failure, ready.problems), reached };
  if (ready.isConverged) return null;
  return held(null, ready.findings.filter(({ severity }) => severity !== 'low').map(asProblem));
}

/** What the preparer wrote. A plan is delivered without it too: its title says what it is. */
async function prepared(run: R, { facts, session }: ClosingSession, since: string, config: Config): Promise<PullText> {
  const about = { session, item: facts.id };
  const answer = await withoutStrays(run, about, () =>
    askRole<PullText>(
      run,
      facts,
      {
        role: 'preparer',
        isAnswer: (text) => /^[\s#>*_-]*title\s*[:=]/i.test(text),
        attempt: 1,
        opening: openingSay(preparer, { item: facts.id, since }),
        async read(text) {
          const found = readPullText(text);
          return found === null
            ? { problems: [{ code: 'review-unanswered', params: { role: 'preparer' } }] }
            : { answer: found };
        },
      },
      config,
    ),
  );
  return answer.is === 'answered' ? answer.answer : { title: facts.title, body: '' };
}
