// Pull requests on GitHub. Each of them is found before it is made, and looked for again after an answer that was lost.
import { z } from 'zod';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { isSameBody, keyLine, keyOf, withKey } from '../marker.ts';
import { isUncertain, untilSeen } from '../patience.ts';
import type { Forge, PullMergeAsk, MergedPull, OpenedPull, Pull, PullAsk } from '../port.ts';
import type { Client } from './client.ts';
import { pullOf, pullShape } from './shapes.ts';

const PULLS = '/repos/{owner}/{repo}/pulls';
const pullList = z.array(pullShape);

type Pulls = Pick<Forge, 'findPull' | 'openPull' | 'readPull' | 'closePull' | 'mergePull'>;

/** `headOwner`: the owner of the repository that branches are pushed to, which may be a fork. */
export function githubPulls(client: Client, headOwner: string): Pulls {
  /** Made by this process: GitHub may not show them at once. */
  const made = new Set<number>();

  const ofBranch = (head: string, state: 'open' | 'all') =>
    client.all(
      `GET ${PULLS}`,
      { head: `${headOwner}:${head}`, state, sort: 'created', direction: 'desc' },
      pullList.readonly(),
    );

  async function findPull({ head, key }: Pick<PullAsk, 'head' | 'key'>): Promise<Result<Pull | null>> {
    const listed = await ofBranch(head, 'all');
    if (!listed.ok) return listed;
    const own = listed.value.filter(({ body }) => keyOf(body) === key).map(pullOf);
    return ok(own.find(({ state }) => state === 'open') ?? own[0] ?? null);
  }

  async function findOpen({ head, base, key }: PullAsk): Promise<Result<Pull | null>> {
    const listed = await ofBranch(head, 'open');
    if (!listed.ok) return listed;
    const open = listed.value.map(pullOf);
    const own = open.find(({ body }) => keyOf(body) === key);
    if (own !== undefined) return ok(own);
    const other = open.find((pull) => pull.base === base);
    return other === undefined ? ok(null) : err(ofAnother(other, key));
  }

  async function readOnce(number: number): Promise<Result<Pull>> {
    const read = await client.ask(`GET ${PULLS}/{pull_number}`, { pull_number: number }, pullShape);
    return read.ok ? ok(pullOf(read.value.data)) : read;
  }

  async function readPull(number: number): Promise<Result<Pull>> {
    const read = await readOnce(number);
    if (read.ok || read.failure.reason !== 'forge-not-found' || !made.has(number)) return read;
    const seen = await untilSeen(client.waiting, () => seenOrNull(readOnce(number)));
    if (!seen.ok) return seen;
    return seen.value === null ? err(failure('forge-not-visible', { what: `#${number}` })) : ok(seen.value);
  }

  async function change(number: number, params: object): Promise<Result<Pull>> {
    const done = await client.ask(`PATCH ${PULLS}/{pull_number}`, { pull_number: number, ...params }, pullShape);
    return done.ok ? ok(pullOf(done.value.data)) : done;
  }

  async function upToDate(pull: Pull, ask: PullAsk): Promise<Result<OpenedPull>> {
    const body = withKey(ask.body, ask.key);
    if (pull.title === ask.title && pull.base === ask.base && isSameBody(pull.body, body))
      return ok({ pull, how: 'unchanged' });
    const changed = await change(pull.number, { title: ask.title, body, base: ask.base });
    return changed.ok ? ok({ pull: changed.value, how: 'updated' }) : changed;
  }

  async function openPull(ask: PullAsk): Promise<Result<OpenedPull>> {
    const found = await findOpen(ask);
    if (!found.ok) return found;
    if (found.value !== null) return upToDate(found.value, ask);
    const { head, base, title, isDraft } = ask;
    const params = { head: `${headOwner}:${head}`, base, title, body: withKey(ask.body, ask.key), draft: isDraft };
    for (let tries = 1; ; tries += 1) {
      const opened = await client.ask(`POST ${PULLS}`, params, pullShape);
      if (opened.ok) {
        made.add(opened.value.data.number);
        return ok({ pull: pullOf(opened.value.data), how: 'opened' });
      }
      // It is there, by an earlier process or by a request whose answer was lost, and the list does not show it yet.
      if (!isThere(opened.failure) && !isUncertain(opened.failure)) return opened;
      const seen = await untilSeen(client.waiting, () => findOpen(ask));
      if (!seen.ok) return seen;
      if (seen.value !== null) return upToDate(seen.value, ask);
      if (isThere(opened.failure)) return err(failure('forge-not-visible', { what: head }));
      if (tries === MOST_TRIES) return opened;
    }
  }

  async function mergePull(number: number, ask: PullMergeAsk): Promise<Result<MergedPull>> {
    const before = await readPull(number);
    if (!before.ok) return before;
    const done = mergedAs(before.value, ask);
    if (done !== null) return done;
    const { method, head: sha, title, message } = ask;
    const words = method === 'rebase' ? {} : { commit_title: title, commit_message: message };
    const params = { pull_number: number, merge_method: method, sha, ...words };
    const merged = await client.ask(`PUT ${PULLS}/{pull_number}/merge`, params, z.object({ sha: z.string() }));
    if (merged.ok) return ok({ commit: merged.value.data.sha, how: 'merged' });
    const { reason, params: said } = merged.failure;
    if (reason !== 'forge-conflict' && said['status'] !== 405 && !isUncertain(merged.failure)) return merged;
    // Another process may have been quicker, or an earlier try of this one was carried out.
    const after = await readOnce(number);
    if (!after.ok) return after;
    const then = mergedAs(after.value, ask);
    if (then !== null) return then;
    return said['status'] === 405
      ? err(failure('forge-not-mergeable', { number, words: String(said['words'] ?? '') }))
      : merged;
  }

  return {
    findPull,
    openPull,
    readPull,
    mergePull,
    closePull: (number) => change(number, { state: 'closed' }),
  };
}

const MOST_TRIES = 3;

/** What is left to do for a merge; null: to merge it. */
function mergedAs(pull: Pull, { head }: PullMergeAsk): Result<MergedPull> | null {
  const { number, state, mergeCommit } = pull;
  if (state === 'closed') return err(failure('forge-not-mergeable', { number, words: 'closed' }));
  if (pull.head.sha !== head) return err(failure('forge-head-moved', { number, expected: head, found: pull.head.sha }));
  return state === 'merged' ? ok({ commit: mergeCommit ?? head, how: 'already' }) : null;
}

const isThere = ({ reason, params }: Failure): boolean =>
  reason === 'forge-refused' && /already exists/i.test(String(params['words']));

export async function seenOrNull<T>(reading: Promise<Result<T>>): Promise<Result<T | null>> {
  const read = await reading;
  return read.ok || read.failure.reason !== 'forge-not-found' ? read : ok(null);
}

export const ofAnother = ({ number, url }: Pull, key: string): Failure =>
  failure('forge-pull-of-another', { number, url, line: keyLine(key) });
