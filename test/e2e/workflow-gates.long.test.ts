// The hard gates of a workflow: nothing but a person's answer to the question that is open passes one.
import { describe, expect, test } from 'vitest';
import {
  DOCS,
  evaluator,
  part,
  workflowProject,
  writes,
  type Asked,
  type WorkflowProject,
} from './workflow-project.ts';
import { expectExit } from './workshop.ts';

const FIX = { last_patch_path: '.harness/generator/auto_fix_patch.md', triggered_at: '2026-01-01T00:00:00.000Z' };
const FAILED = { layer1_result: 'FAIL', layer1_retries: 3 } as const;
/** A state that opens the gate at once, and its phase. */
const GATES = {
  'workflow-spec': { phase: 'plan_done' },
  'workflow-verify': {
    phase: 'verify_done',
    verify: { ...FAILED, autofix_attempted: true },
    autofix: { ...FIX, applied: 'rejected' },
  },
  'workflow-auto-fix': { phase: 'verify_done', verify: FAILED, autofix: { ...FIX, applied: 'proposed' } },
  'workflow-qa': { phase: 'evaluate_done', verify: { layer1_result: 'PASS', layer2_result: 'PASS' } },
} as const;

function at(subject: keyof typeof GATES, config = ''): WorkflowProject {
  const shop = workflowProject(GATES[subject], { config });
  shop.paper('spec.md', '# Spec\n\nOLD\n');
  shop.paper('qa_report.md', '### Verdict: FAIL\n');
  shop.write(
    FIX.last_patch_path,
    '```diff\n--- a/src/list.txt\n+++ b/src/list.txt\n@@ -1 +1 @@\n-unsorted\n+sorted\n```\n',
  );
  return shop;
}

