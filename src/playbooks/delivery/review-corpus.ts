// Answers of reviewers as agents really write them, with what each must be read as. `blocking` and `lows`: the number of findings.

export type Example = {
  readonly name: string;
  readonly text: string;
  readonly is: 'converged' | 'blocking' | 'unread';
  readonly blocking?: number;
  readonly lows?: number;
};

const converged = (name: string, text: string, lows = 0): Example => ({
  name,
  text,
  is: 'converged',
  blocking: 0,
  lows,
});
const blocking = (name: string, text: string, count: number, lows = 0): Example => ({
  name,
  text,
  is: 'blocking',
  blocking: count,
  lows,
});
const unread = (name: string, text: string): Example => ({ name, text, is: 'unread' });
const FENCE = '```';

export const CORPUS: readonly Example[] = [
  // The sentinel alone.
  converged('the sentinel', 'No findings.'),
  converged('the other sentinel', 'No blocking findings.'),
  converged('without a full stop', 'No findings'),
  converged('in small letters', 'no blocking findings.'),
  converged('in capitals', 'NO FINDINGS.'),
  converged('with an exclamation mark', 'No findings!'),
  converged('bold', '**No findings.**'),
  converged('bold with the stop outside', '**No blocking findings**.'),
  converged('in italics', '_No findings._'),
  converged('as code', '`No findings.`'),
  converged('as a heading', '## No blocking findings'),
  converged('as a quotation', '> No findings.'),
  converged('as a list entry', '- No findings.'),
  converged('in quotation marks', '"No findings."'),
  converged('in typographic quotation marks', '“No blocking findings.”'),
  converged('in a fence', `${FENCE}\nNo findings.\n${FENCE}`),
  converged('in a fence with a language', `${FENCE}markdown\nNo blocking findings.\n${FENCE}`),
  converged('after empty lines', '\n\n\nNo findings.\n'),
  converged('with Windows line ends', 'No findings.\r\n\r\nEverything was read.\r\n'),
  converged('with a sign before it', '✅ No findings.'),
  converged('with spaces around it', '   No findings.   '),
  converged('after the word verdict', 'Verdict: No findings.'),
  converged('after a bold word', '**Result:** No blocking findings.'),
  converged('after the word review', 'Review: no findings'),
  converged('with an invisible mark', '\u200BNo findings.'),
  // The sentinel with words around it.
  converged('first, then what was read', 'No findings.\n\nI read src/cart.mjs and its tests; totals are rounded once.'),
  converged(
    'after verified invariants',
    'Verified invariants:\n- totals never go below zero\n- every path closes the connection\n\nNo blocking findings.',
  ),
  converged('after a summary', '## Summary\n\nThe change adds a cart.\n\n## Verdict\n\nNo findings.'),
  converged(
    'after checks that were run',
    'I ran `npm test` (14 passed) and `git diff main`.\n\nNo blocking findings.\n',
  ),
  converged('in the middle', 'The plan is met.\n\nNo findings.\n\nThanks for the clear commit.'),
  converged('after a numbered list', '1. Read the plan.\n2. Read the diff.\n3. Ran the tests.\n\nNo findings.'),
  converged('after a heading of findings', '### Findings\n\nNo findings.'),
  converged(
    'after a table of counts',
    '| Severity | Count |\n|---|---|\n| Critical | 0 |\n| High | 0 |\n\nNo findings.',
  ),
  converged('after counts in lines', 'Critical: 0\nHigh: 0\nMedium: 0\nLow: 0\n\nNo findings.'),
  converged('after empty groups', '## Critical\n\nNone.\n\n## High\n\nNone.\n\n## Medium\n\nNone.\n\nNo findings.'),
  converged('after groups without any', 'Critical: none\nHigh: none found\nMedium: N/A\n\nNo blocking findings.'),
  converged('the words of the merge-checker', 'No findings. Ready to enable auto-merge.'),
  converged('with the word high in a sentence', 'The coverage is high, and the risk is low.\n\nNo findings.'),
  converged('with critical in a sentence', 'A critical path of the shop is covered by tests.\n\nNo findings.'),
  // Lows block nothing.
  converged('one low', 'No blocking findings.\n\n- **Low**: the name `n` says little.', 1),
  converged(
    'lows before the sentinel',
    '- Low: a typo in a comment\n- Low: an unused import\n\nNo blocking findings.',
    2,
  ),
  converged('a low alone', 'Low: the README does not mention the new option.', 1),
  converged('a group of lows', 'No blocking findings.\n\n## Low\n\n- rename `x`\n- add a comment\n', 2),
  converged('a low in brackets', 'No blocking findings.\n\n[Low] src/cart.mjs:3 — magic number', 1),
  converged('a nit', 'No blocking findings.\n\nNit: two blank lines.', 1),
  converged('a minor issue', 'No blocking findings.\n\n1. **[Minor]** Wording of an error.', 1),
  converged(
    'a low as a heading',
    'No blocking findings.\n\n### Low: duplicate helper\n\nPath: src/a.mjs\nWhy: it is in src/b.mjs too.',
    1,
  ),
  converged(
    'lows in a table',
    'No blocking findings.\n\n| Severity | Path | Finding |\n|---|---|---|\n| Low | src/a.mjs | naming |',
    1,
  ),
  converged(
    'a severity line',
    'No blocking findings.\n\n### Duplicate helper\n\n**Severity:** Low\n**Path:** `src/a.mjs`',
    1,
  ),
  converged('three lows with groups', '## Critical\nNone\n## High\nNone\n## Medium\nNone\n## Low\n- a\n- b\n- c\n', 3),
  // Findings that block.
  blocking(
    'as asked for',
    '### High: totals are rounded twice\nPath: src/cart.mjs\nQuote: `return Math.round(round(total))`\nWhy: 0.5 becomes 1.',
    1,
  ),
  blocking('bold in a list', '- **High**: totals are rounded twice (`src/cart.mjs:12`)', 1),
  blocking('the stop inside the bold letters', '- **Critical:** the password is logged', 1),
  blocking('in brackets', '[High] src/cart.mjs:12 - totals are rounded twice', 1),
  blocking('in round brackets', '1. (Medium) The error is swallowed.', 1),
  blocking('after a number', '1. High: one\n2. Medium: two\n3. Low: three', 2, 1),
  blocking('with a dash', 'Critical — SQL from user input in src/db.mjs:40', 1),
  blocking('with the word severity', '**High severity**: no limit on the size of a request', 1),
  blocking('as a heading with a number', '### 1. Critical: token in the log\n\nsrc/log.mjs:9 writes it.', 1),
  blocking('as a heading with brackets', '## [High] Missing check of ownership', 1),
  blocking('a finding with its number', 'Finding 1: High - missing check\nFinding 2: Low - naming', 1, 1),
  blocking('the severity at the end', '1. Missing check of ownership (High)\n2. Unused import (Low)', 1, 1),
  blocking(
    'the severity at the end of a heading',
    '### Missing check of ownership [severity: high]\n\nAny user can read it.',
    1,
  ),
  blocking(
    'a line with the severity',
    '### Missing check\n\n- Severity: High\n- File: src/a.mjs\n- Any user can read it.',
    1,
  ),
  blocking('bold line with the severity', '**Race in the cache**\n\n**Severity:** Medium\n\nTwo writers.', 1),
  blocking(
    'groups with entries',
    '## Critical\n\nNone.\n\n## High\n\n- no check of ownership\n- no limit\n\n## Low\n\n- naming\n',
    2,
    1,
  ),
  blocking(
    'groups with numbers',
    'High findings:\n1. no check of ownership\n2. no limit\n\nMedium findings:\n1. no test for an empty cart\n',
    3,
  ),
  blocking(
    'groups with headings below',
    '## High\n\n### No check of ownership\n\nAny user can read it.\n\n### No limit\n\nMemory.',
    2,
  ),
  blocking(
    'a table',
    '| # | Severity | Where | What |\n|---|---|---|---|\n| 1 | High | src/a.mjs:3 | no check |\n| 2 | Low | src/b.mjs:1 | naming |',
    1,
    1,
  ),
  blocking(
    'a table without numbers',
    '| Severity | Where | What |\n|:--|:--|:--|\n| Medium | src/a.mjs:3 | no check |',
    1,
  ),
  blocking('a severity in capitals', 'HIGH: no check of ownership', 1),
  blocking('with a coloured sign', '🔴 **Critical**: the token is in the log\n🟡 **Medium**: no test', 2),
  blocking('a blocker', 'Blocker: the migration drops a column', 1),
  blocking('a major issue', '**Major**: retries without a limit', 1),
  blocking('P1', 'P1: retries without a limit', 1),
  blocking(
    'findings with Windows line ends',
    'High: one\r\nPath: src/a.mjs\r\nQuote: `const a = 1;`\r\n\r\nMedium: two\r\n',
    2,
  ),
  blocking(
    'with an introduction',
    'I found two problems.\n\n- High: one\n- Medium: two\n\nEverything else is fine.',
    2,
  ),
  blocking('none in a sentence', '- Medium: none of the inputs is checked', 1),
  // What contradicts itself does not converge.
  blocking('a sentinel first, then a high', 'No findings.\n\nHigh: but the token is in the log.', 1),
  blocking('a high, then a sentinel', '**Critical**: the token is in the log.\n\nNo blocking findings.', 1),
  blocking('a medium beside a sentinel', 'No blocking findings.\n\n- Medium: no test for an empty cart.', 1),
  blocking(
    'the sentinel quoted from the task',
    `The answer should be\n${FENCE}\nNo findings.\n${FENCE}\nbut:\n\n### High: no check of ownership`,
    1,
  ),
  // What is neither.
  unread('nothing', ''),
  unread('white space', '  \n\n  '),
  unread('praise', 'Looks good to me! Nice work.'),
  unread('LGTM', 'LGTM'),
  unread('a question', 'Should I read the tests as well?'),
  unread('the sentinel inside a sentence', 'I would not say "No findings." here, but I cannot decide.'),
  unread('a negated sentinel', 'This is not a case of no findings.'),
  unread('a condition', 'No findings if the tests pass.'),
  unread('another count', 'No findings in src/cart.mjs, others were not read.'),
  unread('a problem without a severity', 'The total is rounded twice in src/cart.mjs.'),
  unread('an error of the provider', 'API Error: 529 overloaded'),
  unread('a plan of what to do', '1. Read the diff.\n2. Read the tests.\n3. Report.'),
  unread('empty groups alone', '## Critical\nNone.\n## High\nNone.\n'),
];
