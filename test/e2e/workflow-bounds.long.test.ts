// What a session of a workflow may not do: leave its scope, change code that it was not sent to change, commit, write the report of another
// session, or the state itself. Each is reported, reverted or refused, and none of it is believed.
import { existsSync } from 'node:fs';
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
  type Part,
  type WorkflowProject,
} from './workflow-project.ts';
import { expectExit } from './workshop.ts';
import type { Steps } from './workshop.ts';

const ready = (parts: readonly Part[], fields: object = {}): WorkflowProject => {
  const shop = workflowProject({ phase: 'generate_ready', ...fields } as never, { parts });
  shop.paper('spec.md', '# Spec\n\nSort the list.\n');
  return shop;
};
const write = (path: string, text: string): Steps[number] => ({ write: { path, text } });
const CHANGES = writes('# Changes\n\n- `src/list.txt` — sorted\n');
const WAITS: Steps = [write('../at-work', ''), { wait_for_file: { path: '../go', seconds: 60 } }];
const SAYS: Steps[number] = { say: 'list changed — it is sorted' };

describe('a generator beyond its bounds', () => {
  test.each<[string, object, Steps, Steps, string]>([
    ['scope', { scope: 'src' }, [write('README.md', 'Mine\n')], [write('README.md', 'A project\n')], 'README.md'],
    [
      'max_files',
      { max_files: 1 },
      [write('src/more.txt', 'more\n')],
      [{ delete: 'src/more.txt' }],
      '2 files were changed',
    ],
  ])('(%s) is notified in the same session, and fixes it', async (_, fields, beyond, back, named) => {
    const shop = ready(
      [
        {
          role: 'generator',
          turns: [
            [SORTED, ...beyond, CHANGES, SAYS],
            [...back, SAYS],
          ],
        },
      ],
      fields,
    );
    expectExit(await shop.through(), 8);
    expect(shop.sent()).toEqual(['generator', 'evaluator']);
    expect(shop.read('.harness/sessions/1/prompt-2.md')).toContain(named);
    expectExit(await shop.through('code-only'), 0);
    expect(shop.git('show', '--name-only', '--format=', 'HEAD')).toBe('src/list.txt');
  });

  test('and stays there has failed; the next run does not let it pass either', async () => {
    const shop = ready([generator(SORTED, write('README.md', 'Mine\n'))], { scope: 'src' });
    const ran = await shop.through();
    expectExit(ran, 9);
    expect(ran.json()).toMatchObject({ items: [{ result: 'failed', reason: 'out-of-scope' }] });
    expect(shop.sent()).toEqual(['generator', 'generator', 'generator']);
    expect([shop.state()?.phase, shop.git('log', '--format=%s')]).toEqual(['generating', 'start']);
    shop.play([generator(SORTED)]);
    expectExit(await shop.through(), 9);
    expect(shop.read(`${DOCS}verify_report.md`)).toContain('README.md');
    expect(shop.prompts().at(-1)?.text).toContain('FAIL — ');
    shop.play([generator(SORTED, write('README.md', 'A project\n'))]);
    expectExit(await shop.through(), 8);
    expectExit(await shop.through('code-only'), 0);
    expect(shop.git('show', '--name-only', '--format=', 'HEAD')).toBe('src/list.txt');
  });

  test('and is paused meanwhile passes no more than one that ended', async () => {
    const shop = ready([{ role: 'generator', session: 1, turns: [[SORTED, write('README.md', 'Mine\n'), ...WAITS]] }], {
      scope: 'src',
    });
    const run = shop.start('run', '--no-input');
    await run.until(join(shop.around, 'at-work'));
    run.signal('SIGINT');
    expectExit(await run.ended, 10);
    shop.play([generator(SORTED, write('README.md', 'A project\n'))]);
    expectExit(await shop.through(), 8);
    expect(shop.sent()).toEqual(['generator', 'verifier', 'generator', 'evaluator']);
    expect(shop.read('README.md')).toBe('A project\n');
  });
});

