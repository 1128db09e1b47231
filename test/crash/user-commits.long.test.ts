// A user who runs `git commit -am` while the harness lands in their work tree, at each durable call: nothing that landed is taken back, nothing
// of theirs is lost, and the run continues.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { disturbedIo } from '../stage/disturbed.ts';
import { sampleOf } from '../support/effort.ts';
import { openFixtureProject, type FixtureProject } from './fixture-project.ts';
import { lands } from './scenarios.ts';
import { working } from './process-runs.ts';

const SILENT = { event: () => undefined, agent: () => undefined };
const NEW = { write: { path: 'new/shelf.txt', text: 'a shelf\n' } };
/** The agent adds a file too: that is what a commit with an old index would take back. */
const script = lands.script.replace(
  '{"append":{"path":"shop.txt"',
  `${JSON.stringify(NEW)},{"append":{"path":"shop.txt"`,
);
const files = { ...lands.files, 'mine.txt': 'mine\n' };

const KINDS: readonly [string, string, (shop: FixtureProject) => void][] = [
  ['another file', 'mine.txt', (shop) => writeFileSync(join(shop.root, 'mine.txt'), 'mine, edited\n')],
  ['the same file', 'shop.txt', (shop) => appendFileSync(join(shop.root, 'shop.txt'), 'edited\n')],
];

const shop = openFixtureProject(files, script);
afterAll(() => shop.remove());

function isKept({ read, git }: FixtureProject, path: string): boolean {
  const refs = git('for-each-ref', '--format=%(refname)', 'refs/harness/attempts').split('\n');
  const texts = refs.filter((ref) => ref !== '').map((ref) => git('show', `${ref}:${path}`));
  return [read(path) ?? '', ...texts].some((text) => text.includes('edited'));
}

async function run(at: number, user: () => void) {
  shop.renew();
  const { io, calls } = disturbedIo(at, user);
  const ended = await working(shop, io, SILENT);
  return { calls, ended };
}

describe.each(KINDS)('a commit of %s', (_, path, edit) => {
  test('at any durable call of a landing', async () => {
    const { calls } = await run(0, () => undefined);
    // From the checks on; before them it is a commit in the middle of a session.
    const first = calls.findIndex((call) => call.endsWith('/landing.json'));
    const numbers = calls.map((_call, n) => n + 1).slice(first - 12, first + 16);
    for (const at of sampleOf(numbers, 2, 8)) {
      let said = '';
      const { ended } = await run(at, () => {
        edit(shop);
        const made = spawnSync('git', ['commit', '-q', '-am', 'mine'], { cwd: shop.root, encoding: 'utf8' });
        said = made.stderr;
      });
      const where = `at call ${at} ${calls[at - 1] ?? ''} ${said}`.replaceAll(shop.top, '');
      expect(ended.ok, `${where}: ${JSON.stringify(ended)}`).toBe(true);
      expect(existsSync(join(shop.root, '.git', 'index.lock')), where).toBe(false);
      // Of the time when the agent could have made it, it is kept as an attempt.
      expect(isKept(shop, path), where).toBe(true);
      const landed = shop.git('log', '--format=%H', '--grep=^Harness-Item: 2');
      if (landed !== '') {
        const since = shop.git('diff', '--name-only', landed.split('\n')[0] ?? '', 'HEAD').split('\n');
        expect(
          since.filter((one) => one !== '' && one !== path),
          `${where}: taken back`,
        ).toEqual([]);
      } else {
        // The user has committed it first; what they have not is kept.
        const kept = shop.git('for-each-ref', '--format=%(refname)', 'refs/harness/attempts', 'refs/harness/wip');
        expect([kept !== '' || shop.read('new/shelf.txt') !== null, shop.git('log', '--format=%s')], where).toEqual([
          true,
          expect.stringContaining('mine'),
        ]);
      }
    }
  });
});
