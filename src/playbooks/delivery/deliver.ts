// From the accepted work to the base branch: prepare-pr → open PR → CI → merge-readiness → label and merge → the plan file moved. Each step is
// remembered, and each effect finds what it has done, so that a run that was killed ends with one pull request and one merge.
import { openingSay } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { Failure } from '../../model/failure.ts';
import type { CiOutcome, ProposePullAsk } from '../../model/forge-action.ts';
import type { Problem } from '../../model/verdict.ts';
import type { ClosingSession, Delivered, Proposed } from '../session/endings.ts';
import { askRole } from '../session/role-session.ts';
import { mergeChecker, preparer } from './briefs.ts';
import { asProblem, judgedBy, takeBack } from './judged.ts';
import { movePlan } from './merged.ts';
import { branchOf, markOf, READY_LABEL } from './paths.ts';
import { pullBody, readPullText, type PullText } from './pull-text.ts';
import { recordOf } from './record.ts';
import { readMergeCheck } from './review-answer.ts';
import { settleTrouble } from './trouble.ts';

type R = Run<Actions>;

export async function deliver(
  run: R,
  closing: ClosingSession,
  { commit }: Proposed,
  config: Config,
): Promise<Delivered> {
  const { facts } = closing;
  const { id: item } = facts;
  const since = facts.partial?.base ?? closing.checkpoint.commit;
  const record = await recordOf(run, item);
  const text = await prepared(run.scope('prepare-pr'), closing, since, config);
  const body = pullBody(text, { item, record });
  const { title } = text;
  const asked = { item, branch: branchOf(item), mark: markOf(item), commit, title, body };
  const proposed = await proposedAs(run, asked, facts);
  if (proposed === null) return held(null, []);
  const { number, isMerged } = proposed;
  if (!isMerged) {
    const ci = await awaited(run.scope('ci'), commit, closing);
    if (ci === null || ci.state === 'failed') return held(null, ci === null ? [STILL_PENDING] : failedChecks(ci));
    const opening = openingSay(mergeChecker, { item, since, title, body, checks: shownCi(ci) });
    const judging = { closing, role: 'merge-checker', pass: 1, opening, read: readMergeCheck, before: null };
    const ready = await judgedBy(run.scope('merge-check'), judging, config);
    if (ready.is === 'none') return held(ready.failure, ready.problems);
    if (!ready.isConverged)
      return held(null, ready.findings.filter(({ severity }) => severity !== 'low').map(asProblem));
    const merge = { number, head: commit, title: `${title} (#${number})`, message: `Plan ${item}`, label: READY_LABEL };
    const merged = await run.do('merge', { kind: 'merge-pull', ...merge });
    if (merged.failure !== null) return held(null, [refusal(merged.failure)]);
  }
  await movePlan(run.scope('merged'), item);
  return { is: 'merged', commit };
}

/** null: a user leaves the plan out. What others have on its branch is asked about until it is gone. */
async function proposedAs(
  run: R,
  asked: ProposePullAsk,
  about: Pick<ClosingSession['facts'], 'id' | 'title'>,
): Promise<{ readonly number: number; readonly isMerged: boolean } | null> {
  for (let tries = 1; ; tries += 1) {
    const step = tries === 1 ? run : run.scope(`again-${tries}`);
    const proposed = await step.do('propose', { kind: 'propose', ...asked });
    if (proposed.failure === undefined) return proposed;
    if ((await settleTrouble(step, about, proposed.failure)) === 'skip') return null;
  }
}

const held = (failure: Failure | null, problems: readonly Problem[]): Delivered => ({ is: 'held', failure, problems });

const refusal = ({ params, reason }: Failure): Problem => ({
  code: 'merge-refused',
  params: { words: String(params['words'] ?? reason) },
});

/** What the preparer wrote. A plan is delivered without it too: its title says what it is. */
async function prepared(run: R, { facts, session }: ClosingSession, since: string, config: Config): Promise<PullText> {
  const about = { session, item: facts.id };
  const candidate = await run.do('candidate', { kind: 'checkpoint', ...about, why: 'pre_role' });
  const answer = await askRole<PullText>(
    run,
    {
      role: 'preparer',
      item: facts.id,
      title: facts.title,
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
  );
  await takeBack(run, candidate, about);
  return answer.is === 'answered' ? answer.answer : { title: facts.title, body: '' };
}

/** The checks are asked again after so long, at first and later. */
const FIRST_MS = 10_000;
const LATER_MS = 60_000;
/** Four hours. */
const MOST_ASKED = 240;
/** How often checks are waited for that are not registered yet. */
const MOST_NONE = 6;

const STILL_PENDING: Problem = { code: 'ci-failed', params: { name: 'ci', summary: 'it has not ended' } };

/** The checks once they have ended; null: they did not. */
async function awaited(run: R, commit: string, { facts, session }: ClosingSession): Promise<CiOutcome | null> {
  for (let asked = 1; asked <= MOST_ASKED; asked += 1) {
    const step = run.scope(`look-${asked}`);
    const ci = await step.do('ci', { kind: 'ci', commit });
    const isOpen = ci.state === 'pending' || (ci.state === 'none' && ci.mayCome && asked < MOST_NONE);
    if (!isOpen) return ci;
    const delayMs = asked < MOST_NONE ? FIRST_MS : LATER_MS;
    const about = { attempt: asked, of: MOST_ASKED, delayMs, item: facts.id, session };
    await step.do('wait', { kind: 'wait', why: 'forge-checks-pending', ...about });
  }
  return null;
}

const failedChecks = ({ checks }: CiOutcome): readonly Problem[] =>
  checks
    .filter(({ state }) => state === 'failed')
    .map(({ name, summary }) => ({
      code: 'ci-failed',
      params: { name, summary: summary.slice(-2_000).toWellFormed() },
    }));

const shownCi = ({ state, checks }: CiOutcome): string =>
  state === 'none' ? 'No checks are configured.' : checks.map((one) => `${one.name}: ${one.state}`).join('\n');
