// Answers of merge-checkers as agents write them, with what each must be read as. `blocking` and `lows`: the number of findings.
import type { Example } from './review-corpus.ts';

const READY = 'No findings. Ready to enable auto-merge.';
const ready = (name: string, text: string, lows = 0): Example => ({ name, text, is: 'converged', lows });
const blocked = (name: string, text: string, count = 1, lows = 0): Example => ({
  name,
  text,
  is: 'blocking',
  blocking: count,
  lows,
});
const unread = (name: string, text: string): Example => ({ name, text, is: 'unread' });
const F = '```';

export const MERGE_CHECKS: readonly Example[] = [
  ready('the sentinel', READY),
  ready('without a full stop', 'No findings. Ready to enable auto-merge'),
  ready('in small letters', READY.toLowerCase()),
  ready('in capitals', READY.toUpperCase()),
  ready('bold', `**${READY}**`),
  ready('as a heading', `## ${READY}`),
  ready('as code', `\`${READY}\``),
  ready('as a list entry', `- ${READY}`),
  ready('with a sign before it', `✅ ${READY}`),
  ready('without the hyphen', 'No findings. Ready to enable automerge.'),
  ready('in a fence', `${F}\n${READY}\n${F}`),
  ready('a preamble, then a fence', `My verdict:\n\n${F}\n${READY}\n${F}`),
  ready('as one quotation', `> All checks passed.\n>\n> ${READY}`),
  ready('after what was verified', `Verified invariants:\n- CI passed\n- no leftovers\n\n${READY}`),
  ready('with words below', `${READY}\n\nI looked at all of the change.`),
  ready('after the word verdict', `Verdict: ${READY}`),
  ready('after empty lines', `\n\n${READY}\n\n`),
  ready('with Windows line ends', `CI passed.\r\n\r\n${READY}\r\n`),
  ready('with a space that does not break', 'No findings.\u00a0Ready to enable auto-merge.'),
  ready('with a German preamble', `Alle Prüfungen sind bestanden.\n\n${READY}`),
  ready('with a low below', `${READY}\n\n- Low: the text could name the issue.`, 1),
  ready('with a high-level summary', `High-level: one module, one test.\n\n${READY}`),
  ready('with counts', `Critical: 0\nHigh: 0\nMedium: 0\n\n${READY}`),
  blocked('a finding', '### High: a debug line is left\nPath: src/a.mjs\nQuote: `console.log(cart)`'),
  blocked('a finding and the sentinel', `- Medium: a migration must be run first.\n\n${READY}`),
  blocked('the sentinel and a finding', `${READY}\n\n**Critical**: but a key is in the change.`),
  blocked('findings in a fence', `${F}markdown\n### High: a debug line\n\n### Low: naming\n${F}`, 1, 1),
  unread('nothing', ''),
  unread('the sentinel of a reviewer', 'No findings.'),
  unread('the other sentinel of a reviewer', 'No blocking findings.'),
  unread('half of it', 'Ready to enable auto-merge.'),
  unread('over two lines', 'No findings.\nReady to enable auto-merge.'),
  unread('negated', 'No findings. Not ready to enable auto-merge.'),
  unread('with a condition', 'No findings. Ready to enable auto-merge once CI passes.'),
  unread('as a question', 'No findings. Ready to enable auto-merge?'),
  unread('in a sentence', `I cannot say "${READY}" before CI has run.`),
  unread('quoted from the task', `The first line would be:\n\n${F}\n${READY}\n${F}\n\nCI has not run.`),
  unread('quoted from another', `The reviewer wrote:\n> ${READY}\nI do not agree, and cannot say why yet.`),
  unread('struck out', `~~${READY}~~`),
  unread('a task that is not done', `- [ ] ${READY}`),
  unread('translated', 'Keine Befunde. Bereit zum Zusammenführen.'),
  unread('approval', 'LGTM, ship it.'),
  unread('an error of the provider', 'API Error: 529 overloaded'),
];
