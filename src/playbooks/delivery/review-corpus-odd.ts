// Answers of reviewers that are easy to misread: a sentinel that is quoted or qualified, answers in a fence, other languages, phrases that look like a
// severity.
import type { Example } from './review-corpus.ts';

const converged = (name: string, text: string, lows = 0): Example => ({ name, text, is: 'converged', lows });
const blocking = (name: string, text: string, count: number, lows = 0): Example => ({
  name,
  text,
  is: 'blocking',
  blocking: count,
  lows,
});
const unread = (name: string, text: string): Example => ({ name, text, is: 'unread' });
const F = '```';
const HIGH = '### High: totals are rounded twice\nPath: src/cart.mjs\nQuote: `return round(round(a))`';

export const ODD: readonly Example[] = [
  // Verified invariants before the sentinel, as models like to write them.
  converged(
    'a long preamble with invariants',
    'I read the plan, the diff and the tests.\n\n**Verified invariants**\n\n1. Totals never go below zero.\n2. High load does not lose orders.\n3. Critical sections hold the lock.\n\n**No blocking findings.**',
  ),
  converged('invariants below the sentinel', 'No findings.\n\n## Verified invariants\n\n- rounding happens once\n- every lock is released\n'),
  converged(
    'severities counted as nothing, then invariants',
    '- Critical (0)\n- High (0)\n- Medium (0)\n- Low (0)\n\nVerified invariants:\n- totals are never negative\n- every lock is released\n\nNo findings.',
  ),
  converged(
    'groups without any, then what was verified',
    'Critical findings:\nNone\nHigh findings:\nNone\nMedium findings:\nNone\n\nVerified invariants:\n- totals are never negative\n\nNo blocking findings.',
  ),
  converged('counted in words', 'Critical: 0 found\nHigh: 0 issues\nMedium: none observed\n\nNo blocking findings.'),
  converged('one line of counts', 'Critical: 0 | High: 0 | Medium: 0 | Low: 0\n\nNo findings.'),
  converged('a high-level summary', 'High-level: the change adds a cart.\n\nNo findings.'),
  converged('a low-risk change', 'Low-risk refactoring, medium-sized diff.\n\nNo findings.'),
  converged('a critical-path note', 'Critical-path code is covered: cart.mjs is only read.\n\nNo blocking findings.'),
  converged('after a line across', 'The plan is met.\n\n---\n\nNo findings.'),
  converged('with a line across below', 'No findings.\n\n---\n\nRead: src/cart.mjs, tests/cart.test.mjs.'),
  // Marks around it.
  converged('bold and italic', '***No findings.***'),
  converged('a bold heading', '### **No blocking findings.**'),
  converged('a star as a bullet', '* No findings.'),
  converged('a dot as a bullet', '• No blocking findings.'),
  converged('bold in a bullet', '- **No findings.**'),
  converged('with a space that does not break', 'No\u00a0findings.'),
  converged('with two spaces', 'No  blocking  findings.'),
  converged('with a byte order mark', '\uFEFFNo findings.'),
  converged('with the full stop of another script', 'No findings。'),
  converged('a preamble with Windows line ends', 'I read it all.\r\n\r\n**No blocking findings.**\r\n'),
  converged('old line ends', 'I read it all.\rNo findings.\r'),
  converged('an answer that is one quotation', '> The plan is met.\n>\n> No findings.'),
  converged('a preamble, then the answer in a fence', `Here is my review:\n\n${F}markdown\nThe plan is met.\n\nNo findings.\n${F}\n`),
  converged('in a fence with invariants', `${F}\nVerified:\n- totals\n\nNo blocking findings.\n${F}`),
  converged('in a longer fence', `${F}${F}md\nNo findings.\n${F}${F}`),
  // Not the sentinel.
  unread('quoted from the task, and not done', `You want\n\n${F}\nNo findings.\n${F}\n\nbut the diff could not be read.`),
  unread('quoted from an earlier review', 'The last review said:\n\n> No findings.\n\nI could not run the tests.'),
  unread('a quotation of the instructions', 'The instructions say:\n> No blocking findings.\nI have not come to that.'),
  unread('in quotation marks inside a sentence', 'The answer is then "No blocking findings." if all is well.'),
  unread('at the end of a sentence', 'After all of this there are no findings.'),
  unread('words after it in its line', 'No findings. The plan is met.'),
  unread('words after it with a dash', 'No findings – apart from the tests, which I did not read.'),
  unread('with an exception', 'No blocking findings except the missing check.'),
  unread('so far', 'No findings so far.'),
  unread('yet', 'No findings yet.'),
  unread('of one severity', 'No critical findings.'),
  unread('new ones', 'No new findings.'),
  unread('as a question of its own', 'No findings?'),
  unread('struck out', '~~No findings.~~'),
  unread('in a comment', '<!-- No findings. -->'),
  unread('a task that is not done', '- [ ] No findings.'),
  unread('over two lines', 'No\nfindings.'),
  unread('a cell of a table', '| Result |\n|---|\n| No findings. |'),
  unread('JSON', '{ "verdict": "No findings." }'),
  unread('negated in its line', 'Not: No findings.'),
  unread('other words for it', 'Nothing blocks this.'),
  unread('zero', '0 findings'),
  unread('words that say the same', 'Findings: none.'),
  unread('an answer that was cut off', 'I read src/cart.mjs and its tests. The totals are'),
  // Other languages: the sentinel stays as it is.
  converged('with a German preamble', 'Ich habe den Plan, die Änderung und die Tests gelesen.\n\nNo findings.'),
  converged('with a Japanese preamble', '計画と差分を確認しました。\n\nNo blocking findings.'),
  unread('a translated sentinel', 'Keine Befunde.'),
  unread('a French one', 'Aucun problème bloquant.'),
  blocking('a German reason below an English head', '### High: Der Preis wird zweimal gerundet\n\nPfad: `src/cart.mjs`\nZitat: `return round(round(a))`\nGrund: aus 0,5 wird 1.', 1),
  blocking('German severities', '### Hoch: Der Preis wird zweimal gerundet\n\n### Niedrig: ein Kommentar fehlt', 1, 1),
  blocking('a German severity beside the sentinel', 'Kritisch: Das Passwort steht im Protokoll.\n\nNo blocking findings.', 1),
  blocking('a German line with the severity', '### Preis\n\nSchweregrad: Mittel\nPfad: src/cart.mjs', 1),
  blocking('a wide colon', 'High：合計が二重に丸められる', 1),
  // Whole answers in a fence or a quotation.
  blocking('findings in a fence', `${F}markdown\n${HIGH}\n\n### Medium: no test\nPath: src/a.mjs\n${F}`, 2),
  blocking('a preamble, then findings in a fence', `Here is my review:\n\n${F}\n${HIGH}\n\n- Low: naming\n${F}`, 1, 1),
  blocking('findings in a fence with code in it', `${F}markdown\n${HIGH}\n${F}js\nlet a = 1;\n${F}\n\n### High: two\n${F}`, 2),
  blocking('findings in a quotation', `> ${HIGH.replaceAll('\n', '\n> ')}`, 1),
  blocking('the sentinel in a fence below a finding', `${HIGH}\n\n${F}\nNo findings.\n${F}`, 1),
  blocking('code that looks like a finding', `${HIGH}\n${F}yaml\nhigh: 3\nlow: 1\n${F}`, 1),
  // Forms of findings.
  blocking('blocking as a word', '**Blocking:** the token is in the log.', 1),
  blocking('a severity after a number and a stop', '1. **Critical.** The token is in the log.', 1),
  blocking('a severity in its own brackets in a heading', '#### [CRITICAL] Token in the log (src/log.mjs:9)', 1),
  blocking('a severity with a sign after it', '### High 🔴: token in the log', 1),
  blocking('a plus as a bullet', '+ High: token in the log', 1),
  blocking('indented entries', 'Findings:\n   - High: token in the log\n   - Medium: no test', 2),
  blocking('a high behind fifty lows', `${'- Low: naming\n'.repeat(60)}- High: token in the log\n\nNo blocking findings.`, 1, 49),
  blocking('a finding after a sentinel and a line across', 'No findings.\n\n---\n\n- High: on second thought, no check.', 1),
  blocking('severities in a table with links', '| Severity | Finding |\n|---|---|\n| **High** | [src/a.mjs](src/a.mjs#L3): no check |', 1),
  blocking('Windows line ends in groups', '## High\r\n\r\n- no check\r\n- no limit\r\n\r\n## Low\r\n\r\n- naming\r\n', 2, 1),
]; // prettier-ignore
