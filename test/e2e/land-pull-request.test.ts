// `land: pull-request`: a landing is a pull request with its evidence. The branch stays where it is until others have merged it, what they ask for
// comes back into the next session, and the merge is read back.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordsOf, writeRecord } from '../support/local-forge.ts';
import { CART_WORK, makeRepo } from '../support/repo.ts';

const writes = (files: { readonly [path: string]: string }) =>
  Object.entries(files).map(([path, text]) => ({ write: { path, text } }));
const PAY = {
  'src/pay.mjs': 'export const pay = (n) => n * 2;\n',
  'tests/pay.test.mjs':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { pay } from '../src/pay.mjs';\ntest('pay works', () => assert.equal(pay(2), 4));\n",
};
const NAMED = "export const cart = () => ['goods'];\nexport const name = 'cart';\n";
const SCENARIO = JSON.stringify({
  schema: 1,
  sessions: [
    { when: { item: 2, role: 'coding' }, turns: [[...writes(CART_WORK), 'claim']] },
    { when: { item: 2, role: 'continuation' }, turns: [[...writes({ 'src/cart.mjs': NAMED }), 'claim']] },
    { when: { item: 3 }, turns: [[...writes(PAY), 'claim']] },
  ],
});

test('a landing is proposed, a comment is answered, and once it is merged the next item begins', async () => {
  const repo = makeRepo({ '.scenario.yaml': SCENARIO });
  const remote = join(repo.root, '..', 'remote.git');
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote], { env: repo.env });
  const more =
    'sandbox: { level: none }\nverification: { mutation: "off" }\nforge: { kind: local }\nland: pull-request\n';
  repo.write('.harness.yaml', repo.read('.harness.yaml') + more);
  repo.git('commit', '-qam', 'settings');
  repo.git('remote', 'add', 'origin', remote);
  repo.git('push', '-q', 'origin', 'main');
  const start = repo.git('rev-parse', 'main');

  const proposed = await repo.harness('run', '--until-done', '-y');
  expect(proposed.stderr).toContain(`Item 2 is proposed: pull request #1, ${remote}#1`);
  expect(proposed.stdout).toContain('the remaining items wait until their pull requests are merged');
  expect(proposed.code).toBe(8);
  expect(repo.git('rev-parse', 'main')).toBe(start);
  expect(repo.git('status', '--porcelain')).toBe('');
  expect(repo.features().map(({ passes }) => passes)).toEqual([true, false, false]);
  const [pull] = recordsOf(repo, 'pulls');
  expect(pull?.body).toMatch(
    /### How it was proved[^]*Harness-Evidence: sha256:[0-9a-f]{64}\n\nHarness-Key: item 2\n$/,
  );
  const first = repo.git('ls-remote', remote, 'refs/heads/harness/2').split('\t')[0] ?? '';
  expect(repo.git('diff', '--name-only', start, first).split('\n')).toEqual([
    'features.json',
    'src/cart.mjs',
    'tests/cart.test.mjs',
  ]);

  writeRecord(repo, 'pulls', {
    ...pull!,
    comments: [{ id: 1, author: 'Grace', at: new Date().toISOString(), body: 'Give it a name.' }],
  } as never);
  const answered = await repo.harness('run', '--until-done', '-y');
  expect(answered.stderr).toContain('Pull request #1 of item 2 has 1 comment');
  expect(answered.code).toBe(8);
  const prompt = repo.read('.harness/sessions/2/prompt-1.md');
  expect(prompt).toContain('Give it a name.');
  const second = repo.git('ls-remote', remote, 'refs/heads/harness/2').split('\t')[0] ?? '';
  expect(second).not.toBe(first);
  expect(recordsOf(repo, 'pulls')).toHaveLength(1);
  expect(repo.git('show', `${second}:src/cart.mjs`)).toContain('name');
  expect(repo.git('rev-parse', `${second}^`)).toBe(start);

  repo.git('push', '-q', 'origin', `${second}:refs/heads/main`);
  const merged = await repo.harness('run', '--until-done', '-y');
  expect(merged.stderr).toContain('Pull request #1 is merged: item 2 has landed.');
  expect(merged.stderr).toContain('Item 3 is proposed: pull request #2');
  expect(repo.git('rev-parse', 'main')).toBe(second);
  expect(repo.features().map(({ passes }) => passes)).toEqual([true, true, false]);
  expect(await repo.harness('evidence', 'verify', '2')).toMatchObject({ code: 0 });
});
