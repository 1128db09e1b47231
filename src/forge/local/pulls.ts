// Pull requests of a local forge: what their branches are at is asked of the remote, everything else is in their files.
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { isSameBody, keyLine, keyOf, withKey } from '../marker.ts';
import type { Forge, MergedPull, OpenedPull, Pull, PullAsk } from '../port.ts';
import type { PullRecord } from './records.ts';
import { branchRef, nextNumber, unknownNumber, type Change, type ForgeRecords, type RecordStore } from './store.ts';

type Pulls = Pick<Forge, 'findPull' | 'openPull' | 'readPull' | 'closePull' | 'mergePull'>;

/** A pull request with where its branches are; null: the branch does not exist. */
type Looked = { readonly pull: Pull; readonly head: string | null; readonly base: string | null };

export function localPulls(store: RecordStore): Pulls {
  const { git } = store;

  async function look(record: PullRecord): Promise<Result<Looked>> {
    const refs = await git.refs([branchRef(record.head), branchRef(record.base)]);
    if (!refs.ok) return refs;
    const [head = null, base = null] = [record.head, record.base].map((name) => refs.value.get(branchRef(name)));
    const isEnded = record.state !== 'open';
    const sha = isEnded ? record.sha : (head ?? record.sha);
    // Merged by hand, with git alone; or its branch was deleted.
    const isWithin = isEnded || base === null || sha === '' ? ok(false) : await git.isWithin(sha, base);
    if (!isWithin.ok) return isWithin;
    const state = isEnded ? record.state : isWithin.value ? 'merged' : head === null ? 'closed' : 'open';
    const { number, title, body, draft, labels } = record;
    const pull: Pull = {
      number,
      url: `${git.url}#${number}`,
      state,
      title,
      body,
      isDraft: draft,
      head: { branch: record.head, sha },
      base: record.base,
      mergeable: 'unknown',
      labels,
      mergeCommit: state === 'merged' ? (record.commit ?? sha) : null,
    };
    return ok({ pull, head, base });
  }

  /** Of the branch, newest first. */
  async function ofBranch({ pulls }: ForgeRecords, head: string): Promise<Result<readonly Pull[]>> {
    const found: Pull[] = [];
    for (const record of [...pulls.values()].filter((one) => one.head === head)) {
      const looked = await look(record);
      if (!looked.ok) return looked;
      found.push(looked.value.pull);
    }
    return ok(found.sort((a, b) => b.number - a.number));
  }

  async function findPull({ head, key }: Pick<PullAsk, 'head' | 'key'>): Promise<Result<Pull | null>> {
    const state = await store.read();
    if (!state.ok) return state;
    const all = await ofBranch(state.value, head);
    if (!all.ok) return all;
    const own = all.value.filter(({ body }) => keyOf(body) === key);
    return ok(own.find((pull) => pull.state === 'open') ?? own[0] ?? null);
  }

  const openPull = (ask: PullAsk): Promise<Result<OpenedPull>> =>
    store.change(async (state): Promise<Result<Change<OpenedPull>>> => {
      const all = await ofBranch(state, ask.head);
      if (!all.ok) return all;
      const open = all.value.filter((pull) => pull.state === 'open');
      const own = open.find(({ body }) => keyOf(body) === ask.key);
      const body = withKey(ask.body, ask.key);
      if (own !== undefined) return upToDate(state, own, ask, body);
      const other = open.find((pull) => pull.base === ask.base);
      if (other !== undefined) {
        const { number, url } = other;
        return err(failure('forge-pull-of-another', { number, url, line: keyLine(ask.key) }));
      }
      const record: PullRecord = {
        schema: 1,
        number: nextNumber(state),
        title: ask.title,
        body,
        labels: [],
        comments: [],
        opened: store.waiting.clock.iso(),
        state: 'open',
        draft: ask.isDraft,
        head: ask.head,
        base: ask.base,
        sha: '',
        commit: null,
      };
      const looked = await look(record);
      if (!looked.ok) return looked;
      const { pull, head, base } = looked.value;
      if (head === null || base === null || pull.state === 'merged')
        return err(failure('forge-refused', { what: 'pull request', status: 422, words: refusal(ask, head, base) }));
      const message = `#${record.number}: opened\n\n${ask.title}\n`;
      return ok({ value: { pull, how: 'opened' }, pulls: [{ ...record, sha: head }], message });
    });

  function upToDate(state: ForgeRecords, pull: Pull, ask: PullAsk, body: string): Result<Change<OpenedPull>> {
    const record = state.pulls.get(pull.number);
    if (record === undefined) return unknownNumber(pull.number);
    const { title, base } = ask;
    if (pull.title === title && pull.base === base && isSameBody(pull.body, body))
      return ok({ value: { pull, how: 'unchanged' } });
    return ok({
      value: { pull: { ...pull, title, base, body }, how: 'updated' },
      pulls: [{ ...record, title, base, body }],
      message: `#${pull.number}: updated\n`,
    });
  }

  async function readPull(number: number): Promise<Result<Pull>> {
    const state = await store.read();
    if (!state.ok) return state;
    const record = state.value.pulls.get(number);
    if (record === undefined) return unknownNumber(number);
    const looked = await look(record);
    if (!looked.ok) return looked;
    const { pull, head, base } = looked.value;
    if (pull.state !== 'open' || head === null || base === null) return ok(pull);
    const tried = await git.merged({ base, head, method: 'squash', title: pull.title, message: '' });
    return tried.ok ? ok({ ...pull, mergeable: 'commit' in tried.value ? 'yes' : 'no' }) : tried;
  }

  const closePull = (number: number): Promise<Result<Pull>> =>
    store.change(async (state): Promise<Result<Change<Pull>>> => {
      const record = state.pulls.get(number);
      if (record === undefined) return unknownNumber(number);
      const looked = await look(record);
      if (!looked.ok) return looked;
      const { pull } = looked.value;
      if (pull.state !== 'open') return ok({ value: pull });
      const closed: PullRecord = { ...record, state: 'closed', sha: pull.head.sha };
      return ok({ value: { ...pull, state: 'closed' }, pulls: [closed], message: `#${number}: closed\n` });
    });

  const mergePull: Forge['mergePull'] = (number, ask) =>
    store.change(async (state): Promise<Result<Change<MergedPull>>> => {
      const record = state.pulls.get(number);
      if (record === undefined) return unknownNumber(number);
      const looked = await look(record);
      if (!looked.ok) return looked;
      const { pull, head, base } = looked.value;
      if (pull.state === 'closed') return err(failure('forge-not-mergeable', { number, words: 'closed' }));
      if (pull.head.sha !== ask.head)
        return err(failure('forge-head-moved', { number, expected: ask.head, found: pull.head.sha }));
      if (pull.state === 'merged') return ok({ value: { commit: pull.mergeCommit ?? ask.head, how: 'already' } });
      if (head === null || base === null) return err(failure('forge-not-mergeable', { number, words: pull.base }));
      const { method, title, message } = ask;
      const merged = await git.merged({ base, head, method, title, message });
      if (!merged.ok) return merged;
      if ('conflicts' in merged.value)
        return err(failure('forge-not-mergeable', { number, words: merged.value.conflicts.join(', ') }));
      const { commit } = merged.value;
      return ok({
        value: { commit, how: 'merged' },
        pulls: [{ ...record, state: 'merged', sha: head, commit }],
        moves: [{ ref: branchRef(pull.base), from: base, to: commit }],
        message: `#${number}: merged\n`,
      });
    });

  return { findPull, openPull, readPull, closePull, mergePull };
}

const refusal = ({ head, base }: PullAsk, at: string | null, baseAt: string | null): string =>
  at === null
    ? `the branch ${head} does not exist on the remote`
    : baseAt === null
      ? `the branch ${base} does not exist on the remote`
      : `there are no commits between ${base} and ${head}`;
