// The user's repository in every state a user leaves it in: unfinished work, no branch, no commit, no repository.
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { heldLevels } from '../support/levels.ts';
import { expectExit, expectPortable, picture, session, work, workshop } from './workshop.ts';

const held = await heldLevels();

describe('uncommitted work', () => {
  test('is refused by default: the files are named, nothing is touched, no agent starts', async () => {
    const shop = workshop();
    shop.write('src/door', 'door, half painted\n');
    shop.write('notes/idea.txt', 'mine\n');
    shop.write('run.sh', `${shop.read('run.sh')}# staged\n`, 0o644);
    shop.git('add', 'run.sh');
    const before = { ...picture(shop), idea: shop.read('notes/idea.txt'), index: shop.git('diff', '--cached') };
    const said = await shop.harness('run');
    expectExit(said, 5);
    for (const file of ['src/door', 'notes/idea.txt', 'run.sh']) expect(said.stderr + said.stdout).toContain(file);
    expect(said.stderr + said.stdout).toContain('dirty_tree: stash');
    const json = await shop.harness('run', '--json');
    expect([json.code, json.json()]).toMatchObject([5, { result: 'blocked', reason: 'dirty-tree', landed: [] }]);
    expect({ ...picture(shop), idea: shop.read('notes/idea.txt'), index: shop.git('diff', '--cached') }).toEqual(
      before,
    );
    expect([shop.sessions(), shop.subjects(), shop.git('stash', 'list')]).toEqual([[], [], '']);
  });

  test('is stashed where the configuration says so, and is whole in the stash', async () => {
    const shop = workshop({ config: 'dirty_tree: stash' });
    shop.write('src/door', 'door, half painted\n');
    shop.write('notes/idea.txt', 'mine\n');
    shop.write('run.sh', `${shop.read('run.sh')}# staged\n`);
    shop.git('add', 'run.sh');
    const ran = await shop.harness('run', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({ result: 'landed', landed: ['1'] });
    expect(shop.git('stash', 'list').split('\n')).toHaveLength(1);
    expect(shop.git('show', '--format=', '--name-only', 'HEAD')).not.toMatch(/notes|door|run\.sh/);
    shop.git('stash', 'pop', '--index', '-q');
    expect([shop.read('src/door'), shop.read('notes/idea.txt')]).toEqual(['door, half painted\n', 'mine\n']);
    expect(shop.git('diff', '--cached', '--name-only')).toBe('run.sh');
  });
});

test('a detached HEAD stops the run, with the way back to a branch', async () => {
  const shop = workshop();
  shop.git('checkout', '-q', '--detach');
  const said = await shop.harness('run');
  expectExit(said, 5);
  expect(said.stderr + said.stdout).toMatch(/git (switch|checkout)/);
  expect([shop.sessions(), shop.subjects()]).toEqual([[], []]);
});

test('a merge that a person has not finished stops the run, with conflicts or without; nothing becomes part of it', async () => {
  const shop = workshop({ config: 'dirty_tree: stash' });
  const side = (branch: string, text: string): string => {
    shop.write('src/door', text);
    return shop.git('commit', '-qam', branch);
  };
  shop.git('checkout', '-q', '-b', 'other');
  side('other', 'door of oak\n');
  shop.git('checkout', '-q', 'main');
  side('mine', 'door of pine\n');
  expect(() => shop.git('merge', 'other')).toThrow();
  const head = shop.git('rev-parse', 'HEAD');
  for (const resolve of [() => undefined, () => shop.git('checkout', 'HEAD', '--', 'src/door')]) {
    resolve();
    const said = await shop.harness('run');
    expectExit(said, 5);
    expect(said.stderr).toContain('git merge --continue');
    expect([shop.sessions(), shop.git('rev-parse', 'HEAD'), shop.git('stash', 'list')]).toEqual([[], head, '']);
  }
  shop.git('merge', '--abort');
  expectExit(await shop.harness('run', '--json'), 0);
});

describe('a person who works beside a run', () => {
  const atWork = async (...steps: Parameters<typeof session>[1][]) => {
    const shop = workshop({
      sessions: [
        session(1, { write: { path: '../at-work', text: '' } }, { wait_for_file: '../go' }, ...steps, ...work(1)),
      ],
    });
    const run = shop.start('run');
    await run.until(join(shop.around, 'at-work'));
    return { shop, run, letGo: () => writeFileSync(join(shop.around, 'go'), '') };
  };

  test('and commits while a session is open: an agent outside of a box may have done that, so it is kept and named', async () => {
    const { shop, run, letGo } = await atWork();
    shop.write('mine.txt', 'mine\n');
    shop.git('add', 'mine.txt');
    shop.git('commit', '-qm', 'a note of mine');
    letGo();
    const ended = await run.ended;
    expectExit(ended, 0);
    expect(ended.stdout + ended.stderr).toContain('"a note of mine"');
    expect(shop.git('log', '--format=%s', 'refs/harness/attempts/1/1').split('\n')).toContain('a note of mine');
    expect(shop.subjects()).toEqual(['feat(bench): #1 A bench can be set up']);
  });

  test.runIf(held.has('bwrap'))(
    'and commits while an agent works in a box: that agent cannot have done it, so the work lands on top',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'hand-agent-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      const steps = [
        // The claim goes back once, since this agent shows no run of its test: then there is nothing to wait for.
        '[ ! -e src/bench ] || exit 0',
        'touch at-work',
        'while [ ! -e go ]; do :; done',
        'rm at-work go',
        'echo bench > src/bench',
        "echo 'bench is there|grep -q bench src/bench' > tests/bench.test",
      ];
      writeFileSync(join(folder, '1.sh'), `set -e\n${steps.join('\n')}\n`);
      const program = resolve('test/fixtures/agents/hand-agent.mjs');
      const shop = workshop({
        agent: `{ provider: acp, command: [node, ${program}, ${folder}] }`,
        config: 'sandbox: { level: bwrap }',
      });
      const run = shop.start('run');
      await run.until(join(shop.root, 'at-work'));
      shop.write('mine.txt', 'mine\n');
      shop.git('add', 'mine.txt');
      shop.git('commit', '-qm', 'a note of mine');
      shop.write('go', '');
      expectExit(await run.ended, 0);
      expect(shop.subjects()).toEqual(['a note of mine', 'feat(bench): #1 A bench can be set up']);
      expect(shop.git('show', '--format=', '--name-only', 'HEAD')).not.toContain('mine.txt');
      expect([shop.read('mine.txt'), shop.git('status', '--porcelain')]).toEqual(['mine\n', '']);
    },
  );

  test('and commits while a question about the work is open: the work lands on top', async () => {
    const shop = workshop({ sessions: [session(1, ...work(1))] });
    shop.write(
      'features.json',
      shop
        .read('features.json')
        .replace('"id": 1,', '"id": 1, "verification_type": "hybrid", "manual_checks": ["It looks right"],'),
    );
    shop.git('commit', '-qam', 'to be looked at');
    expectExit(await shop.harness('run'), 8);
    shop.write('mine.txt', 'mine\n');
    shop.git('add', 'mine.txt');
    shop.git('commit', '-qm', 'a note of mine');
    // What only journals name must outlive this.
    shop.git('reflog', 'expire', '--expire=now', '--all');
    shop.git('gc', '-q', '--prune=now');
    expectExit(await shop.harness('answer', 'g-1', 'verified'), 0);
    expectExit(await shop.harness('run', '--json'), 0);
    expect(shop.subjects().slice(-2)).toEqual(['a note of mine', 'feat(bench): #1 A bench can be set up']);
    expect([shop.read('mine.txt'), shop.git('status', '--porcelain')]).toEqual(['mine\n', '']);
    expectExit(await shop.harness('evidence', 'verify', '--all', '--json'), 0);
  });
});

