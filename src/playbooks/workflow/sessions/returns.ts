// The one line that a session returns: `<keyword> — <summary>`. Tolerant in what it accepts, exact in what it reports; everything after the
// first line is ignored.
import type { Confidence } from '../table/gates.ts';
import type { WorkflowRole } from '../table/roles.ts';
import type { EventName } from '../table/stages.ts';

const DEEDS = ['generated', 'changed', 'written'] as const;
export type Keyword = 'PASS' | 'FAIL' | (typeof DEEDS)[number];

export type ReturnLine = {
  /** As it is shown: one line without Markdown, at most 300 characters. */
  readonly line: string;
  /** null: none of those that the role may return. */
  readonly keyword: Keyword | null;
  /** The layer that FAIL names. */
  readonly layer: 2 | 3 | null;
  readonly confidence: Confidence;
  readonly summary: string;
  /** Why it could not be read; null: it could. */
  readonly fault: 'empty' | 'keyword-missing' | 'confidence-missing' | null;
};

const MAX_TEXT = 20_000;
const MAX_LINE = 300;
/** They return a verdict; all others what they did. */
export const JUDGES: readonly WorkflowRole[] = ['verifier', 'evaluator'];
const PROPOSER: WorkflowRole = 'auto-fix-proposer';

export function readReturn(role: WorkflowRole, text: string): ReturnLine {
  const line = firstLine(text);
  const keyword = JUDGES.includes(role) ? verdictIn(line) : deedIn(line);
  const confidence = keyword === null ? 'Unknown' : confidenceIn(line);
  const isMissing = role === PROPOSER && confidence === 'Unknown' && !/\bconfidence\s*[:=—–-]?\s*unknown\b/i.test(line);
  const fault = line === '' ? 'empty' : keyword === null ? 'keyword-missing' : isMissing ? 'confidence-missing' : null;
  return {
    // The user is shown the proposer's confidence, so its line always has one.
    line:
      role === PROPOSER && fault !== null ? `auto_fix_patch written — confidence: Unknown — ${line || fault}` : line,
    keyword,
    layer: keyword === 'FAIL' ? layerIn(line) : null,
    confidence,
    summary: /(?:\s*[—–]\s*|\s--?\s|:\s)(.*)$/.exec(line)?.[1] ?? '',
    fault,
  };
}

/** Without blank lines before it, and without the marks of Markdown and terminals around it. */
function firstLine(text: string): string {
  const lines = text
    .slice(0, MAX_TEXT)
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
    if (line !== '') return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line;
  }
  return '';
}

/** Labels that may precede a verdict at the beginning of a line. */
const LABELS = /^(?:\[harness\] |(?:result|verdict|layer [123]|l[123])\s*[:=—–-]?\s*)*/i;
/** "0 FAIL" means that nothing failed. */
const NONE_FAILED = /\b(?:0|no|zero|without)\s+FAIL(?:ED|URES?|S)?\b/gi;
/**
 * The beginning of the line counts, in any case; elsewhere only capitals: "FAIL L2 — 3 of 5 items PASS", "PASS — 0 tests fail". A line with both
 * is a FAIL: nothing fails open.
 */
function verdictIn(line: string): Keyword | null {
  if (/\bPASS\s*(?:\/|\||or)\s*FAIL\b/i.test(line)) return null; // the choice itself
  const [, first = ''] = /^(pass|fail)(?:ed|ure|s)?\b/i.exec(line.replace(LABELS, '')) ?? [];
  const isFail = first.toUpperCase() === 'FAIL' || /\bFAIL(?:ED)?\b/.test(line.replace(NONE_FAILED, ''));
  if (isFail) return 'FAIL';
  if (first !== '') return 'PASS';
  const isDenied = /\b(?:not|no|never|cannot|without)\s+(?:\w+\s+)?PASS/i.test(line);
  return /\bPASS(?:ED)?\b/.test(line) && !isDenied ? 'PASS' : null;
}

/** The first of them: it follows the name of what was made, "conventions written". A line that begins with FAIL is a FAIL. */
function deedIn(line: string): Keyword | null {
  if (/^FAIL(?:ED)?\b/i.test(line)) return 'FAIL';
  const [found = ''] = new RegExp(`\\b(?:${DEEDS.join('|')})\\b`, 'i').exec(line) ?? [];
  return DEEDS.find((word) => word === found.toLowerCase()) ?? null;
}

/** `FAIL L2`, `FAIL (Layer 3)`, `Layer 2 FAIL`: next to the verdict; a layer in the summary does not count. */
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

/** FAIL without a layer is one of Layer 3. */
export function evaluationEvent({ keyword, layer }: Pick<ReturnLine, 'keyword' | 'layer'>): EventName {
  if (keyword === 'PASS') return 'evaluation: pass';
  if (keyword === 'FAIL') return layer === 2 ? 'layer 2: fail' : 'layer 3: fail';
  return 'evaluation: unclear';
}
