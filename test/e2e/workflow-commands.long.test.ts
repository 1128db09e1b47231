// What all the other commands say in a repository with a workflow: each does what its name promises, or refuses in a sentence. None dies,
// and none leaves behind what prevents the next run from continuing.
import { describe, expect, test } from 'vitest';
import { DOCS, generator, part, SORTED, workflowProject, writes, type WorkflowProject } from './workflow-project.ts';
import { expectExit } from './workshop.ts';
import type { Ran } from '../support/repo.ts';

const said = ({ stdout, stderr }: Ran): string => stdout + stderr;
function expectWords(ran: Ran, call: readonly string[]): void {
  expect(said(ran), call.join(' ')).not.toMatch(
    /unexpected:|crash report|^\s+at .*:\d+:\d+|TypeError|\[object|undefined|NaN/m,
  );
  expect(said(ran).trim(), call.join(' ')).not.toBe('');
  expect([0, 2, 5, 8, 9, 10], `${call.join(' ')}: ${said(ran)}`).toContain(ran.code);
}

/** Everything a person may type, on the way. */
const CALLS = [
  ['status'],
  ['status', '--json'],
  ['items'],
  ['items', '--json'],
  ['items', 'show', 'sort-the-list'],
  ['items', 'show', 'sort-the-list', '--json'],
  ['gates'],
  ['gates', '--all', '--json'],
  ['logs'],
  ['log', 'query', 'type=gate-opened'],
  ['evidence'],
  ['evidence', 'verify', 'sort-the-list'],
  ['evidence', 'verify', '--all'],
  ['attempts'],
  ['attempts', 'sort-the-list'],
  ['run', '--dry-run'],
  ['run', '--dry-run', '--json'],
  ['doctor'],
  ['health'],
  ['config', 'check'],
  ['verify'],
  ['verify', 'sort-the-list'],
  ['cleanup'],
  ['skip', 'sort-the-list', '--reason', 'x'],
  ['override', 'sort-the-list', '--passes', 'true', '--reason', 'x', '--yes'],
  ['manual-verify', 'sort-the-list', '--yes'],
  ['add', 'More', '--verify', 'true'],
  ['migrate'],
  ['init', '--no-input'],
  ['resume'],
  ['takeback'],
  ['workflow', '--no-input'],
  ['workflow', 'evaluate', '--no-input'],
  ['run', '--no-input', '--feature', 'nope'],
] as const;

const MOMENTS: { readonly [name: string]: () => Promise<WorkflowProject> } = {
  'at its first question': async () => {
    const shop = workflowProject();
    expectExit(await shop.through(), 8);
    return shop;
  },
  'at its last question': async () => {
    const shop = workflowProject();
    expectExit(await shop.through('proceed'), 8);
    return shop;
  },
  'after it has landed': async () => {
    const shop = workflowProject();
    expectExit(await shop.through('proceed', 'code-only'), 0);
    return shop;
  },
};

describe('says something that can be read, and changes nothing of the workflow,', () => {
  test.each(Object.keys(MOMENTS))('%s', async (moment) => {
    const shop = await (MOMENTS[moment] as () => Promise<WorkflowProject>)();
    const [state, head, asked] = [shop.state(), shop.git('rev-parse', 'HEAD'), await shop.asked()];
    for (const call of CALLS) expectWords(await shop.harness(...call), call);
    expect([shop.state(), shop.git('rev-parse', 'HEAD'), await shop.asked()]).toEqual([state, head, asked]);
    // And it continues from there as if no question had been asked.
    const ran = await shop.through();
    expect(ran.code, said(ran)).toBe(moment === 'after it has landed' ? 0 : 8);
  });
});

describe('says what is so:', () => {
  test('status shows the workflow, items never call it landed while a question is open', async () => {
    const shop = workflowProject({ mode: 'multi', round: 2, scope: 'src' });
    const before = (await shop.harness('status')).stdout;
    for (const [label, value] of [
      ['Task', 'Sort the list'],
      ['Mode', 'multi'],
      ['Model', 'default'],
      ['Style', 'auto'],
      ['Phase', 'Plan — ready'],
      ['Round', '2 / 3'],
      ['Branch', 'harness/sort-the-list'],
      ['Scope', 'src'],
    ])
      expect(before).toMatch(new RegExp(`^${label} *: ${value}$`, 'm'));
    expectExit(await shop.through('proceed'), 8);
    const { items, workflow, gates } = (await shop.harness('status', '--json')).json() as never as {
      items: object;
      workflow: object;
      gates: number;
    };
    expect([items, workflow, gates]).toMatchObject([{ landed: 0, waiting: 1 }, { phase: 'completed', round: 2 }, 1]);
    expect((await shop.harness('items')).stdout).toContain('waiting');
    expect((await shop.harness('items', 'show', 'sort-the-list')).stdout).not.toContain('Blocked');
    expectExit(await shop.through('code-only'), 0);
    expect((await shop.harness('status')).stdout).toContain('harness workflow "TASK"');
    expect((await shop.harness('items')).stdout).toContain('harness workflow "TASK"');
    expectExit(await shop.harness('doctor'), 0);
  });

  test('a dry run shows which session it would start, and starts none', async () => {
    const shop = workflowProject({ phase: 'generate_ready' });
    shop.paper('spec.md', '# Spec\n\nTHE-SPEC\n');
    const ran = await shop.harness('run', '--dry-run', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({ would: 'run', item: 'sort-the-list', role: 'generator' });
    expect(String(ran.json()['prompt'])).toContain('THE-SPEC');
    expect([shop.sent(), shop.state()?.phase]).toEqual([[], 'generate_ready']);
  });

  test('a command that marks items in lists is refused, and prevents no later run', async () => {
    const shop = workflowProject();
    expectExit(await shop.through(), 8);
    for (const call of [
      ['skip', 'sort-the-list', '--reason', 'x'],
      ['override', 'sort-the-list', '--passes', 'true', '--reason', 'x', '--yes'],
      ['manual-verify', 'sort-the-list', '--yes'],
      ['add', 'More', '--verify', 'true'],
    ]) {
      const ran = await shop.harness(...call);
      expectExit(ran, 5);
      expect(said(ran)).toContain('workflow-one-task');
    }
    expectExit(await shop.harness('cleanup'), 2);
    expectExit(await shop.through('proceed', 'code-only'), 0);
  });
});

describe('steering', () => {
  test('pause and resume hold it and let it go', async () => {
    const shop = workflowProject();
    expectExit(await shop.harness('pause'), 0);
    expectExit(await shop.through(), 10);
    expectExit(await shop.harness('workflow', '--on-session', 'resume', '--no-input'), 10);
    expectExit(await shop.harness('resume'), 0);
    expectExit(await shop.through(), 8);
  });

  test('handoff in the middle gives the tree to a person, takeback continues with what they left', async () => {
    const shop = workflowProject();
    expectExit(await shop.through(), 8);
    const open = await shop.asked();
    expectExit(await shop.harness('handoff'), 0);
    expectExit(await shop.through(), 10);
    shop.paper('spec.md', '# Spec\n\nBY-HAND\n');
    const back = await shop.harness('takeback');
    expectExit(back, 0);
    expectExit(await shop.through(), 8);
    // It is the same question, and the only one.
    const { gates } = (await shop.harness('gates', '--all', '--json')).json() as { gates: { id: string }[] };
    expect(gates.map(({ id }) => id)).toEqual([open?.id]);
    expectExit(await shop.through('proceed'), 8);
    expect(shop.prompts().find(({ role }) => role === 'generator')?.text).toContain('BY-HAND');
    expectExit(await shop.through('code-only'), 0);
  });

  test('handoff, commits of their own, takeback: it continues on top of them', async () => {
    const shop = workflowProject();
    expectExit(await shop.through('proceed'), 8);
    expectExit(await shop.harness('handoff'), 0);
    shop.write('notes.txt', 'mine\n');
    shop.git('add', 'notes.txt');
    shop.git('commit', '-qm', 'mine');
    expectExit(await shop.harness('takeback'), 0);
    expectExit(await shop.through(), 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-commit' });
    expectExit(await shop.through('code-only'), 0);
    expect(shop.git('log', '--format=%s')).toBe('feat: Sort the list\nmine\nstart');
    expect(shop.git('show', 'HEAD:notes.txt')).toBe('mine');
  });

  test('handoff after an answer that no run has received yet starts no session; the answer counts after the takeback', async () => {
    const shop = workflowProject();
    expectExit(await shop.through(), 8);
    await shop.answer('proceed');
    expectExit(await shop.harness('handoff'), 0);
    expect(shop.sent()).toEqual(['planner']);
    expectExit(await shop.harness('takeback'), 0);
    expectExit(await shop.through(), 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-commit' });
  });

  test('abort withdraws the question and keeps the work; the next run asks it again', async () => {
    const shop = workflowProject();
    expectExit(await shop.through(), 8);
    const old = await shop.asked();
    expectExit(await shop.harness('abort', '--yes'), 0);
    expect([await shop.asked(), shop.state()?.phase]).toEqual([null, 'plan_done']);
    expect(shop.read(`${DOCS}spec.md`)).toContain('Sort');
    expectExit(await shop.through(), 8);
    expect((await shop.asked())?.id).not.toBe(old?.id);
    expect(shop.sent()).toEqual(['planner']);
  });

  test('abort while a generator works leaves its half as a pause does; the next run verifies it', async () => {
    const shop = workflowProject(
      { phase: 'generate_ready' },
      {
        parts: [
          generator(
            { write: { path: 'src/half.txt', text: 'half\n' } },
            { write: { path: '../at-work', text: '' } },
            { wait_for_file: { path: '../go', seconds: 60 } },
          ),
        ],
      },
    );
    shop.paper('spec.md', '# Spec\n');
    const run = shop.start('run', '--no-input');
    await run.until(`${shop.around}/at-work`);
    const aborted = await shop.harness('abort', '--yes');
    expectExit(aborted, 0);
    expect(aborted.stdout).toContain('The working tree was left as it is');
    await run.ended;
    expect(JSON.parse(shop.read('.harness/sessions/1/session.json'))).toMatchObject({
      reason: 'aborted',
      attempt: null,
    });
    expect([shop.read('src/half.txt'), shop.git('log', '--format=%s')]).toEqual(['half\n', 'start']);
    shop.play([part('verifier', { say: 'FAIL — not sorted' }), generator(SORTED), part('x', writes('x'))]);
    expectExit(await shop.through(), 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-commit' });
  });

  test('Ctrl-C while a planner works ends paused, without its half; the next run continues to the same end', async () => {
    const shop = workflowProject(
      {},
      {
        parts: [
          part(
            'planner',
            writes('# Spec\n\nHALF\n'),
            { write: { path: '../at-work', text: '' } },
            { wait_for_file: { path: '../go', seconds: 60 } },
          ),
        ],
      },
    );
    const run = shop.start('run', '--no-input', '--json');
    await run.until(`${shop.around}/at-work`);
    run.signal('SIGINT');
    expectExit(await run.ended, 10);
    expect(shop.git('status', '--porcelain')).toBe('');
    shop.play([]);
    expectExit(await shop.through(), 8);
    expect(shop.read(`${DOCS}spec.md`)).not.toContain('HALF');
    expectExit(await shop.through('proceed', 'code-only'), 0);
  });
});
