// What the fidelity-checker answers, in the forms in which agents write it.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDrift } from './fidelity-answer.ts';

const answer = { score: 12, findings: [{ claim: 'Prices have two digits.', path: 'src/a.js', quote: 'x' }] };
const json = JSON.stringify(answer, null, 2);

test.each([
  ['alone', json],
  ['in a block', `\`\`\`json\n${json}\n\`\`\``],
  ['after words', `I read both.\n\n~~~\n${json}\n~~~\nThat is all.`],
  ['after an example', `\`\`\`json\n{"score": 1}\n\`\`\`\n\n\`\`\`json\n${json}\n\`\`\``],
  ['in a sentence', `The result is ${JSON.stringify(answer)}.`],
])('an answer %s', (_form, text) => {
  expect(readDrift(text)).toEqual({ is: 'read', answer });
});

test.each([
  ['nothing', ''],
  ['words', 'It looks fine: 12.'],
  ['a score above 100', '{"score": 101, "findings": []}'],
  ['a score as text', '{"score": "12", "findings": []}'],
  ['a score without findings', '{"score": 40, "findings": []}'],
  ['a finding without a claim', '{"score": 40, "findings": [{"path": "a"}]}'],
  ['broken JSON', '{"score": 40, "findings": ['],
])('%s is asked for again', (_form, text) => {
  expect(readDrift(text)).toMatchObject({ is: 'unread' });
});

test('no drift needs no finding', () => {
  expect(readDrift('{"score": 0}')).toEqual({ is: 'read', answer: { score: 0, findings: [] } });
});

test('any text is read or asked for again', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (before, after) => {
      expect(['read', 'unread']).toContain(readDrift(`${before}${json}${after}`).is);
    }),
  );
});