test('git gc between the checks and the landing takes nothing away that a journal names', async () => {
  const shop = workshop({ sessions: [session(1, ...work(1))] });
  shop.write(
    'features.json',
    shop
      .read('features.json')
      .replace('"id": 1,', '"id": 1, "verification_type": "hybrid", "manual_checks": ["It looks right"],'),
  );
  shop.git('commit', '-qam', 'to be looked at');
  expectExit(await shop.harness('run'), 8);
  shop.git('gc', '-q', '--prune=now');
  expectExit(await shop.harness('answer', 'g-1', 'verified'), 0);
  expectExit(await shop.harness('run', '--json'), 0);
  expect(shop.subjects().at(-1)).toBe('feat(bench): #1 A bench can be set up');
});

test('a lock that a killed git left behind does not make a landing incomplete', async () => {
  const shop = workshop({ sessions: [session(1, ...work(1))] });
  writeFileSync(join(shop.root, '.git', 'index.lock'), '');
  expectExit(await shop.harness('run', '--json'), 0);
  expect(shop.subjects()).toEqual(['feat(bench): #1 A bench can be set up']);
  expect(shop.git('status', '--porcelain')).toBe('');
});

test('a folder that is no repository is named, and is not made one', async () => {
  const shop = workshop();
  const folder = join(shop.around, 'elsewhere');
  mkdirSync(folder);
  const said = await shop.harness('run', '-C', folder);
  expectExit(said, 5);
  expect(said.stderr).toContain(folder);
  const json = await shop.harness('run', '-C', folder, '--json');
  expect(json.json()).toMatchObject({ error: { code: 'not-a-repository', exit: 5 } });
});

