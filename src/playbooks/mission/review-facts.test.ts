// What a review needs to know of a feature: the assertions that it has to meet, and which of its claims have none.
import { describe, expect, test } from 'vitest';
import { configOf } from '../../../test/support/config.ts';
import { memoryWorld } from '../../../test/support/memory-world.ts';
import { backlog } from './backlog.ts';
import { CONTRACT, LIST } from './paths.ts';
import { claimsOf } from './review-facts.ts';
import { takeEdit } from './take-edit.ts';

const feature = (id: string, ...claims: readonly string[]) => ({
  id,
  title: `Make ${id}`,
  claims,
  status: 'pending',
  attempts: 0,
});
const listOf = (...features: readonly object[]): string => `${JSON.stringify({ features }, null, 2)}\n`;
const config = configOf({
  playbook: { backlog: 'mission', machine: 'mission' },
  paths: { backlog: LIST, progress: '.harness/mission.log', stateDir: '.harness' },
});
const claimsIn = (list: string, committed: string, saved = committed) => {
  const revisions = { HEAD: { [CONTRACT]: committed } };
  const view = memoryWorld({ files: { [LIST]: list, [CONTRACT]: saved }, revisions });
  return claimsOf.read({ view, backlog, config }, { item: 'F-001' });
};

describe('the claims of a feature', () => {
  test('resolve to assertions of the contract', async () => {
    const list = listOf(feature('F-001', 'VAL-A-001', 'VAL-A-002'));
    expect(await claimsIn(list, '- VAL-A-001: one\n- VAL-A-002: two\n')).toEqual({
      claims: [
        { id: 'VAL-A-001', text: 'one' },
        { id: 'VAL-A-002', text: 'two' },
      ],
      unresolved: [],
    });
  });
  test('that nothing spells out are named, and so nothing passes without an assertion', async () => {
    const list = listOf(feature('F-001', 'VAL-A-001', 'VAL-A-002'));
    expect(await claimsIn(list, '- VAL-A-001: one\n')).toMatchObject({ unresolved: ['VAL-A-002'] });
  });
  test('are those of the commit: what is only saved is no contract yet', async () => {
    const list = listOf(feature('F-001', 'VAL-A-001'));
    expect(await claimsIn(list, '# Validation contract\n', '- VAL-A-001: one\n')).toMatchObject({
      unresolved: ['VAL-A-001'],
    });
  });
});

describe('a list that a person edited', () => {
  const text = listOf({ ...feature('F-001', 'VAL-A-001'), status: 'passing' });
  test('keeps what was proved, and takes what is described', () => {
    const edited = listOf(
      { ...feature('F-001', 'VAL-A-001'), title: 'Better', status: 'pending' },
      { ...feature('F-002', 'VAL-A-002'), status: 'passing' },
    );
    const taken = takeEdit(text, edited, true);
    expect(JSON.parse(taken?.text ?? '')).toMatchObject({
      features: [
        { id: 'F-001', title: 'Better', status: 'passing' },
        { id: 'F-002', status: 'pending' },
      ],
    });
    expect(takeEdit(taken?.text ?? '', edited, true)?.text).toBe(taken?.text);
  });
  test('loses no feature that it lacks, and says so', () => {
    expect(takeEdit(text, listOf(), true)).toEqual({ text, isWhole: false });
    expect(takeEdit(text, 'no list', true)).toBeNull();
  });
});
