// Comments, labels and checks of a local forge. A check is the configured command, run once for a commit and its result kept.
import { ok, type Result } from '../../model/result.ts';
import { keyOf, withKey } from '../marker.ts';
import { checksOf, type Check, type Comment, type Forge } from '../port.ts';
import type { Ci } from './git.ts';
import { checkRecord, fileOf, FOLDERS, readRecord, textOf, type IssueRecord, type PullRecord } from './records.ts';
import { unknownNumber, type Change, type ForgeRecords, type RecordStore } from './store.ts';

type Said = PullRecord['comments'][number];

export function localTalk(
  store: RecordStore,
  ci: Ci | null,
): Pick<Forge, 'comments' | 'comment' | 'label' | 'checks' | 'requiredChecks'> {
  const { git } = store;

  async function comments(number: number): Promise<Result<readonly Comment[]>> {
    const state = await store.read();
    if (!state.ok) return state;
    const record = recordOf(state.value, number);
    return record === undefined ? unknownNumber(number) : ok(record.comments.map(commentOf));
  }

  const comment: Forge['comment'] = (number, { body, key }) =>
    store.change((state): Promise<Result<Change<Comment>>> => {
      const record = recordOf(state, number);
      if (record === undefined) return Promise.resolve(unknownNumber(number));
      const text = key === null ? body : withKey(body, key);
      const found = key === null ? undefined : record.comments.find((one) => keyOf(one.body) === key);
      if (found?.body === text) return Promise.resolve(ok({ value: commentOf(found) }));
      const id = found?.id ?? Math.max(0, ...record.comments.map((one) => one.id)) + 1;
      const said: Said = { id, author: git.author, at: found?.at ?? store.waiting.clock.iso(), body: text };
      const others = record.comments.filter((one) => one.id !== id);
      const changed = { comments: [...others, said].sort((a, b) => a.id - b.id), updated: store.waiting.clock.iso() };
      return Promise.resolve(
        ok({ value: commentOf(said), ...recorded(state, number, changed), message: `#${number}: comment\n` }),
      );
    });

  const label: Forge['label'] = (number, { add, remove }) =>
    store.change((state): Promise<Result<Change<readonly string[]>>> => {
      const record = recordOf(state, number);
      if (record === undefined) return Promise.resolve(unknownNumber(number));
      const labels = [...new Set([...record.labels, ...add])].filter((name) => !remove.includes(name));
      const isSame = JSON.stringify(labels) === JSON.stringify(record.labels);
      const change = isSame
        ? {}
        : {
            ...recorded(state, number, { labels, updated: store.waiting.clock.iso() }),
            message: `#${number}: labels\n`,
          };
      return Promise.resolve(ok({ value: labels, ...change }));
    });

  async function keptCheck(state: ForgeRecords, sha: string, command: string): Promise<Result<Check | null>> {
    if (state.tip === null) return ok(null);
    const files = await git.files(state.tip, FOLDERS.checks);
    if (!files.ok) return files;
    const text = files.value.get(`${sha}.json`);
    if (text === undefined) return ok(null);
    const kept = readRecord(fileOf('checks', sha), text, checkRecord);
    if (!kept.ok) return kept;
    const { passed, output } = kept.value;
    if (kept.value.command !== command) return ok(null);
    return ok({ name: 'ci', state: passed ? 'passed' : 'failed', url: null, summary: output });
  }

  /** Two processes may run it at the same time; the result that is kept first counts for both. */
  async function checks(sha: string): ReturnType<Forge['checks']> {
    if (ci === null) return ok(checksOf(sha, []));
    const { command } = ci;
    const state = await store.read();
    if (!state.ok) return state;
    const kept = await keptCheck(state.value, sha, command);
    if (!kept.ok) return kept;
    if (kept.value !== null) return ok(checksOf(sha, [kept.value]));
    const ran = await ci.run(sha);
    if (!ran.ok) return ran;
    const record = { schema: 1, sha, command, ...ran.value, at: store.waiting.clock.iso() };
    const check = await store.change(async (now): Promise<Result<Change<Check>>> => {
      const other = await keptCheck(now, sha, command);
      if (!other.ok) return other;
      if (other.value !== null) return ok({ value: other.value });
      const { passed, output } = ran.value;
      return ok({
        value: { name: 'ci', state: passed ? 'passed' : 'failed', url: null, summary: output },
        files: { [fileOf('checks', sha)]: textOf(record) },
        message: `checks of ${sha.slice(0, 12)}: ${passed ? 'passed' : 'failed'}\n`,
      });
    });
    return check.ok ? ok(checksOf(sha, [check.value])) : check;
  }

  // Its `ci` is the one check, and it has run when `checks` answers.
  return { comments, comment, label, checks, requiredChecks: () => Promise.resolve(ok([])) };
}

const recordOf = ({ pulls, issues }: ForgeRecords, number: number): PullRecord | IssueRecord | undefined =>
  pulls.get(number) ?? issues.get(number);

function recorded(
  state: ForgeRecords,
  number: number,
  changed: Partial<Pick<PullRecord, 'comments' | 'labels' | 'updated'>>,
) {
  const pull = state.pulls.get(number);
  const issue = state.issues.get(number);
  if (pull !== undefined) return { pulls: [{ ...pull, ...changed }] };
  return issue === undefined ? {} : { issues: [{ ...issue, ...changed }] };
}

const commentOf = ({ id, author, body, at }: Said): Comment => ({
  id: String(id),
  kind: 'comment',
  author,
  // To write a record is to push to the repository.
  isTrusted: true,
  body,
  at,
  path: null,
  line: null,
  verdict: null,
});
