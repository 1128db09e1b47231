// What counts as an answer of a judge, and which attempt it makes the winner.
import { expect, test } from 'vitest';
import { bestOf } from '../../model/competition.ts';
import { readScores } from './judge-answer.ts';

const scores = { size: 5, clarity: 5, tests: 5, scope: 5 };
const said = (...candidates: readonly object[]): string =>
  `Here it is:\n\`\`\`json\n${JSON.stringify({ candidates })}\n\`\`\``;

test('every candidate is scored once, with one sentence', () => {
  const text = said({ number: '2', scores: { ...scores, size: '9' }, why: 'It is\nsmall.' }, { number: 1, scores });
  expect(readScores(text, [1, 2])).toEqual([
    { number: 1, scores, why: '' },
    { number: 2, scores: { ...scores, size: 9 }, why: 'It is small.' },
  ]);
});

test.each([
  ['no object', 'Number two.'],
  ['one of them only', said({ number: 1, scores })],
  ['one of them twice', said({ number: 1, scores }, { number: 2, scores }, { number: 2, scores })],
  ['a score too few', said({ number: 1, scores }, { number: 2, scores: { size: 1, clarity: 1, tests: 1 } })],
  ['a score out of range', said({ number: 1, scores }, { number: 2, scores: { ...scores, size: 11 } })],
])('%s is no answer', (_, text) => {
  expect(readScores(text, [1, 2])).toBeNull();
});

test('the best sum wins, of equal ones the first; without scores there is none', () => {
  const of = (number: number, size: number) => ({ number, scores: { ...scores, size }, why: '' });
  expect(bestOf([of(2, 5), of(1, 5), of(3, 4)])).toBe(1);
  expect(bestOf([of(1, 5), of(2, 6)])).toBe(2);
  expect(bestOf([])).toBeNull();
});
