// A workflow through the program (docs/workflow.md): one task through plan, code, checks and evaluation, with a person at the hard gates.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DOCS, workflowProject } from './workflow-project.ts';
import { expectExit } from './workshop.ts';

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

  test('in a folder without git goes the same way: what was made stays there, and no repository of git appears', async () => {
    const shop = workflowProject({ has_git: false });
    rmSync(join(shop.root, '.git'), { recursive: true });
    expectExit(await shop.through(), 8);
    const last = await shop.through('proceed');
    expectExit(last, 0);
    expect(last.json()).toMatchObject({ result: 'landed', reason: 'workflow-kept', items: [{ commit: null }] });
    expect(shop.read('src/list.txt')).toBe('sorted\n');
    expect(shop.read(`${DOCS}spec.md`)).toContain('Sort the list.');
    expect([shop.state(), existsSync(join(shop.root, '.git'))]).toEqual([null, false]);
  });
});
