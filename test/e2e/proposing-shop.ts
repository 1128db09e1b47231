// A shop whose landings are pull requests on a local forge: what the tests of `land: pull-request` work on.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { CART_WORK, makeRepo, type Repo } from '../support/repo.ts';

const writes = (files: { readonly [path: string]: string }) =>
  Object.entries(files).map(([path, text]) => ({ write: { path, text } }));
const PAY = {
  'src/pay.mjs': 'export const pay = (n) => n * 2;\n',
  'tests/pay.test.mjs':
    "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { pay } from '../src/pay.mjs';\ntest('pay works', () => assert.equal(pay(2), 4));\n",
};
const NAMED = "export const cart = () => ['goods'];\nexport const name = 'cart';\n";
const SESSIONS = [
  { when: { item: 2, role: 'coding' }, turns: [[...writes(CART_WORK), 'claim']] },
  { when: { item: 2, role: 'continuation' }, turns: [[...writes({ 'src/cart.mjs': NAMED }), 'claim']] },
  { when: { item: 3 }, turns: [[...writes(PAY), 'claim']] },
];

export type ProposingShop = { readonly repo: Repo; readonly remote: string; readonly start: string };

/** `ci`: the command of its forge; left out: none. */
export function proposingShop({ ci }: { readonly ci?: string } = {}): ProposingShop {
  const repo = makeRepo({ '.scenario.yaml': JSON.stringify({ schema: 1, sessions: SESSIONS }) });
  const remote = join(repo.root, '..', 'remote.git');
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote], { env: repo.env });
  const forge = ci === undefined ? '{ kind: local }' : `{ kind: local, ci: "${ci}" }`;
  const more = `sandbox: { level: none }\nverification: { mutation: "off" }\nforge: ${forge}\nland: pull-request\n`;
  repo.write('.harness.yaml', repo.read('.harness.yaml') + more);
  repo.git('commit', '-qam', 'settings');
  repo.git('remote', 'add', 'origin', remote);
  repo.git('push', '-q', 'origin', 'main');
  return { repo, remote, start: repo.git('rev-parse', 'main') };
}
