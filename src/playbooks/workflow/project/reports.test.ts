import { expect, test } from 'vitest';
import { isPatch, verdictOf } from './reports.ts';

test.each([
  ['### Verdict: PASS', 'pass'],
  ['# QA\n\ntext\n\n### Verdict: FAIL\n\n### Fix Instructions', 'fail'],
  ['## **Verdict:** ✅ PASS', 'pass'],
  ['### verdict : Failed (Layer 3)', 'fail'],
  ['### Verdict: PASS\n### Verdict: FAIL', 'fail'],
  ['### Verdict: PASS | FAIL', 'none'],
  ['### Verdict: pending', 'none'],
  ['The verdict: PASS', 'none'],
  ['### Verdict of Layer 2\nPASS', 'none'],
  ['', 'none'],
])('the report %j has the verdict %s', (report, verdict) => expect(verdictOf(report)).toBe(`verdict: ${verdict}`));

const HUNK = '--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\n';
test.each([
  [`# Fix\n\n\`\`\`diff\n${HUNK}\`\`\`\n`, true],
  [`\`\`\`\`diff\r\n${HUNK}\`\`\`\``, true],
  ['```diff\n--- a/x.ts\n+++ b/x.ts\n```', false], // no hunk
  [HUNK, false], // no block
  ['```ts\n@@ -1 +1 @@\n```\n```diff\n```', false], // the hunk is in another block
  [`\`\`\`diff\n${HUNK}`, false], // it breaks off
  ['', false],
])('%j is a patch: %s', (text, is) => expect(isPatch(text)).toBe(is));
