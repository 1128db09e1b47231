// The claims of a mission: each with its assertion and the sentence of the specification that the contract quotes.
import { describe, expect, test } from 'vitest';
import { claims, lineOf } from './claims.ts';

const CONTRACT = '.harness/validation-contract.md';
const list = (more: object = {}): string =>
  JSON.stringify({
    features: [
      { id: 'F-1', title: 'one', claims: ['VAL-A-001', 'VAL-A-009'], status: 'pending', attempts: 0 },
      { id: 'F-2', title: 'two', claims: ['VAL-A-001'], status: 'pending', attempts: 0 },
    ],
    ...more,
  });

describe('the claims of a list', () => {
  test('a claim of two features is one of each; what no assertion spells out and what no feature claims is there', () => {
    const texts = { [CONTRACT]: '- VAL-A-001: It is red.\n- VAL-A-002: It is round.\n', 'SPEC.md': null };
    expect(claims.read(list(), texts)).toEqual([
      { id: 'VAL-A-001', item: 'F-1', assertion: { text: 'It is red.', file: CONTRACT, line: 1 }, spec: null },
      { id: 'VAL-A-009', item: 'F-1', assertion: null, spec: null },
      { id: 'VAL-A-001', item: 'F-2', assertion: { text: 'It is red.', file: CONTRACT, line: 1 }, spec: null },
      { id: 'VAL-A-002', item: null, assertion: { text: 'It is round.', file: CONTRACT, line: 2 }, spec: null },
    ]);
  });

  test.each([
    ['> It shall be red.', 'It shall be red.', 2],
    ['Spec: "It shall be red."', 'It shall be red.', 2],
    ['> It shall\n  > be red.', 'It shall be red.', 2],
    ['> It shall be blue.', 'It shall be blue.', null],
  ])('%j quotes the specification that the list names', (line, text, at) => {
    const texts = {
      [CONTRACT]: `- VAL-A-001: It is red.\n  ${line}\n  How: look.\n`,
      'docs/IDEA.md': 'Idea\nIt shall\nbe red.\n',
    };
    expect(claims.files(list({ spec: 'docs/IDEA.md' }))).toEqual([CONTRACT, 'docs/IDEA.md']);
    const [claim] = claims.read(list({ spec: 'docs/IDEA.md' }), texts);
    expect(claim?.spec).toEqual({ text, file: 'docs/IDEA.md', line: at });
  });

  test('a list that cannot be read claims nothing', () => {
    expect(claims.files('{')).toEqual([CONTRACT, 'SPEC.md']);
    expect(claims.read('{', {})).toEqual([]);
  });

  test('an empty sentence is nowhere', () => {
    expect(lineOf('text', ' ')).toBeNull();
  });
});