describe('is passed by nothing else', () => {
  test.each(Object.keys(GATES) as (keyof typeof GATES)[])(
    '%s: not by --yes, not by another run, not by time',
    async (subject) => {
      const shop = at(subject);
      const { phase } = GATES[subject];
      for (const more of [[], ['--yes'], ['--until-done', '--i-accept-unsandboxed']]) {
        expectExit(await shop.harness('run', '--no-input', '--json', ...more), 8);
        expect(await shop.asked()).toMatchObject({ subject });
        expect(shop.state()).toMatchObject({ phase });
      }
      expect(shop.sent()).toEqual([]);
    },
  );

  test.each(['workflow-spec', 'workflow-verify', 'workflow-auto-fix'] as const)(
    '%s: not by a step or a style that is named',
    async (subject) => {
      for (const more of [
        ['--phase', 'evaluate'],
        ['--style', 'phase'],
        ['--style', 'step'],
      ]) {
        const shop = at(subject);
        const { code } = await shop.harness('run', '--no-input', '--yes', ...more);
        expect([5, 8], more.join(' ')).toContain(code);
        expect([shop.state()?.phase, shop.sent()]).toEqual([GATES[subject].phase, []]);
      }
    },
  );

  test('the last one too', async () => {
    const shop = workflowProject();
    expectExit(await shop.through('proceed'), 8);
    expectExit(await shop.harness('run', '--no-input', '--yes', '--json'), 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-commit' });
    expect(shop.git('log', '--format=%s')).toBe('start');
  });

  test.each([...Object.keys(GATES), 'workflow-commit'])(
    '%s: a policy is refused when the configuration is read',
    async (subject) => {
      const answer =
        {
          'workflow-spec': 'proceed',
          'workflow-verify': 'continue',
          'workflow-auto-fix': 'apply',
          'workflow-qa': 'accept',
          'workflow-commit': 'all',
        }[subject] ?? '';
      const shop = workflowProject(
        {},
        { config: `gates: { policies: { ${subject}: { answer: ${answer}, after: 1s } } }` },
      );
      const ran = await shop.harness('run', '--no-input', '--json');
      expectExit(ran, 2);
      expect(ran.stdout + ran.stderr).toContain(subject);
      expect(shop.sent()).toEqual([]);
    },
  );

  test('an option that is not shown is refused', async () => {
    const shop = at('workflow-verify');
    await shop.through();
    expectExit(await shop.answer('auto-fix'), 2);
    expectExit(await shop.answer('proceed'), 2);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-verify' });
  });
});

test.each([
  ['after the answer', ['answer', 'edit']],
  ['before it', ['edit', 'answer']],
] as const)('an answer counts also where a person edits state.json %s', async (_, steps) => {
  const shop = at('workflow-spec');
  await shop.through();
  for (const step of steps)
    if (step === 'answer') expectExit(await shop.answer('proceed'), 0);
    else shop.write('.harness/state.json', JSON.stringify({ ...shop.state(), task: 'Sort the list well' }));
  await shop.through();
  expect(shop.sent()).toContain('generator');
  expect(shop.state()).toMatchObject({ task: 'Sort the list well' });
  expect((await shop.asked())?.subject).not.toBe('workflow-spec');
});

test('an answer counts where state.json is edited at the question of a run that came that far by itself', async () => {
  const shop = workflowProject();
  await shop.through();
  shop.write('.harness/state.json', JSON.stringify({ ...shop.state(), max_files: 7 }));
  expectExit(await shop.answer('proceed'), 0);
  await shop.through();
  expect(await shop.asked()).toMatchObject({ subject: 'workflow-commit' });
});

test('where a person moves state.json to another phase, the work continues from there, and the old question is withdrawn', async () => {
  const shop = workflowProject();
  await shop.through();
  const [id, moved] = [(await shop.asked())?.id ?? '', { ...shop.state(), phase: 'generate_ready' }];
  shop.write('.harness/state.json', JSON.stringify(moved));
  await shop.harness('run', '--no-input', '--phase', 'generate');
  expect([shop.sent().at(-1), await shop.asked()]).toEqual(['generator', null]);
  const late = await shop.harness('answer', id, 'stop');
  expect([late.code, late.stderr]).toMatchObject([2, expect.stringContaining('was changed or lost') as string]);
});

test('the question after the last round says so, and the report of what is open stays; the end is in the language of the workflow', async () => {
  const failing = evaluator('FAIL', 'FAIL L3 — nicht stabil');
  const shop = workflowProject({ round: 3, user_lang: 'de' }, { parts: [failing] });
  await shop.through('proceed');
  expect((await shop.asked())?.['question']).toMatch(/letzte Runde ist vorbei \(3 von 3\).*qa_report\.md/);
  expectExit(await shop.answer('code-only'), 0);
  expect((await shop.harness('run', '--no-input')).stdout).toContain('ist gelandet');
  expect(shop.git('show', '--name-only', '--format=', 'HEAD').split('\n')).toContain(`${DOCS}qa_report.md`);
});

describe('an answer that was given passes no gate of another workflow', () => {
  test.each<[string, (shop: WorkflowProject) => Promise<unknown>, number]>([
    ['after a restart', (shop) => shop.harness('workflow', '--on-session', 'restart', '--no-input'), 8],
    ['after an abort', (shop) => shop.harness('abort', '--yes'), 0],
  ])('%s', async (_, meanwhile) => {
    const shop = at('workflow-spec');
    shop.git('add', '-A');
    shop.git('commit', '-qm', 'papers');
    await shop.through();
    expectExit(await shop.answer('proceed'), 0);
    await meanwhile(shop);
    expectExit(await shop.through(), 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-spec' });
    expect([shop.state()?.phase, shop.sent().includes('generator')]).toEqual(['plan_done', false]);
  });

  test('nor does one that is given twice, or by approve, count for the next', async () => {
    const shop = at('workflow-spec');
    await shop.through();
    const id = (await shop.asked())?.id ?? '';
    expectExit(await shop.harness('answer', id, 'proceed'), 0);
    expectExit(await shop.harness('answer', id, 'stop'), 2);
    expectExit(await shop.through(), 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-commit' });
    for (const call of [
      ['answer', id, 'proceed'],
      ['approve', id],
    ])
      expectExit(await shop.harness(...call), 2);
    expectExit(await shop.through(), 8);
    expect(shop.git('log', '--format=%s')).toBe('start');
  });
});

describe('Spec', () => {
  test('"modify" with a note: the spec is revised by who wrote it, with the note, and asked about again in the language of the note', async () => {
    const shop = at('workflow-spec');
    shop.play([part('planner', writes('# Spec\n\nNEW\n'), { say: 'spec written — anders' })]);
    const note = 'Bitte die Liste absteigend sortieren und nicht aufsteigend';
    expectExit(await shop.through(`modify: ${note}`), 8);
    expect(shop.sent()).toEqual(['planner']);
    expect(shop.prompts()[0]?.text).toContain(note);
    expect(shop.prompts()[0]?.text).toContain('OLD');
    expect(shop.read(`${DOCS}spec.md`)).toContain('NEW');
    expect(shop.state()).toMatchObject({ phase: 'plan_done', user_lang: 'de' });
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-spec' });
    expectExit(await shop.through('proceed'), 8);
    expect(shop.prompts()[1]?.text).toContain('NEW');
    expect(shop.prompts()[1]?.text).not.toContain(note);
  });

  test('"modify" without a note asks about what a person wrote meanwhile, and starts no session', async () => {
    const shop = at('workflow-spec');
    await shop.through();
    const old = (await shop.asked()) as Asked;
    shop.paper('spec.md', '# Spec\n\nBY-HAND\n');
    expectExit(await shop.through('modify'), 8);
    const now = (await shop.asked()) as Asked;
    expect(now.id).not.toBe(old.id);
    expect(shop.sent()).toEqual([]);
    expectExit(await shop.through('proceed'), 8);
    expect(shop.prompts()[0]?.text).toContain('BY-HAND');
  });

  test('a revision that is not written leaves the spec as it was, and ends', async () => {
    const shop = at('workflow-spec');
    shop.play([part('planner', { say: 'FAIL — I do not understand' })]);
    const ran = await shop.through('modify: make it better');
    expectExit(ran, 9);
    expect(shop.read(`${DOCS}spec.md`)).toContain('OLD');
    expectExit(await shop.through(), 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-spec' });
  });

  test('"stop" ends paused, twice; each run is at the gate again', async () => {
    const shop = at('workflow-spec');
    for (const _ of [1, 2]) {
      expectExit(await shop.through('stop'), 10);
      expect(shop.state()).toMatchObject({ phase: 'plan_done' });
    }
    expectExit(await shop.through(), 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-spec' });
    expect(shop.sent()).toEqual([]);
  });
});

describe('soft questions', () => {
  test('the convention scan is made where no user can be asked, and what it found reaches the planner', async () => {
    const shop = workflowProject({ conventions: null });
    expectExit(await shop.through(), 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-spec' });
    expect(shop.sent()).toEqual(['convention-scanner', 'planner']);
    expect(shop.state()).toMatchObject({ conventions: 'file:.harness/conventions.md' });
    expect(shop.prompts()[1]?.text).toContain('CONVENTIONS-OF-THE-SCAN');
  });
});
