// Issues on GitHub, where a pull request counts as an issue too and is left out.
import { z } from 'zod';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { keyOf, withKey } from '../marker.ts';
import { isUncertain, untilSeen } from '../patience.ts';
import type { Forge, Issue, IssueAsk, IssueFilter, IssuePage } from '../port.ts';
import type { Client } from './client.ts';
import { eventShape, issueOf, issueShape } from './shapes.ts';

const ISSUES = '/repos/{owner}/{repo}/issues';
const issueList = z.array(issueShape);

type Issues = Pick<Forge, 'issues' | 'createIssue' | 'readIssue' | 'issueEvents' | 'setIssueState'>;

export function githubIssues(client: Client): Issues {
  async function issues({ state, labels, since, size, cursor }: IssueFilter): Promise<Result<IssuePage>> {
    const from = since === null ? {} : { since };
    const params = { state, ...labelled(labels), ...from, per_page: size, page: cursor ?? '1' };
    const page = await client.ask(`GET ${ISSUES}`, params, issueList);
    if (!page.ok) return page;
    return ok({ issues: page.value.data.filter(isIssue).map(issueOf), next: page.value.next });
  }

  async function find({ key, labels, since }: IssueAsk): Promise<Result<Issue | null>> {
    for (let cursor: string | null = null; ;) {
      const page: Result<IssuePage> = await issues({ state: 'all', labels, since, size: 100, cursor });
      if (!page.ok) return page;
      const found = page.value.issues.find(({ body }) => keyOf(body) === key);
      if (found !== undefined) return ok(found);
      if (page.value.next === null) return ok(null);
      cursor = page.value.next;
    }
  }

  async function createIssue(ask: IssueAsk): ReturnType<Forge['createIssue']> {
    const found = await find(ask);
    if (!found.ok) return found;
    if (found.value !== null) return ok({ issue: found.value, how: 'unchanged' });
    const { title, labels } = ask;
    const params = { title, labels, body: withKey(ask.body, ask.key) };
    const create = () => client.ask(`POST ${ISSUES}`, params, issueShape);
    let created = await create();
    if (!created.ok && isUncertain(created.failure)) {
      const seen = await untilSeen(client.waiting, () => find(ask));
      if (!seen.ok) return seen;
      if (seen.value !== null) return ok({ issue: seen.value, how: 'unchanged' });
      created = await create();
    }
    return created.ok ? ok({ issue: issueOf(created.value.data), how: 'created' }) : created;
  }

  return {
    issues,
    createIssue,
    async readIssue(number) {
      const read = await client.ask(`GET ${ISSUES}/{issue_number}`, { issue_number: number }, issueShape);
      if (!read.ok) return read;
      return isIssue(read.value.data)
        ? ok(issueOf(read.value.data))
        : err(failure('forge-not-found', { what: `#${number}` }));
    },
    async issueEvents(number) {
      const route = `GET ${ISSUES}/{issue_number}/events`;
      const read = await client.all(route, { issue_number: number }, z.array(eventShape).readonly());
      if (!read.ok) return read;
      return ok(
        read.value.flatMap(({ event, created_at: at = '', actor }) =>
          event === 'closed' || event === 'reopened' ? [{ what: event, at, by: actor?.login ?? '' }] : [],
        ),
      );
    },
    async setIssueState(number, state) {
      const params = { issue_number: number, state };
      const done = await client.ask(`PATCH ${ISSUES}/{issue_number}`, params, issueShape);
      return done.ok ? ok(issueOf(done.value.data)) : done;
    },
  };
}

const isIssue = ({ pull_request: pull }: z.output<typeof issueShape>): boolean => pull === undefined || pull === null;

/** An empty filter would be taken for a label without a name. */
const labelled = (labels: readonly string[]) => (labels.length === 0 ? {} : { labels: labels.join(',') });
