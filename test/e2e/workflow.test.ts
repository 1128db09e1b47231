// A workflow through the program (docs/workflow.md): one task through plan, code, checks and evaluation, with a person at the hard gates.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DOCS, evaluator, generator, type Part, workflowProject, WRONG } from './workflow-project.ts';
import { expectExit } from './workshop.ts';
import { IS_EXHAUSTIVE } from '../support/effort.ts';

describe('one task', () => {
  test('goes from plan to commit, stops at each hard gate until it is answered, and leaves one proved commit', async () => {
    const shop = workflowProject();
    const first = await shop.through();
    expectExit(first, 8);
    expect(shop.state()).toMatchObject({ phase: 'plan_done' });
    expect(shop.read(`${DOCS}spec.md`)).toContain('Sort the list.');
    // Nothing but an answer passes: not another run, not --yes.
    expectExit(await shop.harness('run', '--no-input', '--yes', '--json'), 8);
    expect(shop.state()).toMatchObject({ phase: 'plan_done' });
    const second = await shop.through('proceed');
    expectExit(second, 8);
    expect(shop.state()).toMatchObject({
      phase: 'completed',
      verify: { layer1_result: 'PASS', layer2_result: 'PASS' },
    });
    const last = await shop.through('code-only');
    expectExit(last, 0);
    expect(last.json()).toMatchObject({ result: 'landed', items: [{ id: 'sort-the-list', result: 'landed' }] });
    expect(shop.state()).toBeNull();
    expect(existsSync(join(shop.root, DOCS))).toBe(false);
    expect(shop.git('log', '--format=%s', '-1')).toBe('feat: Sort the list');
    expect(shop.git('show', '--name-only', '--format=', 'HEAD')).toBe('src/list.txt');
    expect(shop.git('status', '--porcelain')).toBe('');
    expectExit(await shop.harness('evidence', 'verify', 'sort-the-list'), 0);
    const over = await shop.harness('run', '--no-input');
    expectExit(over, 0);
    expect(over.stdout.trim()).toBe('No workflow is under way   → harness workflow "TASK"');
  });

  test('says each phase once for each round when it begins, also where work is repeated or a later run continues', async () => {
    const shop = workflowProject({}, { parts: [{ ...generator(WRONG), session: 2 }] });
    const phases = async () => (await shop.harness('run', '--no-input')).stderr.match(/Phase: .*/g);
    expect(await phases()).toEqual(['Phase: plan (round 1)']);
    await shop.answer('proceed');
    expect(await phases()).toEqual([
      'Phase: generate (round 1)',
      'Phase: verify: layer 1 (round 1)',
      'Phase: evaluate: layers 2 and 3 (round 1)',
    ]);
    expect(shop.sent().filter((role) => role === 'generator')).toHaveLength(2);
  });

  test('is judged without plan, reasons and earlier sessions: the tools of the evaluator refuse them, and show spec and code', async () => {
    const looks = (...commands: readonly string[]): Part['turns'][number] =>
      commands.map((command) => ({ run: { command, ask: true } }));
    const refused = [
      'cat .harness/generator/plan.md',
      'cat .harness/planner/*.md',
      `cat ${DOCS}changes.md`,
      'cat .harness/sessions/1/prompt-1.md',
      'git for-each-ref',
      'git log --all -p',
      'grep -r REASON .',
    ];
    const shown = [`cat ${DOCS}spec.md`, 'cat src/list.txt', 'git log -1 --format=%s'];
    const [paper] = evaluator('PASS', 'PASS — it is sorted').turns;
    const curious: Part = { role: 'evaluator', turns: [[...looks(...refused, ...shown), ...(paper ?? [])]] };
    const shop = workflowProject({ mode: 'standard' }, { parts: [curious] });
    expectExit(await shop.through('proceed'), 8);
    const n = shop.sent().indexOf('evaluator') + 1;
    const events = shop
      .read(`.harness/sessions/${n}/events.jsonl`)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { t: string; output?: string });
    const answers = events.flatMap(({ t, output }) => (t === 'tool-end' ? [String(output)] : []));
    for (const [at, command] of refused.entries()) expect(answers[at], command).toContain('(unseen)');
    expect(answers.slice(refused.length).join('')).toMatch(/Sort the list[^]*sorted[^]*start/);
    expect(answers.join('')).not.toMatch(/REASON-OF|PLAN-OF|REVIEW-OF|PROPOSAL-OF/);
  });

  test.runIf(IS_EXHAUSTIVE)(
    'in a folder without git goes the same way: what was made stays there, and no repository of git appears',
    async () => {
      const shop = workflowProject({ has_git: false });
      rmSync(join(shop.root, '.git'), { recursive: true });
      expectExit(await shop.through(), 8);
      const last = await shop.through('proceed');
      expectExit(last, 0);
      expect(last.json()).toMatchObject({ result: 'landed', reason: 'workflow-kept', items: [{ commit: null }] });
      expect(shop.read('src/list.txt')).toBe('sorted\n');
      expect(shop.read(`${DOCS}spec.md`)).toContain('Sort the list.');
      expect([shop.state(), existsSync(join(shop.root, '.git'))]).toEqual([null, false]);
    },
  );
});
