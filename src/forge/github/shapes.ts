// What is read of GitHub's answers, and what it means in the words of the port. Pure.
import { z } from 'zod';
import { entryOf } from '../../model/entry.ts';
import type { Check, CheckState, Comment, Issue, Pull } from '../port.ts';

const person = z.object({ login: z.string() }).nullish();
const labels = z.array(z.union([z.string(), z.object({ name: z.string().nullish() })]));
const namesOf = (all: z.output<typeof labels>): readonly string[] =>
  all.flatMap((label) => (typeof label === 'string' ? [label] : [label.name ?? ''])).filter((name) => name !== '');
const by = (one: z.output<typeof person>): string => one?.login ?? '';

/** `merged`, `mergeable` and `merge_commit_sha` are not in lists. */
export const pullShape = z.object({
  number: z.number(),
  html_url: z.string(),
  state: z.enum(['open', 'closed']),
  title: z.string(),
  body: z.string().nullable(),
  draft: z.boolean().nullish(),
  merged_at: z.string().nullable(),
  merged: z.boolean().optional(),
  mergeable: z.boolean().nullish(),
  mergeable_state: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
  head: z.object({ ref: z.string(), sha: z.string() }),
  base: z.object({ ref: z.string() }),
  labels,
});

export function pullOf(pull: z.output<typeof pullShape>): Pull {
  const isMerged = pull.merged_at !== null || pull.merged === true;
  const state = isMerged ? 'merged' : pull.state;
  return {
    number: pull.number,
    url: pull.html_url,
    state,
    title: pull.title,
    body: pull.body ?? '',
    isDraft: pull.draft ?? false,
    head: { branch: pull.head.ref, sha: pull.head.sha },
    base: pull.base.ref,
    mergeable: state === 'open' && typeof pull.mergeable === 'boolean' ? (pull.mergeable ? 'yes' : 'no') : 'unknown',
    labels: namesOf(pull.labels),
    ...(state === 'open' && pull.mergeable_state === 'blocked' ? { isBlocked: true } : {}),
    // Before the merge it is a trial merge.
    mergeCommit: isMerged ? (pull.merge_commit_sha ?? null) : null,
  };
}

export const issueShape = z.object({
  number: z.number(),
  html_url: z.string(),
  state: z.string(),
  state_reason: z.string().nullish(),
  title: z.string(),
  body: z.string().nullish(),
  updated_at: z.string(),
  labels,
  /** It is a pull request: GitHub lists both together. */
  pull_request: z.unknown().optional(),
});

export const issueOf = (issue: z.output<typeof issueShape>): Issue => ({
  number: issue.number,
  url: issue.html_url,
  state: issue.state === 'open' ? 'open' : 'closed',
  title: issue.title,
  body: issue.body ?? '',
  labels: namesOf(issue.labels),
  isReopened: issue.state === 'open' && issue.state_reason === 'reopened',
  updatedAt: issue.updated_at,
});

export const eventShape = z.object({ event: z.string().optional(), created_at: z.string().optional(), actor: person });

const noted = {
  id: z.number(),
  user: person,
  body: z.string().nullish(),
  author_association: z.string().nullish(),
};
export const commentShape = z.object({ ...noted, created_at: z.string() });
export const inlineShape = z.object({
  ...noted,
  created_at: z.string(),
  path: z.string(),
  line: z.number().nullish(),
  original_line: z.number().nullish(),
});
export const reviewShape = z.object({ ...noted, state: z.string(), submitted_at: z.string().optional() });

/** Who may push, in GitHub's words. */
const TRUSTED: readonly string[] = ['OWNER', 'MEMBER', 'COLLABORATOR'];
const isTrusted = ({ author_association: as }: { readonly author_association?: string | null | undefined }): boolean =>
  TRUSTED.includes(as ?? '');

const NO_PLACE = { path: null, line: null, verdict: null };

export const commentOf = (one: z.output<typeof commentShape>): Comment => ({
  id: `comment-${one.id}`,
  kind: 'comment',
  author: by(one.user),
  isTrusted: isTrusted(one),
  body: one.body ?? '',
  at: one.created_at,
  ...NO_PLACE,
});

