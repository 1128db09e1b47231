// Crashes in the set-up of a workflow: the same command continues, and reaches the session that an undisturbed one reaches.
import { describe, expect, test } from 'vitest';
import { stateIn } from '../support/workflow.ts';
import { workflowProject, type Said, type WorkflowProject } from '../support/workflow-project.ts';
import { IS_EXHAUSTIVE } from '../support/effort.ts';
import { dyingIo, MODES, type Mode } from './dying-io.ts';

const TASK = 'Füge eine Anmeldeseite hinzu';
const BRANCH = 'harness/fuge-eine-anmeldeseite-hinzu';

/** What counts: everything but the times. */
const endOf = (shop: WorkflowProject) => ({
  state: shop.has('.harness/state.json') ? { ...shop.state(), repo_path: '', created_at: '', updated_at: '' } : 'none',
  branch: shop.git('branch', '--show-current'),
  branches: shop.git('branch', '--format=%(refname:short)'),
  dirty: shop.git('status', '--porcelain'),
  folders: ['.harness/planner', '.harness/generator', '.harness/conventions.md', 'docs/harness'].map(shop.has),
  kept: shop.has('.harness/logs/mine.log') && shop.has('.harness/costs.yaml'),
});

async function dieAt(shop: WorkflowProject, said: Said, at: number, mode: Mode): Promise<readonly string[]> {
  const { io, calls, isDead } = dyingIo(at, mode);
  try {
    const begun = await shop.begin(said, {}, io);
    if (!isDead() && !begun.ok) throw new Error(JSON.stringify(begun.failure));
  } catch (error) {
    if (!isDead()) throw error;
  }
  return calls;
}

/** A command that had finished when the crash came is asked about the existing session, which is its own. */
async function again(shop: WorkflowProject, said: Said): Promise<void> {
  const begun = await shop.begin(said);
  const isThrough =
    !begun.ok && begun.failure.reason === 'workflow-under-way' && shop.state()['phase'] === 'plan_ready';
  if (!begun.ok && !isThrough) throw new Error(JSON.stringify(begun.failure));
}

/** Just after a call is just before the next one: CI tries both all the same. */
const TRIED = MODES.filter((mode) => IS_EXHAUSTIVE || mode !== 'after');

type Story = {
  readonly said: Said;
  readonly before: (shop: WorkflowProject) => void;
  readonly again?: Said;
};
const session = (shop: WorkflowProject): void => {
  shop.write('.harness/.gitignore', '*\n');
  shop.write('.harness/state.json', JSON.stringify(stateIn('generating')));
  shop.write('.harness/planner/proposal_architect.md', 'old');
  shop.write('.harness/generator/plan.md', 'old');
  shop.write('.harness/conventions.md', 'old');
  shop.write('.harness/logs/mine.log', 'mine');
  shop.write('.harness/costs.yaml', 'mine');
};
const STORIES: { readonly [name: string]: Story } = {
  'a new session': { said: { words: [TASK] }, before: () => undefined },
  'a new session where its branch is taken': {
    said: { words: ['plan', TASK], flags: { maxRounds: '5', outputDir: 'out/notes' } },
    before(shop) {
      shop.git('checkout', '-q', '-b', BRANCH);
      shop.git('commit', '-q', '--allow-empty', '-m', 'work of somebody');
      shop.git('checkout', '-q', 'main');
    },
  },
  'a session begun anew': {
    said: { words: [TASK], flags: { onSession: 'restart' } },
    before: session,
    // The session of before is gone, or still there: both are what the answer was about.
    again: { words: [TASK], flags: { onSession: 'restart' } },
  },
  'a session that is stopped': {
    said: { words: [], flags: { onSession: 'stop' } },
    before: session,
  },
};

describe.each(Object.entries(STORIES))('%s', (_, story) => {
  test('comes to the same end wherever the harness crashed on the way', async () => {
    const whole = workflowProject();
    story.before(whole);
    const calls = await dieAt(whole, story.said, 0, 'before');
    const end = endOf(whole);
    expect(calls.length).toBeGreaterThan(2);
    const wrong: string[] = [];
    for (const [n, call] of calls.entries())
      for (const mode of TRIED) {
        // In `npm test` every second call, so that each kind of call is still among them.
        if (!IS_EXHAUSTIVE && n % 2 === 1) continue;
        const shop = workflowProject();
        story.before(shop);
        await dieAt(shop, story.said, n + 1, mode);
        const isGone = story.said.flags?.onSession === 'stop' && !shop.has('.harness/state.json');
        if (!isGone) await again(shop, story.again ?? story.said);
        if (JSON.stringify(endOf(shop)) !== JSON.stringify(end)) {
          wrong.push(`${mode} ${call.replace(shop.root, '')}`);
          expect.soft(endOf(shop), `${mode} ${call}`).toEqual(end);
        }
      }
    expect(wrong).toEqual([]);
  });
});

test('an unfinished set-up that another task is in the way of is asked about', async () => {
  const shop = workflowProject();
  const { calls } = { calls: await dieAt(workflowProject(), { words: [TASK] }, 0, 'before') };
  const full = calls.findLastIndex((call) => call.endsWith('state.json'));
  await dieAt(shop, { words: [TASK] }, full + 1, 'before');
  expect(shop.state()['phase']).toBeUndefined();
  const other = await shop.begin({ words: ['Add a cart'] });
  expect(!other.ok && other.failure.reason).toBe('workflow-under-way');
  const resumed = await shop.begin({ words: [], flags: { onSession: 'resume' } });
  expect(resumed.ok && resumed.value).toMatchObject({ do: 'set-up', file: { task: TASK, user_lang: 'de' } });
});
