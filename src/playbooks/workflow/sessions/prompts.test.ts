// The stable part of each prompt of the workflow: it asks for exactly the line that is read.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { estimateTokens } from '../../../model/tokens.ts';
import { isPatch, verdictOf } from '../project/reports.ts';
import { namesIn } from './changed-files.ts';
import { SLOT_OF } from './models.ts';
import { evaluationEvent, readReturn } from './returns.ts';
import { ROLES, type WorkflowRole } from '../table/roles.ts';

type Head = {
  readonly role: string;
  readonly mode: string;
  readonly model: string;
  readonly tools: readonly string[];
  readonly output: { readonly contract: string; readonly words: readonly string[] };
};
function promptOf(role: WorkflowRole): { readonly head: Head; readonly body: string } {
  const text = readFileSync(new URL(`../../../../prompts/workflow/${role}.md`, import.meta.url), 'utf8');
  const [, front = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  return { head: parse(front) as Head, body };
}
/** The lines that it asks for, with values for their placeholders. */
function samplesOf(role: WorkflowRole): readonly string[] {
  const [, ending = ''] = promptOf(role).body.split('\n## How to end\n');
  const lines = [...ending.matchAll(/^```\n(.+)\n```$/gm), ...ending.matchAll(/`(FAIL — [^`]*)`/g)];
  return lines.map(([, line = '']) => line.replace('<High|Medium|Low>', 'Medium').replaceAll(/<[^>]*>/g, 'a summary'));
}

describe.each(ROLES)('the %s prompt', (role) => {
  const { head, body } = promptOf(role);

  test('names its role, and the words that it returns', () => {
    expect(head).toMatchObject({ role, mode: 'exec', output: { contract: 'first-line' } });
    const slot = SLOT_OF[role];
    expect(head.model).toBe(slot === 'scanner' || slot === 'proposer' ? 'advisor' : slot);
    expect(head.tools.includes('write')).toBe(role !== 'verifier');
  });

  test('asks for exactly the line that is read', () => {
    const samples = samplesOf(role);
    expect(samples.length).toBeGreaterThan(0);
    const read = samples.map((line) => readReturn(role, line));
    for (const { line, keyword, fault, summary } of read) {
      expect([line, fault]).toEqual([line, null]);
      expect(head.output.words).toContain(keyword);
      expect(summary).not.toBe('');
    }
    expect(new Set(head.output.words)).toEqual(new Set(read.map(({ keyword }) => keyword)));
  });

  test('is short, the same for every session, points to the brief below it, and leaves git alone', () => {
    expect(estimateTokens(body)).toBeLessThan(1_800);
    expect(body).not.toMatch(/\{\{|\$\{|\{[a-z_]+\}/);
    expect(body.replaceAll(/\s+/g, ' ')).toContain('"This session"');
    expect(body.replaceAll(/\s+/g, ' ')).toMatch(/leave git alone/i);
    expect(body).toContain('`user_lang`');
    expect(body.includes('`OUTPUT`')).toBe(role !== 'verifier');
  });
});

test('the evaluator returns each of its verdicts, and its report has the lines that are read', () => {
  const events = samplesOf('evaluator').map((line) => evaluationEvent(readReturn('evaluator', line)));
  expect(events).toEqual(['evaluation: pass', 'layer 2: fail', 'layer 3: fail']);
  const { body } = promptOf('evaluator');
  const [, report = ''] = /```\n(# QA Report\n[\s\S]*?)```/.exec(body) ?? [];
  expect(verdictOf(report)).toBe('verdict: fail');
  expect(report).toMatch(/^## Fix Instructions$/m);
});

test('the evaluator does not know who did the work', () => {
  expect(promptOf('evaluator').body).not.toMatch(/generator|\bAI\b|\bagents?\b|advisor|planner/i);
});

test('the auto-fix proposer states its confidence, and its example is a patch', () => {
  expect(samplesOf('auto-fix-proposer').map((line) => readReturn('auto-fix-proposer', line).confidence)).toEqual([
    'Medium',
  ]);
  expect(isPatch(promptOf('auto-fix-proposer').body)).toBe(true);
});

test('the example of changes.md for the generator can be read', () => {
  expect(namesIn(promptOf('generator').body, 'docs/harness/x/')).toEqual(
    expect.arrayContaining(['src/login/session.ts', 'src/login/session.test.ts', 'src/old.ts']),
  );
});
