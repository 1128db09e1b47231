// Where a workflow continues: each phase of a state.json that a person wrote, of both versions, with every field missing that
// may be missing.
import { describe, expect, test } from 'vitest';
import { DOCS, part, workflowProject, writes, type WorkflowProject } from './workflow-project.ts';
import { expectExit } from './workshop.ts';

const PATCH = '.harness/generator/auto_fix_patch.md';
const MENDS = '```diff\n--- a/src/list.txt\n+++ b/src/list.txt\n@@ -1 +1 @@\n-unsorted\n+sorted\n```\n';
const PAPERS = {
  'spec.md': '# Spec\n\nSort the list.\n',
  'changes.md': '- `src/list.txt` — sorted\n',
  'verify_report.md': '# Verify\n\nsrc/list.txt\n\n### Verdict: FAIL\n',
  'PASS qa_report.md': '### Verdict: PASS\n',
  'FAIL qa_report.md': '### Verdict: FAIL\n',
} as const;
type Paper = keyof typeof PAPERS;
type Row = {
  readonly state: object;
  readonly papers?: readonly Paper[];
  readonly isSorted?: true;
  readonly patch?: true;
  /** The sessions that run until the user is asked. */
  readonly sent: readonly string[];
  readonly asks: string;
  readonly options?: readonly string[];
  /** What the file says then. */
  readonly file?: object;
};
const fix = (applied: string): object => ({
  autofix: { last_patch_path: PATCH, applied, triggered_at: '2026-01-01T00:00:00.000Z' },
});
const failed = { layer1_result: 'FAIL', layer1_retries: 3 };
const spent = { ...failed, autofix_attempted: true };
const PLANNED: readonly Paper[] = ['spec.md'];
const BUILT: readonly Paper[] = [...PLANNED, 'changes.md'];
const JUDGED: readonly Paper[] = [...BUILT, 'verify_report.md'];
const WITHOUT_FIX = ['continue', 'stop'];
const ANEW = { verify: { layer1_result: 'PASS', layer1_retries: 0 } };
const COMMIT = 'workflow-commit';

function lying({ papers = [], isSorted, patch }: Partial<Row>, fields: object = {}): WorkflowProject {
  const shop = workflowProject(fields);
  for (const name of papers) shop.paper(name.split(' ').at(-1) ?? '', PAPERS[name]);
  if (isSorted) shop.write('src/list.txt', 'sorted\n');
  if (patch) shop.write(PATCH, MENDS);
  shop.play([part('auto-fix-proposer', writes(MENDS), { say: 'auto_fix_patch written — confidence: High — sorts' })]);
  return shop;
}

async function expectRow(shop: WorkflowProject, { sent, asks, options, file = {} }: Row): Promise<void> {
  expectExit(await shop.through(), 8);
  const asked = await shop.asked();
  expect([asked?.subject, shop.sent()]).toEqual([asks, sent]);
  if (options !== undefined) expect(asked?.options.map(({ id }) => id)).toEqual(options);
  expect(shop.state()).toMatchObject(file);
}

