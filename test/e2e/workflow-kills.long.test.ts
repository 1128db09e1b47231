// A workflow that is killed where it hurts: whatever was under way, the next run ends as an undisturbed one. Nothing is done, asked or
// committed twice.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  DOCS,
  evaluator,
  generator,
  part,
  SORTED,
  workflowProject,
  writes,
  type WorkflowProject,
} from './workflow-project.ts';
import { eventsOf, expectExit, type Live, type Steps } from './workshop.ts';

const SPEC = '# Spec\n\nSort the list.\n';
/** Says that it is there, and waits to be let go. */
const held = (name: string): Steps => [
  { write: { path: `../${name}`, text: '' } },
  { wait_for_file: { path: '../go', seconds: 60 } },
];
const letGo = (shop: WorkflowProject): void => writeFileSync(join(shop.around, 'go'), '');

async function killed(run: Live): Promise<void> {
  run.signal('SIGKILL');
  await run.ended;
}
/** At the first moment that something is so; the program may be over by then. */
async function killedWhen(run: Live, isSo: () => boolean): Promise<void> {
  const over = run.ended.then(() => true);
  while (!isSo() && !(await Promise.race([over, sleep(1, false)])));
  await killed(run);
}
const eventsSoFar = (shop: WorkflowProject): string => {
  const log = join(shop.root, '.harness/logs/events.jsonl');
  return existsSync(log) ? readFileSync(log, 'utf8') : '';
};
/** Roles, as often as a session of theirs was begun. */
const started = (shop: WorkflowProject): readonly unknown[] =>
  eventsOf(shop, 'session-started').map(({ data }) => data?.['role']);
/** Subjects of all questions that there ever were. */
const questions = async (shop: WorkflowProject): Promise<readonly string[]> =>
  ((await shop.harness('gates', '--all', '--json')).json() as { gates: { subject: string }[] }).gates.map(
    ({ subject }) => subject,
  );
const commits = (shop: WorkflowProject): readonly string[] => shop.git('log', '--format=%s').split('\n');
async function expectLanded(shop: WorkflowProject): Promise<void> {
  expect(commits(shop)).toEqual(['feat: Sort the list', 'start']);
  expect(shop.git('show', '--name-only', '--format=', 'HEAD')).toBe('src/list.txt');
  expect(shop.git('show', 'HEAD:src/list.txt')).toBe('sorted');
  expect([shop.state(), existsSync(join(shop.root, DOCS)), shop.git('status', '--porcelain')]).toEqual([
    null,
    false,
    '',
  ]);
  expect(await shop.asked()).toBeNull();
  expectExit(await shop.harness('evidence', 'verify', 'sort-the-list'), 0);
}
const ready = (options: Parameters<typeof workflowProject>[1] = {}): WorkflowProject => {
  const shop = workflowProject({ phase: 'generate_ready' }, options);
  shop.paper('spec.md', SPEC);
  return shop;
};