test('a repository without a commit gets a message that says what to do first', async () => {
  const shop = workshop();
  rmSync(join(shop.root, '.git'), { recursive: true });
  shop.git('init', '-q');
  const said = await shop.harness('run');
  expectExit(said, 5);
  expect(said.stderr + said.stdout).toContain('git commit');
  expect(shop.git('status', '--porcelain')).toContain('?? features.json');
});

test('a run started in a folder below works on the whole repository', async () => {
  const shop = workshop();
  const ran = await shop.harness('run', '-C', join(shop.root, 'tests'), '--json');
  expectExit(ran, 0);
  expect([ran.json(), shop.git('status', '--porcelain')]).toMatchObject([{ landed: ['1'] }, '']);
});

test('in a linked worktree the work lands on its branch; commits name no folder of this machine', async () => {
  const shop = workshop();
  const linked = join(shop.around, 'linked');
  shop.git('worktree', 'add', '-q', '-b', 'side', linked);
  const start = shop.git('rev-parse', 'HEAD');
  const ran = await shop.harness('run', '-C', linked, '--json');
  expectExit(ran, 0);
  expect(ran.json()).toMatchObject({ landed: ['1'], evidence: expect.stringContaining('evidence') as unknown });
  expect(shop.git('log', '--format=%s', 'side').split('\n')[0]).toBe('feat(bench): #1 A bench can be set up');
  expect([shop.git('rev-parse', 'main'), shop.git('status', '--porcelain')]).toEqual([start, '']);
  shop.git('checkout', '-q', '--detach', 'side');
  expect(shop.read('claude-progress.txt')).toContain('tests of .\n');
  expectPortable(shop, start);
});

test('a configuration outside of the repository is used as well', async () => {
  const shop = workshop();
  const file = join(shop.around, 'mine.yaml');
  renameSync(join(shop.root, '.harness.yaml'), file);
  shop.git('commit', '-qam', 'no configuration here');
  const ran = await shop.harness('run', '--config', file, '--json');
  expectExit(ran, 0);
  expect(ran.json()).toMatchObject({ landed: ['1'] });
});
