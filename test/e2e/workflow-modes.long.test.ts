// The three modes of a workflow: who is sent, side by side or one after the other, and what reaches whom.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DOCS, part, workflowProject, writes, type Part, type WorkflowProject } from './workflow-project.ts';
import { eventsOf, expectExit } from './workshop.ts';

/** Each says that it is here and waits for the others: one after the other, none would ever end. */
const together = (role: string, own: string, others: readonly string[], text: string, say: string): Part =>
  part(
    role,
    { run: `touch ../${own}` },
    ...others.map((path) => ({ wait_for_file: { path: `../${path}`, seconds: 30 } })),
    writes(text),
    { say },
  );
const PERSONAS = ['architect', 'senior-developer', 'qa-specialist'] as const;
const WORDS = { architect: 'ARCHITECT', 'senior-developer': 'SENIOR', 'qa-specialist': 'QA' } as const;
const proposals = (personas: readonly (keyof typeof WORDS)[]): readonly Part[] =>
  personas.map((one) =>
    together(
      one,
      one,
      personas.filter((other) => other !== one),
      `PROPOSAL-${WORDS[one]}\n`,
      'proposal written — fine',
    ),
  );
const textsOf = (shop: WorkflowProject, role: string): readonly string[] =>
  shop.prompts().flatMap((one) => (one.role === role ? [one.text] : []));
const OUTSIDE = 'sandbox: { agents: outside }';

describe('single', () => {
  test('one planner, one generator, one evaluator, and no documents but theirs', async () => {
    const shop = workflowProject();
    expectExit(await shop.through('proceed'), 8);
    expect(shop.sent()).toEqual(['planner', 'generator', 'evaluator']);
    for (const name of ['spec.md', 'changes.md', 'verify_report.md', 'qa_report.md'])
      expect(existsSync(join(shop.root, DOCS, name)), name).toBe(true);
    expect(existsSync(join(shop.root, '.harness/planner'))).toBe(false);
    expect(existsSync(join(shop.root, '.harness/generator'))).toBe(false);
  });
});

describe('standard', () => {
  test('two propose side by side, one makes the spec of both, a plan is reviewed before anything is built', async () => {
    const shop = workflowProject(
      { mode: 'standard' },
      { parts: proposals(['architect', 'senior-developer']), config: OUTSIDE },
    );
    expectExit(await shop.through('proceed'), 8);
    expect(shop.sent().slice(0, 2).toSorted()).toEqual(['architect', 'senior-developer']);
    expect(shop.sent().slice(2)).toEqual(['synthesis', 'lead-developer', 'combined-advisor', 'generator', 'evaluator']);
    for (const path of [
      'planner/proposal_architect.md',
      'planner/proposal_senior_developer.md',
      'generator/plan.md',
      'generator/review_combined.md',
    ])
      expect(existsSync(join(shop.root, '.harness', path)), path).toBe(true);
    const [synthesis = ''] = textsOf(shop, 'synthesis');
    expect(synthesis).toContain('PROPOSAL-ARCHITECT');
    expect(synthesis).toContain('PROPOSAL-SENIOR');
    const [advisor = ''] = textsOf(shop, 'combined-advisor');
    expect(advisor).toContain('PLAN-OF-THE-LEAD');
    const [generator = ''] = textsOf(shop, 'generator');
    expect(generator).toContain('PLAN-OF-THE-LEAD');
    expect(generator).toContain('REVIEW-OF-THE-ADVISOR');
  });
});