describe('kill -9', () => {
  test('in the middle of a generator: its half is put back, and it is sent once more', async () => {
    const half = generator({ write: { path: 'src/half.txt', text: 'half\n' } }, ...held('at-work'), SORTED);
    const shop = ready({ parts: [half] });
    const run = shop.start('run', '--no-input');
    await run.until(join(shop.around, 'at-work'));
    await killed(run);
    expect(shop.read('src/half.txt')).toBe('half\n');
    letGo(shop);
    shop.play([]);
    expectExit(await shop.through(), 8);
    expect(existsSync(join(shop.root, 'src/half.txt'))).toBe(false);
    expect(shop.state()).toMatchObject({ phase: 'completed', verify: { layer1_result: 'PASS', layer1_retries: 0 } });
    expectExit(await shop.through('code-only'), 0);
    await expectLanded(shop);
    expect([started(shop), await questions(shop)]).toEqual([
      ['generator', 'generator', 'evaluator'],
      ['workflow-commit'],
    ]);
    const kept = (await shop.harness('attempts', 'sort-the-list', '--json')).json() as { attempts: unknown[] };
    expect(kept.attempts).toHaveLength(1);
  });

  test('among three planners, one of them done: what it wrote counts, and its question comes once', async () => {
    const shop = workflowProject(
      { mode: 'multi' },
      {
        parts: [
          part('architect', ...held('architect'), writes('PROPOSAL-OF-THE-ARCHITECT\n'), {
            say: 'proposal written — a',
          }),
          part('senior-developer', ...held('senior'), writes('PROPOSAL-OF-THE-SENIOR\n'), {
            say: 'proposal written — b',
          }),
        ],
      },
    );
    const run = shop.start('run', '--no-input');
    await run.until(join(shop.around, 'architect'));
    await run.until(join(shop.around, 'senior'));
    await killedWhen(run, () => existsSync(join(shop.root, '.harness/planner/proposal_qa_specialist.md')));
    letGo(shop);
    expectExit(await shop.through(), 8);
    expect(shop.state()).toMatchObject({ phase: 'plan_done' });
    const sent = started(shop);
    for (const role of ['architect', 'senior-developer']) expect(sent.filter((one) => one === role)).toHaveLength(2);
    expect(sent.slice(-4)).toEqual(['critic', 'critic', 'critic', 'synthesis']);
    const last = shop.prompts().at(-1)?.text ?? '';
    for (const whose of ['THE-ARCHITECT', 'THE-SENIOR', 'QA']) expect(last).toContain(`PROPOSAL-OF-${whose}`);
    expect([await questions(shop), shop.git('status', '--porcelain')]).toEqual([['workflow-spec'], `?? docs/`]);
  });

  test.each<[string, (shop: WorkflowProject) => boolean]>([
    ['being written', (shop) => existsSync(join(shop.privateDir, 'gates/g-1.json'))],
    ['open', (shop) => eventsSoFar(shop).includes('gate-opened')],
  ])('while a question is %s: it is the same question, and its answer counts', async (_, isSo) => {
    const shop = workflowProject();
    await killedWhen(shop.start('run'), () => isSo(shop));
    expectExit(await shop.through(), 8);
    expect(await shop.asked()).toMatchObject({ id: 'g-1', subject: 'workflow-spec' });
    expectExit(await shop.through('proceed'), 8);
    expect(await questions(shop)).toEqual(['workflow-spec', 'workflow-commit']);
    expect(started(shop)).toEqual(['planner', 'generator', 'evaluator']);
  });

  test('while a patch is applied: it is applied once, verified, and the attempt is spent', async () => {
    const patch = '.harness/generator/auto_fix_patch.md';
    const shop = workflowProject({
      phase: 'verify_done',
      verify: { layer1_result: 'FAIL', layer1_retries: 3, autofix_attempted: false },
      autofix: { last_patch_path: patch, applied: 'proposed', triggered_at: '2026-01-01T00:00:00.000Z' },
    } as never);
    shop.paper('spec.md', SPEC);
    shop.paper('changes.md', '- `src/list.txt` — not yet\n');
    shop.write(patch, '```diff\n--- a/src/list.txt\n+++ b/src/list.txt\n@@ -1 +1 @@\n-unsorted\n+sorted\n```\n');
    expectExit(await shop.through(), 8);
    await shop.answer('apply');
    await killedWhen(shop.start('run', '--no-input'), () => shop.read('src/list.txt') !== 'unsorted\n');
    expectExit(await shop.through(), 8);
    expect(shop.state()).toMatchObject({
      phase: 'completed',
      verify: { layer1_result: 'PASS', layer1_retries: 3, autofix_attempted: true },
      autofix: { applied: 'applied' },
    });
    expectExit(await shop.through('code-only'), 0);
    await expectLanded(shop);
    expect([shop.sent(), await questions(shop)]).toEqual([['evaluator'], ['workflow-auto-fix', 'workflow-commit']]);
  });

  test.each<[string, (shop: WorkflowProject, start: string) => boolean]>([
    ['the documents are gone', (shop) => !existsSync(join(shop.root, DOCS, 'spec.md'))],
    ['the commit is made', (shop, start) => branchAt(shop) !== start],
    ['the plan is gone', (shop) => !existsSync(join(shop.root, '.harness/generator'))],
    ['state.json is gone', (shop) => shop.state() === null],
  ])('in the clean-up, as soon as %s: there is one commit, and nothing is left', async (_, isSo) => {
    const shop = workflowProject({ phase: 'evaluate_ready', verify: { layer1_result: 'PASS' } });
    shop.paper('spec.md', SPEC);
    shop.paper('changes.md', '- `src/list.txt` — sorted\n');
    shop.write('.harness/generator/plan.md', 'plan\n');
    shop.write('src/list.txt', 'sorted\n');
    expectExit(await shop.through(), 8);
    await shop.answer('code-only');
    const start = branchAt(shop);
    await killedWhen(shop.start('run', '--no-input'), () => isSo(shop, start));
    expectExit(await shop.through(), 0);
    await expectLanded(shop);
    expect(existsSync(join(shop.root, '.harness/generator'))).toBe(false);
    expect([shop.sent(), await questions(shop)]).toEqual([['evaluator'], ['workflow-commit']]);
  });

  test.each<[string, (shop: WorkflowProject, start: string) => boolean]>([
    ['the commit is made', (shop, start) => branchAt(shop) !== start],
    ['the documents are gone', (shop) => !existsSync(join(shop.root, DOCS, 'spec.md'))],
  ])('in the clean-up of documents that git ignores, as soon as %s: the same', async (_, isSo) => {
    const shop = ready({ files: { '.gitignore': '.harness/\ndocs/\n' } });
    expectExit(await shop.through(), 8);
    await shop.answer('code-only');
    const start = branchAt(shop);
    await killedWhen(shop.start('run', '--no-input'), () => isSo(shop, start));
    expectExit(await shop.through(), 0);
    await expectLanded(shop);
    expect(await questions(shop)).toEqual(['workflow-commit']);
  });

  test('again and again, a little later each time: the end is the same', async () => {
    const shop = workflowProject(
      { mode: 'standard' },
      { parts: [{ ...evaluator('FAIL', 'FAIL L3 — no'), session: 99 }] },
    );
    const lines = (): number => eventsSoFar(shop).split('\n').length;
    let kills = 0;
    for (const option of ['proceed', 'code-only', null]) {
      // Each run gets a little further than the one before; a run that ends by itself has asked.
      for (let more = 2; ; more += 3) {
        const [run, from] = [shop.start('run', '--no-input'), lines()];
        await killedWhen(run, () => lines() >= from + more);
        const { code } = await run.ended;
        if (code !== null) break;
        kills += 1;
      }
      if (option !== null) expectExit(await shop.answer(option), 0);
    }
    expect(kills).toBeGreaterThan(4);
    await expectLanded(shop);
    expect(await questions(shop)).toEqual(['workflow-spec', 'workflow-commit']);
  });
});

/** Read from the file: git itself would take longer than what is waited for. */
const branchAt = (shop: WorkflowProject): string =>
  readFileSync(join(shop.root, '.git/refs/heads/harness/sort-the-list'), 'latin1').trim();
