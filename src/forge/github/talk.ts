// Comments, reviews, labels and checks on GitHub.
import { z } from 'zod';
import { err, ok, type Result } from '../../model/result.ts';
import { keyOf, withKey } from '../marker.ts';
import { isUncertain, untilSeen } from '../patience.ts';
import { checksOf, type Comment, type CommentAsk, type Forge, type LabelChange } from '../port.ts';
import type { GithubAnswer, Client } from './client.ts';
import {
  branchShape,
  checkRunOf,
  checkRunsShape,
  commentOf,
  commentShape,
  inlineOf,
  inlineShape,
  requiredBy,
  reviewOf,
  reviewShape,
  rulesShape,
  statusOf,
  statusShape,
  suiteOf,
  suitesShape,
} from './shapes.ts';

const REPO = '/repos/{owner}/{repo}';
const ISSUE = `${REPO}/issues/{issue_number}`;
const PULL = `${REPO}/pulls/{pull_number}`;
const labelNames = z.array(z.object({ name: z.string() }));

export function githubTalk(
  client: Client,
): Pick<Forge, 'comments' | 'comment' | 'label' | 'checks' | 'requiredChecks'> {
  const plainComments = (number: number) =>
    client.all(`GET ${ISSUE}/comments`, { issue_number: number }, z.array(commentShape).readonly());

  async function comments(number: number): Promise<Result<readonly Comment[]>> {
    const said = await plainComments(number);
    if (!said.ok) return said;
    const inline = await client.all(`GET ${PULL}/comments`, { pull_number: number }, z.array(inlineShape).readonly());
    if (!inline.ok) return inline;
    const reviews = await client.all(`GET ${PULL}/reviews`, { pull_number: number }, z.array(reviewShape).readonly());
    if (!reviews.ok) return reviews;
    const all = [
      ...said.value.map(commentOf),
      ...inline.value.map(inlineOf),
      ...reviews.value.map(reviewOf).filter((one) => one !== null),
    ];
    return ok(all.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)));
  }

  async function comment(number: number, { body, key }: CommentAsk): Promise<Result<Comment>> {
    const create = async () => {
      const text = key === null ? body : withKey(body, key);
      const done = await client.ask(`POST ${ISSUE}/comments`, { issue_number: number, body: text }, commentShape);
      return done.ok ? ok(commentOf(done.value.data)) : done;
    };
    if (key === null) return create();
    const find = async () => {
      const said = await plainComments(number);
      return said.ok ? ok(said.value.find((one) => keyOf(one.body ?? null) === key) ?? null) : said;
    };
    const edited = async (found: z.output<typeof commentShape>): Promise<Result<Comment>> => {
      const text = withKey(body, key);
      if (found.body === text) return ok(commentOf(found));
      const params = { comment_id: found.id, body: text };
      const done = await client.ask(`PATCH ${REPO}/issues/comments/{comment_id}`, params, commentShape);
      return done.ok ? ok(commentOf(done.value.data)) : done;
    };
    const found = await find();
    if (!found.ok) return found;
    if (found.value !== null) return edited(found.value);
    const created = await create();
    if (created.ok || !isUncertain(created.failure)) return created;
    const seen = await untilSeen(client.waiting, find);
    if (!seen.ok) return seen;
    return seen.value === null ? create() : edited(seen.value);
  }

  async function label(number: number, { add, remove }: LabelChange): Promise<Result<readonly string[]>> {
    if (add.length > 0) {
      const added = await client.ask(`POST ${ISSUE}/labels`, { issue_number: number, labels: add }, labelNames);
      if (!added.ok) return added;
    }
    for (const name of remove) {
      const gone = await client.ask(`DELETE ${ISSUE}/labels/{name}`, { issue_number: number, name }, labelNames);
      if (!gone.ok && gone.failure.reason !== 'forge-not-found') return gone;
    }
    const now = await client.all(`GET ${ISSUE}/labels`, { issue_number: number }, labelNames.readonly());
    return now.ok ? ok(now.value.map(({ name }) => name)) : now;
  }

  async function checks(sha: string): ReturnType<Forge['checks']> {
    const runs = await allPages(client, `GET ${REPO}/commits/{ref}/check-runs`, sha, checkRunsShape, (page) =>
      page.check_runs.map(checkRunOf),
    );
    if (!runs.ok) return runs;
    const statuses = await allPages(client, `GET ${REPO}/commits/{ref}/status`, sha, statusShape, (page) =>
      page.statuses.map(statusOf),
    );
    if (!statuses.ok) return statuses;
    const suites = await orNone(
      allPages(client, `GET ${REPO}/commits/{ref}/check-suites`, sha, suitesShape, (page) =>
        page.check_suites.map(suiteOf),
      ),
    );
    if (!suites.ok) return suites;
    const queued = suites.value.filter((one) => one !== null).slice(0, 1);
    return ok(checksOf(sha, [...runs.value, ...queued, ...statuses.value]));
  }

  async function requiredChecks(branch: string): ReturnType<Forge['requiredChecks']> {
    const rules = await orNone(client.all(`GET ${REPO}/rules/branches/{branch}`, { branch }, rulesShape.readonly()));
    if (!rules.ok) return rules;
    const older = await orNone(protectedBy(branch));
    return older.ok ? ok([...new Set([...requiredBy([...rules.value]), ...older.value])]) : older;
  }

  async function protectedBy(branch: string): Promise<Result<readonly string[]>> {
    const read = await client.ask(`GET ${REPO}/branches/{branch}`, { branch }, branchShape);
    return read.ok ? ok(read.value.data.protection?.required_status_checks?.contexts ?? []) : read;
  }

  return { comments, comment, label, checks, requiredChecks };
}

/** What this account may not see, or this server does not have. */
async function orNone<T>(reading: Promise<Result<readonly T[]>>): Promise<Result<readonly T[]>> {
  const read = await reading;
  const isHidden = !read.ok && ['forge-forbidden', 'forge-not-found'].includes(read.failure.reason);
  return isHidden ? ok([]) : read;
}

/** Of lists inside an object. */
async function allPages<P, T>(
  client: Client,
  route: string,
  ref: string,
  shape: z.ZodType<P>,
  entries: (page: P) => readonly T[],
): Promise<Result<readonly T[]>> {
  const found: T[] = [];
  for (let page: string | null = '1'; page !== null;) {
    const answer: Result<GithubAnswer<P>> = await client.ask(route, { ref, per_page: 100, page }, shape);
    if (!answer.ok) return err(answer.failure);
    found.push(...entries(answer.value.data));
    page = answer.value.next;
  }
  return ok(found);
}