describe('multi', () => {
  test('three propose, three criticise, two review: each group side by side, and no session sees what is not for it', async () => {
    const shop = workflowProject(
      { mode: 'multi' },
      {
        config: OUTSIDE,
        parts: [
          ...proposals(PERSONAS),
          // Critics share a role: each leaves its own name by its number, and waits for three of them.
          part(
            'critic',
            { run: 'touch ../critic-$(basename {{OUTPUT}})' },
            ...['architect', 'senior_developer', 'qa_specialist'].map((name) => ({
              wait_for_file: { path: `../critic-critique_${name}.md`, seconds: 30 },
            })),
            writes('CRITIQUE\n'),
            { say: 'critique written — fine' },
          ),
          together('code-quality-advisor', 'quality', ['stability'], 'REVIEW-OF-QUALITY\n', 'review written — fine'),
          together(
            'test-stability-advisor',
            'stability',
            ['quality'],
            'REVIEW-OF-STABILITY\n',
            'review written — fine',
          ),
        ],
      },
    );
    shop.paper('qa_notes.md', 'NOTES-OF-THE-SPEC-PHASE\n');
    shop.paper('critic_findings.md', 'FINDINGS-OF-THE-SPEC-PHASE\n');
    expectExit(await shop.through('proceed'), 8);
    const sent = shop.sent();
    expect(sent.slice(0, 3).toSorted()).toEqual([...PERSONAS].toSorted());
    expect(sent.slice(3, 8)).toEqual(['critic', 'critic', 'critic', 'synthesis', 'lead-developer']);
    expect(sent.slice(8, 10).toSorted()).toEqual(['code-quality-advisor', 'test-stability-advisor']);
    expect(sent.slice(10)).toEqual(['generator', 'evaluator']);

    for (const persona of PERSONAS) {
      const [text = ''] = textsOf(shop, persona);
      expect(text, persona).not.toContain('PROPOSAL-');
      expect(text, persona).toContain('NOTES-OF-THE-SPEC-PHASE');
      expect(text, persona).toContain('FINDINGS-OF-THE-SPEC-PHASE');
    }
    const seen = textsOf(shop, 'critic').map((text) =>
      Object.values(WORDS)
        .filter((w) => text.includes(`PROPOSAL-${w}`))
        .join(' and '),
    );
    expect(seen.toSorted()).toEqual(['ARCHITECT and QA', 'ARCHITECT and SENIOR', 'SENIOR and QA']);
    const [synthesis = ''] = textsOf(shop, 'synthesis');
    for (const word of Object.values(WORDS)) expect(synthesis).toContain(`PROPOSAL-${word}`);
    expect(synthesis.match(/^CRITIQUE$/gm)).toHaveLength(3);
    for (const { role, text } of shop.prompts().slice(3)) {
      expect(text, role).not.toContain('NOTES-OF-THE-SPEC-PHASE');
      expect(text, role).not.toContain('FINDINGS-OF-THE-SPEC-PHASE');
    }
    const [evaluator = ''] = textsOf(shop, 'evaluator');
    for (const word of [
      'PROPOSAL-',
      'CRITIQUE\n',
      'PLAN-OF',
      'REVIEW-OF',
      'THE-REASON-OF-THE-GENERATOR',
      'list changed',
    ])
      expect(evaluator).not.toContain(word);
    expect(evaluator).toContain('src/list.txt');
    expect(evaluator).toContain('Layer 1 PASSED');
    // Who works beside others is not blamed for what the harness writes meanwhile, nor for the file that it is sent for.
    expect(eventsOf(shop, 'tampering')).toEqual([]);
    const refused = eventsOf(shop, 'tool-violation').filter(({ data }) => data?.['rule'] === 'harness-file');
    expect(refused).toEqual([]);
  });

  test('a proposal that one of three does not write is asked for again, of all three', async () => {
    const lazy: Part = { role: 'qa-specialist', session: 3, turns: [[{ say: 'proposal written — promised' }]] };
    const shop = workflowProject({ mode: 'multi' }, { parts: [lazy] });
    expectExit(await shop.through(), 8);
    expect(
      shop
        .sent()
        .slice(0, 6)
        .filter((role) => role === 'qa-specialist'),
    ).toHaveLength(2);
    expect(shop.state()).toMatchObject({ phase: 'plan_done' });
    expect(shop.read('src/list.txt')).toBe('unsorted\n');
  });
});

test('models follow the preset, role by role', async () => {
  const shop = workflowProject({
    mode: 'standard',
    model_config: { preset: 'economy', executor: 'haiku', advisor: 'sonnet', evaluator: 'sonnet', verifier: 'haiku' },
  });
  expectExit(await shop.through('proceed'), 8);
  const models = eventsOf(shop, 'session-started').map(({ data = {} }) => [data['role'], data['model']]);
  expect(Object.fromEntries(models)).toMatchObject({
    architect: 'sonnet',
    synthesis: 'sonnet',
    'lead-developer': 'haiku',
    'combined-advisor': 'sonnet',
    generator: 'haiku',
    evaluator: 'sonnet',
  });
});
