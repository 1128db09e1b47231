// What people and CI do on the stand-in for GitHub.
import type { GitHub } from './server.ts';
import type { StoredIssue } from './state.ts';

export function fileIssue(
  { state }: GitHub,
  title: string,
  body: string,
  labels: readonly string[] = ['harness'],
): StoredIssue {
  const at = state.now();
  const issue: StoredIssue = {
    number: state.next(),
    title,
    body,
    state: 'open',
    reason: null,
    events: [],
    at,
    updated: at,
    labels: [...labels],
  };
  state.issues.set(issue.number, issue);
  return issue;
}

/** The checks of each newest commit of an open pull request pass. */
export function checksPass({ state, repo }: GitHub): void {
  for (const { head, state: open } of state.pulls.values()) {
    const sha = repo.tip(head);
    if (open === 'closed' || sha === null || state.checks.some((one) => one.sha === sha)) continue;
    state.checks.push({ name: 'tests', sha, status: 'completed', conclusion: 'success' });
  }
}