describe('a state.json that was written by hand continues as the table says', () => {
  test.each<[string, Row]>([
    ['plan_ready, conventions decided', { state: { phase: 'plan_ready' }, sent: ['planner'], asks: 'workflow-spec' }],
    [
      'plan_ready, conventions not looked for yet',
      {
        state: { phase: 'plan_ready', conventions: null },
        sent: ['convention-scanner', 'planner'],
        asks: 'workflow-spec',
        file: { conventions: 'file:.harness/conventions.md' },
      },
    ],
    [
      'plan_ready, the file of its conventions gone',
      {
        state: { phase: 'plan_ready', conventions: 'file:.harness/conventions.md' },
        sent: ['convention-scanner', 'planner'],
        asks: 'workflow-spec',
      },
    ],
    ['planning without a spec', { state: { phase: 'planning' }, sent: ['planner'], asks: 'workflow-spec' }],
    ['planning with one', { state: { phase: 'planning' }, papers: PLANNED, sent: [], asks: 'workflow-spec' }],
    ['plan_done without a spec', { state: { phase: 'plan_done' }, sent: ['planner'], asks: 'workflow-spec' }],
    ['plan_done with one', { state: { phase: 'plan_done' }, papers: PLANNED, sent: [], asks: 'workflow-spec' }],
    [
      'generate_ready',
      { state: { phase: 'generate_ready' }, papers: PLANNED, sent: ['generator', 'evaluator'], asks: COMMIT },
    ],
    ...(['generating', 'generate_done', 'verify_ready', 'verifying'] as const).map((phase): [string, Row] => [
      `${phase}: verified, with its retries from 0`,
      {
        state: { phase, verify: { layer1_retries: 2 } },
        papers: BUILT,
        isSorted: true,
        sent: ['evaluator'],
        asks: COMMIT,
        file: ANEW,
      },
    ]),
    [
      'verifying after an applied patch: retries are kept, and the patch is not offered again',
      {
        state: { phase: 'verifying', verify: { ...spent, layer1_result: null }, ...fix('applied') },
        papers: BUILT,
        sent: ['verifier'],
        asks: 'workflow-verify',
        options: WITHOUT_FIX,
        file: { verify: spent, ...fix('stopped') },
      },
    ],
    [
      'verify_done, no patch: verified anew',
      {
        state: { phase: 'verify_done', verify: failed },
        papers: JUDGED,
        isSorted: true,
        sent: ['evaluator'],
        asks: COMMIT,
        file: ANEW,
      },
    ],
    [
      'verify_done, a patch proposed: its question at once',
      {
        state: { phase: 'verify_done', verify: failed, ...fix('proposed') },
        papers: JUDGED,
        patch: true,
        sent: [],
        asks: 'workflow-auto-fix',
        file: { verify: failed, ...fix('proposed') },
      },
    ],
    [
      'verify_done, a patch proposed that is not there: proposed again',
      {
        state: { phase: 'verify_done', verify: failed, ...fix('proposed') },
        papers: JUDGED,
        sent: ['auto-fix-proposer'],
        asks: 'workflow-auto-fix',
      },
    ],
    [
      'verify_done, a patch applied: Layer 1 again, retries as they are',
      {
        state: { phase: 'verify_done', verify: { ...spent, layer1_result: null }, ...fix('applied') },
        papers: JUDGED,
        isSorted: true,
        sent: ['evaluator'],
        asks: COMMIT,
        file: { verify: { layer1_result: 'PASS', layer1_retries: 3 }, ...fix('applied') },
      },
    ],
    [
      'verify_done, a patch that did not mend it',
      {
        state: { phase: 'verify_done', verify: { ...spent, layer1_retries: 5 }, ...fix('stopped') },
        papers: JUDGED,
        sent: [],
        asks: 'workflow-verify',
        options: WITHOUT_FIX,
        file: { verify: { layer1_retries: 3 } },
      },
    ],
    [
      'verify_done, a patch rejected',
      {
        state: { phase: 'verify_done', verify: spent, ...fix('rejected') },
        papers: JUDGED,
        sent: [],
        asks: 'workflow-verify',
        options: WITHOUT_FIX,
        file: { verify: spent },
      },
    ],
    [
      'evaluate_ready',
      {
        state: { phase: 'evaluate_ready', verify: { layer1_result: 'PASS' } },
        papers: JUDGED,
        isSorted: true,
        sent: ['evaluator'],
        asks: COMMIT,
      },
    ],
    ...(['evaluating', 'evaluate_done'] as const).flatMap((phase): [string, Row][] => [
      [
        `${phase} without a report`,
        {
          state: { phase, verify: { layer1_result: 'PASS' } },
          papers: JUDGED,
          isSorted: true,
          sent: ['evaluator'],
          asks: COMMIT,
        },
      ],
      [
        `${phase} with a report: its verdict`,
        {
          state: { phase, verify: { layer1_result: 'PASS' } },
          papers: [...JUDGED, 'PASS qa_report.md'],
          isSorted: true,
          sent: [],
          asks: COMMIT,
        },
      ],
    ]),
    [
      'evaluate_done with a FAIL',
      {
        state: { phase: 'evaluate_done', verify: { layer1_result: 'PASS', layer2_result: 'PASS' } },
        papers: [...JUDGED, 'FAIL qa_report.md'],
        sent: [],
        asks: 'workflow-qa',
        options: ['fix', 'accept'],
      },
    ],
  ])('%s', async (_, row) => {
    await expectRow(lying(row, row.state), row);
  });

  test('completed: nothing is under way, and nothing is touched', async () => {
    const shop = lying({ papers: [] }, { phase: 'completed' });
    const before = shop.read('.harness/state.json');
    const ran = await shop.harness('run', '--no-input', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({ result: 'done', items: [] });
    const now = [shop.read('.harness/state.json'), shop.sent(), shop.git('log', '--format=%s')];
    expect(now).toEqual([before, [], 'start']);
  });

  test('completed, with uncommitted changes: it is not reported as landed', async () => {
    const shop = lying({ papers: JUDGED }, { phase: 'completed' });
    const before = shop.read('.harness/state.json');
    const ran = await shop.harness('run', '--no-input');
    expectExit(ran, 5);
    expect(ran.stderr + ran.stdout).toContain('its work is not committed');
    expect([shop.read('.harness/state.json'), shop.sent()]).toEqual([before, []]);
    expect(shop.read(`${DOCS}spec.md`)).toContain('Sort');
  });
});

describe('fields that are missing have their defaults, which are not written', () => {
  const write = (shop: WorkflowProject, file: object): void =>
    shop.write('.harness/state.json', `${JSON.stringify(file, null, 2)}\n`);

  test('in a file of 2.0 that has its task and phase alone', async () => {
    const shop = lying({ papers: PLANNED });
    write(shop, { version: '2.0', task: 'Sort the list', phase: 'generate_ready', mine: 'stays' });
    await expectRow(shop, {
      state: {},
      sent: ['lead-developer', 'combined-advisor', 'generator', 'evaluator'],
      asks: COMMIT,
      file: { phase: 'completed', has_git: true, mine: 'stays', verify: { layer1_result: null } },
    });
    for (const name of ['mode', 'docs_path', 'branch', 'cli_flags', 'autofix', 'max_rounds'])
      expect(shop.state(), name).not.toHaveProperty(name);
    expectExit(await shop.through('code-only'), 0);
    expect(shop.git('show', '--name-only', '--format=', 'HEAD')).toBe('src/list.txt');
  });

  const V1 = {
    task: 'Sort the list',
    mode: 'single',
    test_cmd: 'grep -q ^sorted src/list.txt',
    docs_path: DOCS,
    branch: 'harness/sort-the-list',
    has_git: true,
    verify: { layer1_result: null, layer1_retries: 0 },
  };
  test.each<[string, Partial<Row> & { readonly phase: string; readonly v1?: object; readonly ends: string }]>([
    ['plan_ready', { phase: 'plan_ready', sent: ['planner'], asks: 'workflow-spec', ends: 'plan_ready' }],
    [
      'gen_ready',
      { phase: 'gen_ready', papers: PLANNED, sent: ['generator', 'evaluator'], asks: COMMIT, ends: 'completed' },
    ],
    [
      'verify_ready',
      { phase: 'verify_ready', papers: BUILT, isSorted: true, sent: ['evaluator'], asks: COMMIT, ends: 'completed' },
    ],
    [
      'verifying',
      { phase: 'verifying', papers: BUILT, isSorted: true, sent: ['evaluator'], asks: COMMIT, ends: 'completed' },
    ],
    [
      'verify_done',
      { phase: 'verify_done', papers: JUDGED, isSorted: true, sent: ['evaluator'], asks: COMMIT, ends: 'completed' },
    ],
    ['eval_ready', { phase: 'eval_ready', papers: JUDGED, sent: ['evaluator'], asks: COMMIT, ends: 'completed' }],
  ])('a file of version 1 continues by its own rules: %s', async (_, { phase, ends, ...row }) => {
    const shop = lying(row);
    write(shop, { ...V1, phase });
    await expectRow(shop, { state: {}, sent: [], asks: '', ...row, file: { phase: ends } });
    expect(shop.state()).not.toHaveProperty('version');
    expect(shop.state()?.verify).not.toHaveProperty('layer2_result');
  });

  test('a file of version 1 from before there was a verify step has none', async () => {
    const shop = lying({ papers: PLANNED });
    const { verify: _, ...early } = V1;
    write(shop, { ...early, phase: 'gen_ready' });
    await expectRow(shop, { state: {}, sent: ['generator', 'evaluator'], asks: COMMIT });
    expect(shop.state()).not.toHaveProperty('verify');
    expect(shop.prompts().at(-1)?.text).toContain('Layer 1 was not executed');
    const last = await shop.through('code-only');
    expect(last.json()).toMatchObject({ items: [{ result: 'unproved' }] });
  });
});

describe('a file that cannot be continued stops the run, and stays as it is', () => {
  test.each([
    ['is no JSON', '{ "version": "2.0", ', 5, 'state-unreadable'],
    ['has a phase that there is not', '{"version":"2.0","task":"x","phase":"flying"}', 5, 'state-unreadable'],
    [
      'has a mode that there is not',
      '{"version":"2.0","task":"x","phase":"planning","mode":"solo"}',
      5,
      'state-unreadable',
    ],
    ['is of a later version', '{"version":"3.0","task":"x","phase":"planning"}', 11, 'state-newer'],
    ['is of another skill', '{"skill":"spec","phase":"drafting"}', 5, 'workflow-foreign'],
    [
      'is of a set-up that has not ended',
      '{"version":"2.0","task":"x","docs_path":"docs/harness/x/"}',
      5,
      'workflow-unfinished',
    ],
    [
      'leads out of the repository',
      '{"version":"2.0","task":"x","phase":"planning","docs_path":"../x/"}',
      5,
      'workflow-docs-path',
    ],
    [
      'leads into .git',
      '{"version":"2.0","task":"x","phase":"planning","docs_path":".git/x/"}',
      5,
      'workflow-docs-path',
    ],
    [
      'is of another branch',
      '{"version":"2.0","task":"x","phase":"planning","branch":"harness/x"}',
      5,
      'workflow-branch',
    ],
  ])('%s', async (_, text, code, reason) => {
    const shop = workflowProject();
    shop.write('.harness/state.json', text);
    const ran = await shop.harness('run', '--no-input', '--json');
    expectExit(ran, code);
    expect(ran.stdout + ran.stderr).toContain(reason);
    const now = shop.read('.harness/state.json');
    expect(reason === 'state-unreadable' ? now : JSON.parse(now)).toEqual(
      reason === 'state-unreadable' ? text : JSON.parse(text),
    );
    expect(shop.sent()).toEqual([]);
    for (const command of ['status', 'items', 'gates', 'logs']) {
      const said = await shop.harness(command, '--json');
      expect(said.stdout + said.stderr, command).not.toMatch(/^\s+at .*:\d+:\d+|TypeError|"bug"/m);
    }
  });
});