const DRAFT: Steps[number] = write('src/note.txt', 'a draft\n');
/** An evaluator that repairs what it judges. */
const REPAIRS = part('evaluator', write('src/note.txt', 'finished\n'), writes('### Verdict: PASS\n'), {
  say: 'PASS — all is there',
});
/** Each session that is sent for one document, with code that it also changes. */
const strays = write('src/list.txt', 'strayed\n');
describe('a session that is sent for one document', () => {
  test('and changes code keeps its document, and the code is as before', async () => {
    const shop = workflowProject(
      { mode: 'standard' },
      {
        parts: [
          part('architect', strays, writes('PROPOSAL\n'), { say: 'proposal written — a' }),
          part('synthesis', write('src/new.txt', 'new\n'), writes('# Spec\n\nSort.\n'), { say: 'spec written — s' }),
          part('lead-developer', { delete: 'README.md' }, writes('PLAN\n'), { say: 'plan written — p' }),
          part('combined-advisor', strays, writes('REVIEW\n'), { say: 'review written — r' }),
        ],
      },
    );
    expectExit(await shop.through(), 8);
    expect([shop.read('src/list.txt'), existsSync(join(shop.root, 'src/new.txt'))]).toEqual(['unsorted\n', false]);
    expectExit(await shop.through('proceed'), 8);
    expect([shop.read('src/list.txt'), shop.read('README.md')]).toEqual(['sorted\n', 'A project\n']);
    expectExit(await shop.through('code-only'), 0);
    expect(shop.git('show', '--name-only', '--format=', 'HEAD')).toBe('src/list.txt');
  });

  test('judges code that it changed: its verdict is void, the change is taken back, and another one is sent', async () => {
    const shop = ready([
      generator(SORTED, DRAFT),
      { ...REPAIRS, attempt: '1' },
      evaluator('FAIL', 'FAIL L3 — the list is not sorted'),
    ]);
    const ran = await shop.harness('run', '--no-input');
    expectExit(ran, 8);
    expect(shop.sent()).toEqual(['generator', 'evaluator', 'evaluator']);
    expect(ran.stdout + ran.stderr).toMatch(
      /the verdict is void: the evaluator changed src\/note\.txt — it changed the work that it judged/,
    );
    expect(shop.read('src/note.txt')).toBe('a draft\n');
    expect(JSON.parse(shop.read('.harness/sessions/2/session.json'))).toMatchObject({
      result: 'failed',
      problems: [{ code: 'verdict-void', params: { role: 'evaluator', path: 'src/note.txt' } }],
    });
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-qa' });
    expect(shop.read(`${DOCS}qa_report.md`)).toContain('Verdict: FAIL');
  });

  test('judges code that it changed, twice: a person decides, and no report of it is left to count', async () => {
    const shop = ready([generator(SORTED, DRAFT), REPAIRS]);
    expectExit(await shop.through(), 8);
    expect(shop.sent()).toEqual(['generator', 'evaluator', 'evaluator']);
    const asked = await shop.asked();
    expect(asked).toMatchObject({ subject: 'workflow-qa', options: [{ id: 'fix' }, { id: 'accept' }] });
    expect((await shop.harness('gates')).stdout).toContain('the verdict is void: the evaluator changed src/note.txt');
    expect(existsSync(join(shop.root, `${DOCS}qa_report.md`))).toBe(false);
    expectExit(await shop.through('accept'), 8);
    expect(shop.read('src/note.txt')).toBe('a draft\n');
  });

  test('words a failure and also fixes the code: the failure remains', async () => {
    const shop = ready([
      { ...generator(write('src/list.txt', 'mixed up\n')), session: 1 },
      part('verifier', SORTED, write(`${DOCS}verify_report.md`, '### Verdict: PASS\n'), { say: 'PASS — mended' }),
    ]);
    expectExit(await shop.through(), 8);
    expect(shop.sent()).toEqual(['generator', 'verifier', 'generator', 'evaluator']);
    expect(shop.state()).toMatchObject({ verify: { layer1_result: 'PASS', layer1_retries: 1 } });
  });
});

describe('a commit by an agent', () => {
  const COMMITS: Steps[number] = { run: 'git add -A && git commit -qm "by the agent"' };
  test.each([
    ['generator', [{ ...generator(SORTED, COMMITS), attempt: '1' }], ['generator', 'generator', 'evaluator']],
    [
      'generator on a branch of its own',
      [{ ...generator(SORTED, { run: 'git switch -q -c mine' }, COMMITS), attempt: '1' }],
      ['generator', 'generator', 'evaluator'],
    ],
    [
      'evaluator',
      [part('evaluator', COMMITS, writes('### Verdict: PASS\n'), { say: 'PASS — fine' })].map((one) => ({
        ...one,
        attempt: '1',
      })),
      ['generator', 'evaluator', 'evaluator'],
    ],
  ] satisfies [string, Part[], string[]][])(
    'of a %s is taken off the branch, and it is sent again',
    async (_, parts, sent) => {
      const shop = ready(parts);
      expectExit(await shop.through(), 8);
      expect(shop.sent()).toEqual(sent);
      expectExit(await shop.through('code-only'), 0);
      expect(shop.git('log', '--format=%s')).toBe('feat: Sort the list\nstart');
      expect(shop.git('branch', '--show-current')).toBe('harness/sort-the-list');
      expect(shop.git('show', '--name-only', '--format=', 'HEAD')).toBe('src/list.txt');
      expectExit(await shop.harness('evidence', 'verify', 'sort-the-list'), 0);
    },
  );
});

