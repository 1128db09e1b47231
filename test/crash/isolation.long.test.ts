// The program killed while agents work beside the user's work tree: at calls spread over the whole run, and at each of a landing.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { amountOf } from '../support/effort.ts';
import { PROGRAM } from '../support/repo.ts';
import { expectExit, honest, workshop, type Workshop } from '../e2e/workshop.ts';

const SETTINGS = ['isolation: worktree', 'land: branch'] as const;
type Setting = (typeof SETTINGS)[number];

/** Runs the program with the hook of kills/kill-at.ts; gives its exit code, null where it was killed. */
function run(shop: Workshop, how: { readonly [name: string]: string }): Promise<number | null> {
  const hook = pathToFileURL(resolve(import.meta.dirname, 'kills/kill-at.ts'));
  for (const [name, value] of Object.entries(how)) hook.searchParams.set(name, value);
  const args = ['--import', hook.href, PROGRAM, 'run', '--until-done', '--json'];
  const child = spawn(process.execPath, args, { cwd: shop.root, env: shop.env, detached: true, stdio: 'ignore' });
  return new Promise((done) => void child.once('exit', (code) => done(code)));
}

/** What must be so when everything is done, however it came to be. */
async function holds(shop: Workshop, setting: Setting): Promise<void> {
  const branches = shop.git('branch', '--format=%(refname:short)').split('\n');
  if (setting === 'land: branch') {
    // Nothing has moved. The newest branch has everything, and merged it is as with the other setting.
    expect([shop.subjects(), existsSync(join(shop.root, 'src/bench'))]).toEqual([[], false]);
    const newest = branches.filter((one) => one.startsWith('harness/run/')).at(-1) ?? '';
    shop.git('merge', '-q', '--ff-only', newest);
    for (const one of branches) if (one !== 'main') shop.git('branch', '-q', '-d', one);
  }
  for (const title of ['A bench can be set up', 'A saw hangs', 'A board can be cut'])
    expect(shop.subjects().filter((subject) => subject.includes(title))).toHaveLength(1);
  expect(shop.git('status', '--porcelain')).toBe('');
  expect([shop.read('src/bench'), shop.read('src/board')]).toEqual(['bench\n', 'board\n']);
  expect(shop.git('branch', '--format=%(refname:short)')).toBe('main');
  expect(shop.git('worktree', 'list').split('\n')).toHaveLength(2);
  for (const left of ['index.lock', 'harness/follow.json'])
    expect(existsSync(join(shop.root, '.git', left))).toBe(false);
  expect(shop.git('for-each-ref', 'refs/harness/work-tree', 'refs/harness/pending')).toBe('');
  expectExit(await shop.harness('evidence', 'verify', '--all'), 0);
  expect(shop.processes()).toEqual([]);
}

test.each(SETTINGS)('with %s killed anywhere: the next run continues, and each item lands once', async (setting) => {
  const isolated = (): Workshop => workshop({ config: setting, sessions: honest });
  const first = isolated();
  const count = join(first.around, 'calls');
  await run(first, { count });
  await holds(first, setting);
  const calls = Number(readFileSync(count, 'utf8'));
  const kills = amountOf(4, 12, 200);
  for (let n = 0; n < kills; n += 1) {
    const at = 1 + Math.floor(((n + 0.5) * calls) / kills);
    const shop = isolated();
    const side = n % 2 === 0 ? 'after' : 'before';
    const kind = n % 3 === 2 ? 'everything' : 'group';
    await run(shop, { at: String(at), side, kind, top: shop.around });
    const ended = await shop.harness('run', '--until-done', '--json');
    try {
      expectExit(ended, 0);
      await holds(shop, setting);
    } catch (error) {
      throw new Error(`killed ${side} call ${at} of ${calls}: ${ended.stdout}${ended.stderr}`, { cause: error });
    }
  }
});
