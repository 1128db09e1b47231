// Others judge the work before it lands: the validator, and where configured a second one, a role that looks at it in a browser, a smoke test and a
// documenter. They see the candidate and what it was begun on, not the worker's reasons, and cannot change it. What they changed all the same is
// taken back, and their verdict is void.
import { openingSay, readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Checkpoint } from '../../model/checkpoint.ts';
import type { Config } from '../../model/config.ts';
import type { Failure, Params } from '../../model/failure.ts';
import type { ReviewFacts } from '../../model/review.ts';
import type { Unseen } from '../../model/tools.ts';
import type { Problem } from '../../model/verdict.ts';
import type { ClosingSession } from '../session/ending-hooks.ts';
import type { Acceptance, HeldWork, Reproved } from '../session/item/kind.ts';
import { shownChecks } from '../session/verdicts.ts';
import { reviewer } from './briefs.ts';
import { documented } from './documenter.ts';
import { claimsOf } from './review-facts.ts';
import { keepIssues } from './convert.ts';
import { askRole } from './role-session.ts';
import { problemsOf, readReview, type ReviewIssue } from './review-answer.ts';
import { quotesFound } from './quotes.ts';
import { smokeTest } from './smoke.ts';
import { judgedUnchanged } from '../session/strays.ts';
import { shownInBrowser } from './ui-qa.ts';

type R = Run<Actions>;

/** The mission's own folder: the plan, the notes and the transcripts of others. */
const UNSEEN: Unseen = { folders: ['.harness'], but: [] };

/** `problems` empty: it passed. */
type Reviewed = {
  readonly problems: readonly Problem[];
  readonly issues: readonly ReviewIssue[];
  readonly outage: Failure | null;
  /** What is kept of it; null: it gave no answer. */
  readonly kept: Pick<ReviewFacts, 'by' | 'claims' | 'assertions'> | null;
};

export async function review(
  run: R,
  closing: ClosingSession,
  held: HeldWork,
  config: Config,
): Promise<Acceptance<Reproved>> {
  const { facts, session } = closing;
  const before = await run.do('before', { kind: 'checkpoint', session, item: facts.id, why: 'pre_review' });
  const output = shownChecks(held.verdict);
  const issues: ReviewIssue[] = [];
  for (const role of ['validator', ...(config.mission.crosscheck ? ['crosscheck'] : [])]) {
    const found = await judgedBy(run.scope(role), { closing, before, role, output, shown: 'checks' }, config);
    if (found.outage !== null) return saved(found.outage, []);
    await keep(run.scope(role), { closing, held, role }, found);
    if (found.problems.length > 0) return saved(null, found.problems);
    issues.push(...found.issues);
  }
  const seen = await shownInBrowser(run.scope('pages'), closing, before, config);
  if (seen !== null) {
    const { claims: only, output: pages, problems } = seen;
    if (problems.length > 0) return saved(null, problems);
    const judging = { closing, before, role: 'ui-qa', output: pages, shown: 'browser', only } as const;
    const found = await judgedBy(run.scope('ui-qa'), judging, config);
    if (found.outage !== null) return saved(found.outage, []);
    await keep(run.scope('ui-qa'), { closing, held, role: 'ui-qa' }, found);
    if (found.problems.length > 0) return saved(null, found.problems);
    issues.push(...found.issues);
  }
  const smoke = await smokeTest(run.scope('smoke'), session, config);
  if (smoke.length > 0) return saved(null, smoke);
  await keepIssues(run.scope('issues'), facts.id, issues);
  if (!config.mission.documenter) return { is: 'accepted', verdict: held.verdict, strength: held.strength };
  return documented(run.scope('documenter'), closing, { held, before }, config);
}

/** The verdict is evidence, whatever it says: it lands with the work, or shows what was wrong with it. */
async function keep(
  run: R,
  {
    closing: { facts, session, checkpoint },
    held,
    role,
  }: { readonly closing: ClosingSession; readonly held: HeldWork; readonly role: string },
  { kept, problems }: Reviewed,
): Promise<void> {
  if (kept === null) return;
  const { tree } = held.verdict;
  const review = { item: facts.id, role, tree, ...kept, problems };
  const since = facts.partial?.base ?? checkpoint.commit;
  await run.do('kept', { kind: 'remember', what: 'review', session, review, since, testFile: facts.testFile });
}

