// Issues of a local forge.
import { ok, type Result } from '../../model/result.ts';
import { keyOf, withKey } from '../marker.ts';
import type { Forge, Issue } from '../port.ts';
import type { IssueRecord } from './records.ts';
import { nextNumber, unknownNumber, type Change, type RecordStore } from './store.ts';

type Issues = Pick<Forge, 'issues' | 'createIssue' | 'readIssue' | 'issueEvents' | 'setIssueState'>;

export function localIssues(store: RecordStore): Issues {
  const { git, waiting } = store;

  const issueOf = (record: IssueRecord): Issue => ({
    number: record.number,
    url: `${git.url}#${record.number}`,
    state: record.state,
    title: record.title,
    body: record.body,
    labels: record.labels,
    isReopened: record.state === 'open' && record.events.at(-1)?.what === 'reopened',
    updatedAt: changedAt(record),
  });

  async function recordOf(number: number): Promise<Result<IssueRecord>> {
    const state = await store.read();
    if (!state.ok) return state;
    const record = state.value.issues.get(number);
    return record === undefined ? unknownNumber(number) : ok(record);
  }

  return {
    async issues({ state: wanted, labels, since, size, cursor }) {
      const state = await store.read();
      if (!state.ok) return state;
      const before = cursor === null ? Number.POSITIVE_INFINITY : Number(cursor);
      const all = [...state.value.issues.values()]
        .filter((one) => wanted === 'all' || one.state === wanted)
        .filter((one) => labels.every((name) => one.labels.includes(name)))
        .filter((one) => since === null || Date.parse(changedAt(one)) >= Date.parse(since))
        .filter((one) => one.number < before)
        .sort((a, b) => b.number - a.number);
      const page = all.slice(0, size);
      return ok({ issues: page.map(issueOf), next: all.length > size ? String(page.at(-1)?.number) : null });
    },
    createIssue: ({ key, title, body, labels }) =>
      store.change((state): ReturnType<Parameters<typeof store.change<Created>>[0]> => {
        const found = [...state.issues.values()].find((one) => keyOf(one.body) === key);
        if (found !== undefined)
          return Promise.resolve(ok({ value: { issue: issueOf(found), how: 'unchanged' as const } }));
        const record: IssueRecord = {
          schema: 1,
          number: nextNumber(state),
          title,
          body: withKey(body, key),
          labels,
          comments: [],
          opened: waiting.clock.iso(),
          state: 'open',
          events: [],
        };
        const message = `#${record.number}: created\n\n${title}\n`;
        return Promise.resolve(
          ok({ value: { issue: issueOf(record), how: 'created' as const }, issues: [record], message }),
        );
      }),
    async readIssue(number) {
      const record = await recordOf(number);
      return record.ok ? ok(issueOf(record.value)) : record;
    },
    async issueEvents(number) {
      const record = await recordOf(number);
      return record.ok ? ok(record.value.events) : record;
    },
    setIssueState: (number, wanted) =>
      store.change((state): Promise<Result<Change<Issue>>> => {
        const record = state.issues.get(number);
        if (record === undefined) return Promise.resolve(unknownNumber(number));
        if (record.state === wanted) return Promise.resolve(ok({ value: issueOf(record) }));
        const what = wanted === 'open' ? 'reopened' : 'closed';
        const event = { what, at: waiting.clock.iso(), by: git.author } as const;
        const changed: IssueRecord = {
          ...record,
          state: wanted,
          events: [...record.events, event],
          updated: event.at,
        };
        return Promise.resolve(ok({ value: issueOf(changed), issues: [changed], message: `#${number}: ${what}\n` }));
      }),
  };
}

const changedAt = ({ updated, events, opened }: IssueRecord): string => updated ?? events.at(-1)?.at ?? opened;

type Created = { readonly issue: Issue; readonly how: 'created' | 'unchanged' };
