// The one line that a session returns (reference 004, Sub-agent Return Value Rules): `<keyword> — <summary>`. Forgiving in what it
// accepts, exact in what it reports; everything after the first line is nobody's.
import type { Confidence } from '../table/gates.ts';
import type { Role } from '../table/roles.ts';
import type { EventName } from '../table/stages.ts';

const DEEDS = ['generated', 'changed', 'written'] as const;
export type Keyword = 'PASS' | 'FAIL' | (typeof DEEDS)[number];

export type Returned = {
  /** As it is shown: one line, without what only decorates it, at most 300 characters. */
  readonly line: string;
  /** null: it is none of what the role may say. Then the confidence is Unknown and the fallback is told. */
  readonly keyword: Keyword | null;
  /** Of FAIL: which layer it names. */
  readonly layer: 2 | 3 | null;
  readonly confidence: Confidence;
  readonly summary: string;
  /** Why it could not be read; null: it could. */
  readonly fault: 'empty' | 'keyword-missing' | 'confidence-missing' | null;
};

const LONGEST = 300;
/** Who returns a verdict; the others say what they did. */
const JUDGES: readonly Role[] = ['verifier', 'evaluator'];
const PROPOSER: Role = 'auto-fix-proposer';

export function readReturn(role: Role, text: string): Returned {
  const line = firstLine(text);
  const keyword = JUDGES.includes(role) ? verdictIn(line) : deedIn(line);
  const confidence = keyword === null ? 'Unknown' : confidenceIn(line);
  const isUnsaid = role === PROPOSER && confidence === 'Unknown' && !/\bconfidence\s*[:=—–-]?\s*unknown\b/i.test(line);
  const fault = line === '' ? 'empty' : keyword === null ? 'keyword-missing' : isUnsaid ? 'confidence-missing' : null;
  return {
    // The fallback of the one whose confidence a person is told.
    line:
      role === PROPOSER && fault !== null ? `auto_fix_patch written — confidence: Unknown — ${line || fault}` : line,
    keyword,
    layer: keyword === 'FAIL' ? layerIn(line) : null,
    confidence,
    summary: /(?:\s*[—–]\s*|\s--?\s|:\s)(.*)$/.exec(line)?.[1] ?? '',
    fault,
  };
}

/** Blank lines before it, and what Markdown or a terminal puts around it, are not of the line. */
function firstLine(text: string): string {
  const lines = text
    .slice(0, 20_000)
    // oxlint-disable-next-line no-control-regex
    .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
    .split(/\r\n|[\r\n\u0085\u2028\u2029]/);
  for (const one of lines) {
    const line = one
      .toWellFormed()
      .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
      .replace(/^[\s>#*_`"'✓✔✗✘❌✅⚠•-]+/u, '')
      .replace(/[\s*_`"']+$/u, '')
      .replace(/[*`]{1,3}|__/g, '')
      .replace(/\s+/g, ' ')
      .trim();
    if (line !== '') return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
  }
  return '';
}

/** What may stand before a verdict at the beginning of a line. */
const BEFORE = /^(?:\[harness\] |(?:result|verdict|layer [123]|l[123])\s*[:=—–-]?\s*)*/i;
/** "0 FAIL" says that nothing failed. */
const NONE_FAILED = /\b(?:0|no|zero|without)\s+FAIL(?:ED|URES?|S)?\b/gi;
/**
 * What the line begins with counts, in any case; elsewhere only capitals: "FAIL L2 — 3 of 5 items PASS", "PASS — 0 tests fail". Where
 * both are said, it is FAIL: nothing fails open.
 */
function verdictIn(line: string): Keyword | null {
  if (/\bPASS\s*(?:\/|\||or)\s*FAIL\b/i.test(line)) return null; // the choice, not one of it
  const [, first = ''] = /^(pass|fail)(?:ed|ure|s)?\b/i.exec(line.replace(BEFORE, '')) ?? [];
  const isFail = first.toUpperCase() === 'FAIL' || /\bFAIL(?:ED)?\b/.test(line.replace(NONE_FAILED, ''));
  if (isFail) return 'FAIL';
  if (first !== '') return 'PASS';
  const isDenied = /\b(?:not|no|never|cannot|without)\s+(?:\w+\s+)?PASS/i.test(line);
  return /\bPASS(?:ED)?\b/.test(line) && !isDenied ? 'PASS' : null;
}

/** The first that stands there: it follows the name of what was made, "conventions written". One that says FAIL at once has failed. */
function deedIn(line: string): Keyword | null {
  if (/^FAIL(?:ED)?\b/i.test(line)) return 'FAIL';
  const [found = ''] = new RegExp(`\\b(?:${DEEDS.join('|')})\\b`, 'i').exec(line) ?? [];
  return DEEDS.find((word) => word === found.toLowerCase()) ?? null;
}

/** `FAIL L2`, `FAIL (Layer 3)`, `Layer 2 FAIL`: beside the verdict; a layer that a summary speaks of is another matter. */
function layerIn(line: string): 2 | 3 | null {
  const after = /\bFAIL(?:ED|URE|S)?[\s([:]*L(?:AYER)?\s*([23])\b/i.exec(line);
  const before = /^(?:\[harness\] )?L(?:ayer)?\s*([23])\b[\s:=—–-]*FAIL/i.exec(line);
  const layer = (after ?? before)?.[1];
  return layer === '2' ? 2 : layer === '3' ? 3 : null;
}

function confidenceIn(line: string): Confidence {
  const [, level = ''] = /\bconfidence\s*[:=—–-]?\s*(high|medium|low)\b/i.exec(line) ?? [];
  return (['High', 'Medium', 'Low'] as const).find((one) => one.toLowerCase() === level.toLowerCase()) ?? 'Unknown';
}

/** Step 6.6: FAIL without a layer is one of Layer 3. */
export function evaluationEvent({ keyword, layer }: Pick<Returned, 'keyword' | 'layer'>): EventName {
  if (keyword === 'PASS') return 'evaluation: pass';
  if (keyword === 'FAIL') return layer === 2 ? 'layer 2: fail' : 'layer 3: fail';
  return 'evaluation: unclear';
}