/** The work stays, and the next session of the feature continues it. */
const saved = (failure: Failure | null, problems: readonly Problem[]): Acceptance<Reproved> => ({
  is: 'decided',
  decision: { do: 'save', why: failure === null ? 'review' : 'error', failure, problems },
});

type Judging = {
  readonly closing: ClosingSession;
  readonly before: Checkpoint;
  readonly role: string;
  readonly output: string;
  readonly shown: 'checks' | 'browser';
  /** The assertions that it judges; left out: all of the feature. */
  readonly only?: readonly string[];
};

async function judgedBy(run: R, judging: Judging, config: Config): Promise<Reviewed> {
  const { closing, role, before } = judging;
  const about = { role, before, session: closing.session, item: closing.facts.id };
  const { found, isVoid } = await judgedUnchanged(run, about, (step) => judgedOnce(step, judging, config));
  return isVoid === null ? found : { problems: [isVoid], issues: [], outage: null, kept: found.kept };
}

async function judgedOnce(run: R, judging: Judging, config: Config): Promise<Reviewed> {
  const { closing, role, output, shown, only } = judging;
  const { facts, checkpoint } = closing;
  const { claims: all, unresolved } = await readFacts(run, claimsOf, { item: facts.id });
  const claims = only === undefined ? all : all.filter(({ id }) => only.includes(id));
  const ids = claims.map(({ id }) => id);
  // The contract changed while the feature was built: nothing passes without an assertion.
  if (unresolved.length > 0 || claims.length === 0) {
    const missing = unresolved.map((claim): Problem => ({
      code: 'plan-claim-unresolved',
      params: { claim, item: facts.id },
    }));
    const none: Problem = { code: 'plan-without-claims', params: {}, ids: [facts.id] };
    return { problems: missing.length > 0 ? missing : [none], issues: [], outage: null, kept: null };
  }
  const since = facts.partial?.base ?? checkpoint.commit;
  const answer = await askRole<Pick<Reviewed, 'problems' | 'issues'> & Pick<ReviewFacts, 'assertions'>>(
    run,
    {
      role,
      item: facts.id,
      title: facts.title,
      attempt: facts.attempt,
      unseen: UNSEEN,
      opening: openingSay(reviewer, { item: facts.id, since, output, shown, ...(only ? { only } : {}) }),
      async read(text, step) {
        const read = readReview(text);
        const missing = ids.find((claim) => read?.assertions.every(({ id }) => id !== claim) ?? true);
        if (read === null || missing !== undefined) {
          const params: Params = read === null ? { role } : { role, why: 'assertion-missing', claim: missing ?? '' };
          return { problems: [{ code: 'review-unanswered', params }] };
        }
        const quotes = read.assertions
          .filter(({ verdict }) => verdict === 'pass')
          .map(({ id, path, quote }) => ({ id, path, quote }));
        const quoted = new Set((await readFacts(step, quotesFound, { quotes, output })).found);
        const problems = problemsOf(role, ids, read, quoted);
        // A pass without a quote is the reviewer's to correct: the worker could not.
        const isUnquoted = problems.length > 0 && problems.every(({ code }) => code === 'review-unquoted');
        const assertions = read.assertions.map((one) => ({ ...one, found: quoted.has(one.id) }));
        return isUnquoted ? { problems } : { answer: { problems, issues: read.issues, assertions } };
      },
    },
    config,
  );
  const { session: by } = answer;
  if (answer.is === 'unavailable') return { problems: [], issues: [], outage: answer.failure, kept: null };
  if (answer.is === 'unanswered')
    return { problems: answer.problems, issues: [], outage: null, kept: { by, claims, assertions: [] } };
  const { assertions, ...said } = answer.answer;
  return { ...said, outage: null, kept: { by, claims, assertions } };
}
