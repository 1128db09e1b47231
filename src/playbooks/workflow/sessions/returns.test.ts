// The first line that a session returns, and how it is read.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evaluationEvent, readReturn } from './returns.ts';
import { ROLES } from '../table/roles.ts';

describe('a verdict', () => {
  test.each([
    // as the prompts ask for them
    ['PASS — all criteria met', 'PASS', null, 'evaluation: pass'],
    ['FAIL L2 — 2 files of the spec are missing', 'FAIL', 2, 'layer 2: fail'],
    ['FAIL L3 — off by one', 'FAIL', 3, 'layer 3: fail'],
    ['FAIL — something', 'FAIL', null, 'layer 3: fail'],
    // accepted
    ['\n\n**PASS** — fine', 'PASS', null, 'evaluation: pass'],
    ['### ✅ PASS: fine', 'PASS', null, 'evaluation: pass'],
    ['> `Result: FAIL (Layer 2)` - no tests', 'FAIL', 2, 'layer 2: fail'],
    ['Layer 2 FAIL — no tests', 'FAIL', 2, 'layer 2: fail'],
    ['failed: 3 tests', 'FAIL', null, 'layer 3: fail'],
    ['passed', 'PASS', null, 'evaluation: pass'],
    ['Evaluation finished: PASS', 'PASS', null, 'evaluation: pass'],
    ['\u001b[31mFAIL L2\u001b[0m — red', 'FAIL', 2, 'layer 2: fail'],
    ['PASS — 12 tests, 0 FAIL', 'PASS', null, 'evaluation: pass'],
    ['PASS — no test can fail now', 'PASS', null, 'evaluation: pass'],
    // both words: nothing fails open
    ['FAIL L2 — 3 of 5 items PASS', 'FAIL', 2, 'layer 2: fail'],
    ['Layer 2 PASS, Layer 3 FAIL — naming', 'FAIL', null, 'layer 3: fail'],
    ['PASS L2, FAIL L3 — naming', 'FAIL', 3, 'layer 3: fail'],
    ['3 PASS, 1 FAIL', 'FAIL', null, 'layer 3: fail'],
    ['FAIL — Layer 2 is fine, a test is missing', 'FAIL', null, 'layer 3: fail'],
    // neither
    ['I looked at everything and it is passable', null, null, 'evaluation: unclear'],
    ['It does not PASS yet', null, null, 'evaluation: unclear'],
    ['PASS or fail?', null, null, 'evaluation: unclear'],
    ['Verdict: PASS | FAIL', null, null, 'evaluation: unclear'],
    ['a test fails', null, null, 'evaluation: unclear'],
    ['bypass', null, null, 'evaluation: unclear'],
    ['', null, null, 'evaluation: unclear'],
  ] as const)('%j is %s, layer %s', (text, keyword, layer, event) => {
    const found = readReturn('evaluator', text);
    expect([found.keyword, found.layer, evaluationEvent(found)]).toEqual([keyword, layer, event]);
    expect(found.fault).toBe(keyword === null ? (text === '' ? 'empty' : 'keyword-missing') : null);
    expect(readReturn('verifier', text).keyword).toBe(keyword);
  });

  test('is that of the first line: what follows is ignored', () => {
    expect(readReturn('evaluator', 'PASS — fine\nFAIL L2 — not at all')).toMatchObject({
      line: 'PASS — fine',
      keyword: 'PASS',
      summary: 'fine',
    });
  });
});

describe('a deed', () => {
  test.each([
    ['convention-scanner', 'conventions written — 12 rules', 'written', '12 rules'],
    ['architect', 'proposal generated — two services', 'generated', 'two services'],
    ['generator', '- `changes.md` Written: 4 files changed', 'written', '4 files changed'],
    ['generator', 'changed – 4 files', 'changed', '4 files'],
    ['planner', 'spec written', 'written', ''],
    ['generator', 'FAIL — nothing could be changed', 'FAIL', 'nothing could be changed'],
    ['planner', 'Done!', null, ''],
    ['planner', 'PASS — fine', null, 'fine'],
  ] as const)('%s says %j', (role, text, keyword, summary) => {
    const found = readReturn(role, text);
    expect([found.keyword, found.summary, found.fault]).toEqual([
      keyword,
      summary,
      keyword === null ? 'keyword-missing' : null,
    ]);
  });
});

describe('the auto-fix proposer', () => {
  test.each([
    ['auto_fix_patch written — confidence: High — one import', 'High', null],
    ['auto_fix_patch written - Confidence = low - guess', 'Low', null],
    ['**auto_fix_patch written** — confidence: Medium — x', 'Medium', null],
    ['auto_fix_patch written — confidence: Unknown — who knows', 'Unknown', null],
    ['auto_fix_patch written — very sure', 'Unknown', 'confidence-missing'],
    ['confidence: High', 'Unknown', 'keyword-missing'],
    ['', 'Unknown', 'empty'],
  ] as const)('says %j', (text, confidence, fault) => {
    const found = readReturn('auto-fix-proposer', text);
    expect([found.confidence, found.fault]).toEqual([confidence, fault]);
    if (fault !== null) expect(found.line).toBe(`auto_fix_patch written — confidence: Unknown — ${text || 'empty'}`);
    // The fallback is itself a valid line.
    expect(readReturn('auto-fix-proposer', found.line).fault).toBeNull();
  });
});

const words = fc.constantFrom(
  'PASS',
  'FAIL',
  'L2',
  'Layer 3',
  'written',
  'confidence: High',
  ' — ',
  '**',
  '\n',
  '\u001b[1m',
);
const said = fc
  .array(fc.oneof(words, fc.string({ unit: 'binary', maxLength: 40 })), { maxLength: 12 })
  .map((parts) => parts.join(' '));

test('any output becomes one short line without control characters, which is read the same again', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ROLES), said, (role, text) => {
      const { line, keyword, fault } = readReturn(role, text);
      expect(line.length).toBeLessThanOrEqual(360);
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      expect(fault === null || keyword === null || role === 'auto-fix-proposer').toBe(true);
      if (fault === null) expect(readReturn(role, line)).toEqual(readReturn(role, text));
    }),
    { numRuns: 1_000 },
  );
});

test('a line of a megabyte is read quickly', () => {
  for (const text of ['PASS '.repeat(200_000), 'x'.repeat(1_000_000), '*'.repeat(1_000_000), ' FAIL—'.repeat(200_000)])
    expect(readReturn('evaluator', text).line.length).toBeLessThanOrEqual(300);
});
