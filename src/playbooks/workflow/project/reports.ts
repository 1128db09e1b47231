// What is read of the documents that sessions write: a verdict, and whether a patch is one. Nothing else in them decides anything.
import { z } from 'zod';
import { defineSurvey } from '../../../engine/definitions.ts';

const VERDICTS = ['verdict: pass', 'verdict: fail', 'verdict: none'] as const;

/** Of `### Verdict: PASS`. If there are several, one FAIL is a FAIL. A line with both words is no verdict. */
export function verdictOf(report: string): (typeof VERDICTS)[number] {
  const lines = report.matchAll(/^[ \t]*#{1,6}[ \t]*\**[ \t]*Verdict\b[ \t]*\**[ \t]*[:：](.*)$/gim);
  const verdicts = [...lines].flatMap(([, text = '']) => {
    const [verdict, ...more] = text.toUpperCase().match(/\b(?:PASS|FAIL)(?=ED\b|\b)/g) ?? [];
    return verdict === undefined || more.some((other) => other !== verdict) ? [] : [verdict];
  });
  if (verdicts.includes('FAIL')) return 'verdict: fail';
  return verdicts.includes('PASS') ? 'verdict: pass' : 'verdict: none';
}

/** Of qa_report.md in this folder. */
export const qaVerdict = defineSurvey({
  id: 'workflow.verdict',
  input: z.object({ docs: z.string() }),
  facts: z.object({ on: z.enum(VERDICTS) }),
  read: async ({ view }, { docs }) => ({ on: verdictOf((await view.read(`${docs}qa_report.md`)) ?? '') }),
});

/** A block marked as diff with a hunk header in it. */
export function isPatch(text: string): boolean {
  const blocks = [...text.matchAll(/^[ \t]*(`{3,})diff\b.*\r?\n([\s\S]*?)^[ \t]*\1/gm)];
  return blocks.some(([, , body = '']) => /^@@ .*@@/m.test(body));
}
