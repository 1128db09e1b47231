// From the forms of session_state.json that the reference wrote, to ours.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { migrationOf, schemaOf, readSessionState } from './session-state.ts';

const written = (schema: 1 | 2): string =>
  readFileSync(new URL(`../../../test/fixtures/state/schema-${schema}/session_state.json`, import.meta.url), 'utf8');
const stepsOf = (text: string) => {
  const found = migrationOf(text, 's');
  if (!found.ok) throw new Error(JSON.stringify(found.failure));
  return found.value;
};
const endOf = (text: string): object => JSON.parse(stepsOf(text).at(-1)?.text ?? text) as object;

test.each([
  [1, ['1-2', '2-3']],
  [2, ['2-3']],
] as const)('state of schema %i is migrated one schema at a time, and ends as the current one', (schema, steps) => {
  expect(stepsOf(written(schema)).map(({ from, to }) => `${from}-${to}`)).toEqual(steps);
  const last = stepsOf(written(schema)).at(-1)?.text ?? '';
  expect(readSessionState(last, 's').ok).toBe(true);
  const {
    harness_version: _,
    schema_version: __,
    ...before
  } = JSON.parse(written(schema)) as {
    [field: string]: unknown;
  };
  expect(JSON.parse(last)).toEqual({ harness_version: '1.2.1', schema_version: 3, ...before, timeout_count: 0 });
});

test('a file that does not say is of schema 1', () => {
  expect(schemaOf(written(1), 's')).toEqual({ ok: true, value: 1 });
});

test('unknown fields stay, and so does a count that was there already', () => {
  const text = JSON.stringify({ ...JSON.parse(written(2)), mine: { deep: [1] }, timeout_count: 2 });
  expect(endOf(text)).toMatchObject({ mine: { deep: [1] }, timeout_count: 2, stuck_count: 2 });
});

test('each step alone comes to the same end as all in one go', () => {
  const [first] = stepsOf(written(1));
  expect(endOf(first?.text ?? '')).toEqual(endOf(written(1)));
});

test('state of ours needs no step, and gets none', () => {
  const last = stepsOf(written(1)).at(-1)?.text ?? '';
  expect(stepsOf(last)).toEqual([]);
});

test.each([
  ['{ "schema_version": "2" }', 'state-unreadable', 'schema_version'],
  ['{ "schema_version": 0 }', 'state-unreadable', 'schema_version'],
  ['{ "schema_version": 1.5 }', 'state-unreadable', 'schema_version'],
  ['{ "schema_version": 4 }', 'state-newer', undefined],
  ['{ "last_session": 7, "status": "dancing", "timestamp": "" }', 'state-unreadable', 'status'],
  ['[]', 'state-unreadable', undefined],
])('%s is no state to begin from', (text, reason, key) => {
  const found = migrationOf(text, 's');
  expect(found.ok ? null : [found.failure.reason, found.failure.at?.key]).toEqual([reason, key]);
});
