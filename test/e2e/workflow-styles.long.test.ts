// How far a session of a workflow goes (`run_style`), and the same where there is no git.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  DOCS,
  evaluator,
  generator,
  part,
  SORTED,
  workflowProject,
  writes,
  WRONG,
  type WorkflowProject,
} from './workflow-project.ts';
import { expectExit } from './workshop.ts';

const PAPERS = ['spec.md', 'changes.md', 'verify_report.md'] as const;
/** As earlier sessions left it. */
function left(
  fields: object,
  papers: readonly string[],
  ...parts: Parameters<WorkflowProject['play']>[0]
): WorkflowProject {
  const shop = workflowProject(fields, { parts });
  for (const name of papers) shop.paper(name, name === 'changes.md' ? '- `src/list.txt` — sorted\n' : '# Paper\n');
  return shop;
}
const phaseDone = { result: 'partial', items: [{ result: 'partial', reason: 'workflow-phase-done' }] };

describe('phase', () => {
  test('ends at the end of each phase; the hard gates are asked in the session after', async () => {
    const shop = workflowProject({ run_style: 'phase' });
    const plan = await shop.through();
    expectExit(plan, 0);
    expect([plan.json(), shop.state()?.phase, await shop.asked()]).toMatchObject([phaseDone, 'plan_done', null]);
    expectExit(await shop.through(), 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-spec' });
    for (const [answers, phase] of [
      [['proceed'], 'generate_done'],
      [[], 'verify_done'],
      [[], 'evaluate_done'],
    ] as const) {
      const ran = await shop.through(...answers);
      expectExit(ran, 0);
      expect([ran.json(), shop.state()?.phase]).toMatchObject([phaseDone, phase]);
    }
    expectExit(await shop.through(), 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-commit' });
    const last = await shop.through('code-only');
    expectExit(last, 0);
    expect([last.json(), shop.sent()]).toMatchObject([
      { items: [{ result: 'landed' }] },
      ['planner', 'generator', 'evaluator'],
    ]);
  });

  test('"continue" past a failed Layer 1 is not asked again by the next session', async () => {
    const failed = { layer1_result: 'FAIL', layer1_retries: 3, autofix_attempted: true };
    const autofix = { last_patch_path: '.harness/generator/auto_fix_patch.md', applied: 'rejected', triggered_at: '' };
    const shop = left({ run_style: 'phase', phase: 'verify_done', verify: failed, autofix }, PAPERS);
    expectExit(await shop.through('continue'), 0);
    expect(shop.state()).toMatchObject({ phase: 'evaluate_ready' });
    expectExit(await shop.through(), 0);
    expect([shop.sent(), shop.state()?.phase]).toEqual([['evaluator'], 'evaluate_done']);
    expect(shop.prompts()[0]?.text).toContain('Layer 1 FAILED');
  });
});

describe('a named step', () => {
  test.each([
    ['generate', { phase: 'plan_ready' }, []],
    ['generate', { phase: 'plan_done' }, []],
    ['verify', { phase: 'generate_ready' }, ['spec.md', 'changes.md']],
    ['verify', { phase: 'generate_done' }, ['spec.md']],
    ['evaluate', { phase: 'generate_done' }, PAPERS],
    ['evaluate', { phase: 'verify_done', verify: { layer1_result: 'PASS' } }, ['spec.md', 'changes.md']],
  ])(
    '(%s in %j with %j) that lacks what it needs says what comes first, and starts no session',
    async (step, fields, papers) => {
      for (const call of [
        ['workflow', step, '--no-input'],
        ['run', '--phase', step, '--no-input'],
      ]) {
        const shop = left(fields, papers);
        const before = shop.state();
        const ran = await shop.harness(...call);
        expectExit(ran, 5);
        expect(ran.stderr + ran.stdout).toContain('workflow-step-first');
        expect([shop.sent(), shop.state()]).toEqual([[], before]);
      }
    },
  );

  test('verify of what fails sends no generator, and says so; evaluate then asks before it continues', async () => {
    const shop = left({ phase: 'generate_done' }, ['spec.md', 'changes.md'], evaluator('PASS', 'PASS — fine'));
    expectExit(await shop.harness('workflow', 'verify', '--no-input'), 0);
    expect([shop.state(), shop.sent()]).toMatchObject([
      { phase: 'verify_done', verify: { layer1_result: 'FAIL', layer1_retries: 0 } },
      ['verifier'],
    ]);
    expectExit(await shop.harness('workflow', 'evaluate', '--no-input'), 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-verify' });
    expect(shop.sent()).toEqual(['verifier']);
  });

  test('generate after the plan comes to the Spec gate first', async () => {
    const shop = left({ phase: 'plan_done', run_style: 'phase' }, ['spec.md']);
    expectExit(await shop.harness('workflow', 'generate', '--no-input'), 8);
    expect([(await shop.asked())?.subject, shop.sent()]).toEqual(['workflow-spec', []]);
    await shop.answer('proceed');
    expectExit(await shop.harness('workflow', 'generate', '--no-input'), 0);
    expect([shop.sent(), shop.state()?.phase]).toEqual([['generator'], 'generate_done']);
  });
});

describe('without git', () => {
  const PATCH = '.harness/generator/auto_fix_patch.md';
  function bare(
    fields: object,
    papers: readonly string[],
    ...parts: Parameters<WorkflowProject['play']>[0]
  ): WorkflowProject {
    const shop = left({ has_git: false, ...fields }, papers, ...parts);
    rmSync(join(shop.root, '.git'), { recursive: true });
    return shop;
  }

  test('a patch goes in whole, is verified, and everything stays in the folder', async () => {
    const patch = '```diff\n--- a/src/list.txt\n+++ b/src/list.txt\n@@ -1 +1 @@\n-mixed up\n+sorted\n```\n';
    const shop = bare(
      { phase: 'generate_ready' },
      ['spec.md'],
      generator(WRONG),
      part('auto-fix-proposer', writes(patch), { say: 'auto_fix_patch written — confidence: High — sorts' }),
    );
    expectExit(await shop.through('auto-fix'), 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-auto-fix' });
    const last = await shop.through('apply');
    expectExit(last, 0);
    expect(last.json()).toMatchObject({ items: [{ reason: 'workflow-kept', commit: null }] });
    expect([shop.read('src/list.txt'), shop.state(), existsSync(join(shop.root, PATCH))]).toEqual([
      'sorted\n',
      null,
      false,
    ]);
  });

  test('what a session changed that was not sent for it is put back; a kill in the middle is, too', async () => {
    const half = generator(
      { write: { path: 'src/half.txt', text: 'half\n' } },
      { write: { path: '../at-work', text: '' } },
      { wait_for_file: { path: '../go', seconds: 60 } },
      SORTED,
    );
    const shop = bare(
      { phase: 'plan_ready' },
      [],
      half,
      part('planner', WRONG, writes('# Spec\n'), { say: 'spec written — s' }),
    );
    expectExit(await shop.through(), 8);
    expect(shop.read('src/list.txt')).toBe('unsorted\n');
    await shop.answer('proceed');
    const run = shop.start('run', '--no-input');
    await run.until(join(shop.around, 'at-work'));
    run.signal('SIGKILL');
    await run.ended;
    shop.play([]);
    expectExit(await shop.through(), 0);
    expect([shop.read('src/list.txt'), existsSync(join(shop.root, 'src/half.txt'))]).toEqual(['sorted\n', false]);
    expect(shop.read(`${DOCS}qa_report.md`)).toContain('PASS');
  });

  test.each([
    ['status'],
    ['items'],
    ['gates'],
    ['logs'],
    ['evidence'],
    ['attempts'],
    ['doctor'],
    ['run', '--dry-run'],
    ['handoff'],
    ['takeback'],
    ['abort', '--yes'],
  ])('%s says something that can be read', async (...call) => {
    const shop = bare({ phase: 'plan_done' }, ['spec.md']);
    expectExit(await shop.through(), 8);
    const ran = await shop.harness(...call);
    expect([0, 5]).toContain(ran.code);
    expect(ran.stdout + ran.stderr).not.toMatch(/unexpected:|^\s+at .*:\d+:\d+|not a git repository/m);
    expect([shop.state()?.phase, existsSync(join(shop.root, '.git'))]).toEqual(['plan_done', false]);
  });
});