export const inlineOf = (one: z.output<typeof inlineShape>): Comment => ({
  id: `inline-${one.id}`,
  kind: 'inline',
  author: by(one.user),
  isTrusted: isTrusted(one),
  body: one.body ?? '',
  at: one.created_at,
  path: one.path,
  line: one.line ?? one.original_line ?? null,
  verdict: null,
});

/** null: it says nothing, neither in words nor by its state, or it was not handed in yet. */
export function reviewOf(one: z.output<typeof reviewShape>): Comment | null {
  const verdict =
    one.state === 'APPROVED' ? 'approved' : one.state === 'CHANGES_REQUESTED' ? 'changes-requested' : null;
  const body = one.body ?? '';
  if (one.state === 'PENDING' || (verdict === null && body === '')) return null;
  return {
    id: `review-${one.id}`,
    kind: 'review',
    author: by(one.user),
    isTrusted: isTrusted(one),
    body,
    at: one.submitted_at ?? '',
    ...NO_PLACE,
    verdict,
  };
}

export const checkRunsShape = z.object({
  check_runs: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      conclusion: z.string().nullable(),
      html_url: z.string().nullable(),
      app: z.object({ slug: z.string().nullish() }).nullish(),
      output: z.object({
        title: z.string().nullable(),
        summary: z.string().nullable(),
        text: z.string().nullish(),
      }),
    }),
  ),
});
export const statusShape = z.object({
  statuses: z.array(
    z.object({
      context: z.string(),
      state: z.string(),
      target_url: z.string().nullish(),
      description: z.string().nullish(),
    }),
  ),
});

const CONCLUSIONS: { readonly [conclusion: string]: CheckState } = {
  success: 'passed',
  neutral: 'passed',
  skipped: 'passed',
};
/** A conclusion that is not known counts as failed: nothing is merged on a word that is not understood. */
export function checkRunOf(run: z.output<typeof checkRunsShape>['check_runs'][number]): Check {
  const { name, status, conclusion, html_url: url, app, output } = run;
  const slug = app?.slug ?? null;
  return {
    name,
    state: status === 'completed' ? (entryOf(CONCLUSIONS, conclusion ?? '') ?? 'failed') : 'pending',
    url,
    summary: [output.title, output.summary, output.text]
      .map((part) => part?.trim() ?? '')
      .filter((part) => part !== '')
      .join('\n'),
    ...(slug === null ? {} : { by: slug }),
  };
}

/** GitHub's own program that runs workflows. */
const ACTIONS = 'github-actions';

export const suitesShape = z.object({
  check_suites: z.array(
    z.object({
      status: z.string().nullish(),
      app: z.object({ slug: z.string().nullish() }).nullish(),
      latest_check_runs_count: z.number().nullish(),
    }),
  ),
});
/**
 * A suite of workflows that are to begin, before any run of it is there; null: it says nothing. GitHub makes a suite of every installed program for every
 * commit, which stays queued for ever where the program has nothing to check: only that of workflows is waited for.
 */
export const suiteOf = (suite: z.output<typeof suitesShape>['check_suites'][number]): Check | null =>
  suite.app?.slug === ACTIONS && suite.status !== 'completed' && (suite.latest_check_runs_count ?? 0) === 0
    ? { name: 'workflows', state: 'pending', url: null, summary: 'not begun', by: ACTIONS }
    : null;

/** What the base branch requires, as rules say it and as the older protection of branches does. */
export const rulesShape = z.array(
  z.object({
    type: z.string(),
    parameters: z.object({ required_status_checks: z.array(z.object({ context: z.string() })).optional() }).optional(),
  }),
);
export const branchShape = z.object({
  protection: z
    .object({ required_status_checks: z.object({ contexts: z.array(z.string()).optional() }).nullish() })
    .nullish(),
});
export const requiredBy = (rules: z.output<typeof rulesShape>): readonly string[] =>
  rules.flatMap(({ type, parameters }) =>
    type === 'required_status_checks' ? (parameters?.required_status_checks ?? []).map(({ context }) => context) : [],
  );

const STATES: { readonly [state: string]: CheckState } = { success: 'passed', pending: 'pending' };
export const statusOf = (status: z.output<typeof statusShape>['statuses'][number]): Check => ({
  name: status.context,
  state: entryOf(STATES, status.state) ?? 'failed',
  url: status.target_url ?? null,
  summary: status.description ?? '',
});