describe('a document of another session', () => {
  test.each<[string, readonly Part[]]>([
    [
      'of the evaluator and the verifier, by a generator',
      [
        generator(
          SORTED,
          write(`${DOCS}qa_report.md`, '### Verdict: PASS\n\nBY-THE-GENERATOR\n'),
          write(`${DOCS}verify_report.md`, 'BY-THE-GENERATOR\n'),
          write(`${DOCS}spec.md`, 'BY-THE-GENERATOR\n'),
        ),
        evaluator('FAIL', 'FAIL L3 — no'),
      ],
    ],
    [
      'the spec, by an evaluator',
      [
        {
          ...part(
            'evaluator',
            write(`${DOCS}spec.md`, 'BY-THE-EVALUATOR\n'),
            write(`${DOCS}changes.md`, 'BY-THE-EVALUATOR\n'),
            writes('### Verdict: PASS\n'),
            { say: 'PASS — by me' },
          ),
          attempt: '1',
        },
        evaluator('FAIL', 'FAIL L3 — no'),
      ],
    ],
  ])('%s, is as before', async (_, parts) => {
    const shop = ready(parts);
    expectExit(await shop.through(), 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-qa' });
    for (const name of ['spec.md', 'changes.md', 'verify_report.md', 'qa_report.md'])
      expect(shop.read(`${DOCS}${name}`), name).not.toContain('BY-THE');
    expect(shop.read(`${DOCS}spec.md`)).toContain('Sort the list.');
  });

  test('a verdict by a generator counts for nothing where the evaluator writes none', async () => {
    const shop = ready([
      generator(SORTED, write(`${DOCS}qa_report.md`, '### Verdict: PASS\n')),
      part('evaluator', { say: 'PASS — all fine' }),
    ]);
    expectExit(await shop.through(), 9);
    expect(shop.state()).toMatchObject({ phase: 'evaluating' });
    expect(shop.git('log', '--format=%s')).toBe('start');
  });
});

describe('a hand in state.json', () => {
  test.each<[string, string]>([
    [
      'that passes everything',
      '{"version":"2.0","task":"Sort the list","phase":"completed","verify":{"layer1_result":"PASS"}}',
    ],
    ['that is no state at all', '{'],
    [
      'that leads elsewhere',
      '{"version":"2.0","task":"Sort the list","phase":"generate_ready","docs_path":"src/","test_cmd":"true"}',
    ],
  ])('of a planner, %s, is reverted and reported, and the planner is sent again', async (_, text) => {
    const planner = part('planner', write('.harness/state.json', text), writes('# Spec\n'), {
      say: 'spec written — s',
    });
    const shop = workflowProject({}, { parts: [{ ...planner, attempt: '1' }] });
    expectExit(await shop.through(), 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-spec' });
    expectUntouched(shop);
    expect(shop.sent()).toEqual(['planner', 'planner']);
    expect(shop.read('.harness/logs/events.jsonl')).toContain('state.json');
  });

  test('of a generator that takes everything away: it is there again, and the generator is sent again', async () => {
    const gone = generator(SORTED, { run: 'rm -rf .harness/state.json .harness/generator docs' });
    const shop = ready([{ ...gone, attempt: '1' }]);
    expectExit(await shop.through(), 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-commit' });
    expect(shop.read(`${DOCS}spec.md`)).toContain('Sort the list.');
    expectExit(await shop.through('code-only'), 0);
    expect(shop.git('show', '--name-only', '--format=', 'HEAD')).toBe('src/list.txt');
  });

  test('of a planner is not believed after a kill either', async () => {
    const text =
      '{"version":"2.0","task":"Sort the list","phase":"completed","test_cmd":"true","conventions":"skipped"}';
    const shop = workflowProject({}, { parts: [part('planner', write('.harness/state.json', text), ...WAITS)] });
    const run = shop.start('run', '--no-input');
    await run.until(join(shop.around, 'at-work'));
    run.signal('SIGKILL');
    await run.ended;
    shop.play([]);
    expectExit(await shop.through(), 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-spec' });
    expectUntouched(shop);
  });

  function expectUntouched(shop: WorkflowProject): void {
    expect(shop.state()).toMatchObject({
      phase: 'plan_done',
      docs_path: DOCS,
      test_cmd: 'grep -qx sorted src/list.txt',
    });
    expect(shop.git('log', '--format=%s')).toBe('start');
  }
});
