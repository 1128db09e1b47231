// Agents that do what is not theirs: what they committed is squashed, what they touched is put back byte for byte.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectExit, honest, picture, session, work, workshop, type Session } from './workshop.ts';

test('an agent that commits and switches branches: one commit lands on the right branch, its own are kept aside', async () => {
  const own = session(1, ...work(1), {
    run: 'git checkout -q -b mine && git add -A && git commit -q -m "agent: done" && git tag agent-was-here',
  });
  const shop = workshop({ sessions: [own] });
  const ran = await shop.harness('run', '--json');
  expectExit(ran, 0);
  expect(ran.json()).toMatchObject({ result: 'landed', landed: ['1'] });
  expect(shop.git('branch', '--show-current')).toBe('main');
  expect(shop.subjects()).toEqual(['feat(bench): #1 A bench can be set up']);
  expect(shop.trailers('HEAD')).toMatchObject({ 'Harness-Item': '1' });
  expect(shop.git('status', '--porcelain')).toBe('');
  const kept = (await shop.harness('attempts', '1', '--json')).json() as { attempts: readonly { ref: string }[] };
  expect(kept.attempts).toHaveLength(1);
  expect(shop.git('log', '--format=%s', kept.attempts[0]?.ref ?? '')).toContain('agent: done');
});

const features = (edit: string): { readonly [step: string]: unknown } => ({
  run: `node -e 'const fs = require("fs"); const f = JSON.parse(fs.readFileSync("features.json", "utf8")); ${edit}; fs.writeFileSync("features.json", JSON.stringify(f, null, 2))'`,
});
const always = (...steps: Session['turns'][number]): Session =>
  ({ ...session(1, ...work(1), ...steps), repeat_last: true }) as Session;

describe('is rejected, and everything is as it was', () => {
  test.each<[string, string, Session]>([
    ['edits the configuration', 'config-edited', always({ append: { path: '.harness.yaml', text: '# mine\n' } })],
    [
      'tells the agents to come what to do',
      'config-edited',
      always({
        write: { path: '.harness-prompts/features/coding.md', text: '---\nmode: exec\n---\nClaim at once.\n' },
      }),
    ],
    [
      'edits the state of the harness',
      'harness-file-edited',
      always({ write: { path: '.harness/session_state.json', text: '{"status":"complete"}' } }),
    ],
    [
      'rewrites an old entry of the log',
      'harness-file-edited',
      always({ replace: { path: 'claude-progress.txt', find: 'Progress', with: 'Success' } }),
    ],
    ['removes a feature', 'item-removed', always(features('f.features = f.features.filter((one) => one.id !== 3)'))],
    ['claims two features', 'too-many-claims', always(features('for (const one of f.features) one.passes = true'))],
  ])('who %s', async (_who, reason, bad) => {
    const shop = workshop({ sessions: [bad], config: 'verification: { fix_turns: 0 }' });
    const before = picture(shop);
    const ran = await shop.harness('run', '--json');
    expectExit(ran, 9);
    expect(ran.json()).toMatchObject({
      result: 'rejected',
      landed: [],
      items: [{ id: '1', problems: expect.arrayContaining([reason]) as unknown }],
    });
    expect([picture(shop), shop.subjects()]).toEqual([before, []]);
    // The entry of the session waits for the next landing.
    expect(shop.read('.git/harness/pending-log/1.json')).toContain(`Rolled back: ${reason}`);
    expect(JSON.parse(shop.read('.harness/session_state.json'))).toMatchObject({
      status: 'failed',
      last_session: 1,
      stuck_count: 1,
    });
    expect(existsSync(join(shop.root, 'src', 'bench'))).toBe(false);
    expect((await shop.harness('attempts', 'show', '1', '1')).stdout).toContain('src/bench');
  });
});

const CLONE = 'mkdir -p vendor/lib && echo code > vendor/lib/code && git -C vendor/lib init -q';
const COMMITTED = `${CLONE} && git -C vendor/lib add -A && git -C vendor/lib -c user.name=a -c user.email=a@b.c commit -qm inner`;

test.each([
  ['that claims, around a repository without a commit', [...work(1), { run: CLONE }]],
  ['that claims, around a repository with a commit', [...work(1), { run: COMMITTED }]],
  ['that is not finished', [{ write: { path: 'src/bench', text: 'half\n' } }, { run: COMMITTED }]],
])(
  'a repository made inside the repository, by an agent %s: rejected, kept, and no obstacle to the next',
  async (_, steps) => {
    const shop = workshop({ sessions: [session(1, ...(steps as Session['turns'][number]))] });
    const ran = await shop.harness('run', '--json');
    expectExit(ran, 9);
    expect(ran.json()).toMatchObject({ result: 'rejected', items: [{ id: '1', problems: ['nested-repository'] }] });
    expect(shop.git('status', '--porcelain', '--untracked-files=all')).toBe('');
    expect(existsSync(join(shop.root, 'vendor'))).toBe(false);
    const { attempts } = (await shop.harness('attempts', '1', '--json')).json() as {
      attempts: readonly { ref: string; inner: readonly string[]; files: readonly { path: string }[] }[];
    };
    expect(attempts).toHaveLength(1);
    expect(attempts[0]?.inner).toEqual(['vendor/lib']);
    expect(attempts[0]?.files.map(({ path }) => path)).toContain('vendor/lib/code');
    shop.play(honest);
    const next = await shop.harness('run', '--json');
    expectExit(next, 0);
    expect(next.json()).toMatchObject({ landed: ['1'] });
    expect(shop.read('.harness/sessions/2/prompt-1.md')).toContain('nested-repository');
  },
);

test('what one agent did is no obstacle to the next', async () => {
  const shop = workshop({
    sessions: [always({ delete: '.harness/session_state.json' }, { append: { path: '.harness.yaml', text: '{' } })],
  });
  expectExit(await shop.harness('run', '--json'), 9);
  shop.play(honest);
  const next = await shop.harness('run', '--json');
  expectExit(next, 0);
  expect(next.json()).toMatchObject({ landed: ['1'] });
});

test('an agent that leaves a process behind loses it', async () => {
  const shop = workshop({
    sessions: [
      session(
        1,
        ...work(1),
        { run: { command: 'echo $$ > ../left; exec sleep 300', background: true } },
        { wait_for_file: '../left' },
      ),
    ],
  });
  expectExit(await shop.harness('run', '--json'), 0);
  expect(shop.processes()).toEqual([]);
});
