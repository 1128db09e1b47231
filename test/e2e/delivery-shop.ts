// A shop with two plans, a bare remote and a local forge: what the tests of the delivery playbook work on.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { CART_WORK, makeRepo, OF_FEATURES, type Repo } from '../support/repo.ts';

export type Steps = readonly unknown[];
export type Session = { readonly when: { readonly [key: string]: unknown }; readonly turns: readonly Steps[] };

const PAY_WORK = {
  'src/pay.mjs': "import { cart } from './cart.mjs';\nexport const pay = () => cart().length * 2;\n",
  'tests/pay.test.mjs': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pay } from '../src/pay.mjs';
test('pay works', () => assert.equal(pay(), 2));
`,
} as const;
export const writes = (files: { readonly [path: string]: string }): Steps =>
  Object.entries(files).map(([path, text]) => ({ write: { path, text } }));

export const HIGH = `### High: a cart is shared
Path: src/cart.mjs
Quote: export const cart = () => ['goods'];
Why: nothing can be added to it.

- Low: a comment would help`;
const FIXED = "export const cart = (more = []) => ['goods', ...more];\n";

export const says = (role: string, item: string | null, text: string, attempt?: number): Session => ({
  when: { role, ...(item === null ? {} : { item }), ...(attempt === undefined ? {} : { attempt }) },
  turns: [[{ say: text }]],
});

/** The first plan has one finding, which is fixed; the second has none. */
export const SESSIONS: readonly Session[] = [
  { when: { role: 'implementer', item: '0001' }, turns: [writes(CART_WORK)] },
  { when: { role: 'implementer', item: '0002' }, turns: [writes(PAY_WORK)] },
  says('reviewer', '0001', HIGH, 1),
  { when: { role: 'fixer', item: '0001' }, turns: [writes({ 'src/cart.mjs': FIXED, 'package.json': '{}' })] },
  says('reviewer', null, 'No blocking findings.'),
  says('preparer', '0001', 'Title: Add a cart\n\nA cart holds goods.'),
  says('preparer', '0002', 'Title: Add payment\n\nA cart can be paid.'),
  says('merge-checker', null, 'No findings. Ready to enable auto-merge.'),
];

export const SPEC = '# Shop\n\nA cart holds goods. A cart can be paid.\n';
export const CRITERIA = '# Acceptance criteria\n\n- CART-1: A cart holds goods.\n- PAY-1: A cart can be paid.\n';
export const planFile = (title: string, name: string, more: string): string =>
  `# ${title}\n\n- Test: tests/${name}.test.mjs\n${more}\n## Work\n\nA ${name}.\n`;
export const CART_PLAN = planFile('Cart', 'cart', '- Tags: CART-1\n');
export const PAY_PLAN = planFile('Pay', 'pay', '- Depends on: 0001\n- Tags: PAY-1\n');
/** What a planner writes. */
export const DRAFTS = { '0001-cart.md': CART_PLAN, '0002-pay.md': PAY_PLAN, 'acceptance.md': CRITERIA };

export const drafts = (files: { readonly [name: string]: string }): Steps =>
  Object.entries(files).map(([name, text]) => ({ write: { path: `.harness/plan/${name}`, text } }));
export const planner = (...turns: readonly Steps[]): Session => ({ when: { role: 'planner' }, turns });

const PLANS = {
  'docs/plans/0001-cart.md': '# Cart\n\n- Test: tests/cart.test.mjs\n\n## Work\n\nA cart holds goods.\n',
  'docs/plans/0002-pay.md': '# Pay\n\n- Depends on: 0001\n- Test: tests/pay.test.mjs\n\n## Work\n\nA cart is paid.\n',
} as const;

const CONFIG = `playbook: delivery
project: { name: shop }
agents:
  default: { provider: scripted, scenario: .scenario.yaml }
testing:
  runner: node
  feature: "node --test {test_file}"
  full: "node --test tests/"
verification: { mutation: "off" }
`;

export type Shop = { readonly repo: Repo; readonly remote: string };

type Options = {
  /** The checks of the local forge, as a command. */
  readonly ci?: string;
  /** Another forge, as YAML. */
  readonly forge?: string;
  readonly plans?: number;
  /** Level of the sandbox. */
  readonly box?: 'auto' | 'none';
  /** Sections of the configuration beside those that every shop has, as YAML. */
  readonly config?: string;
  readonly files?: { readonly [path: string]: string };
};

export function deliveryShop(
  sessions: readonly Session[],
  {
    ci = 'node --test tests/',
    forge = `{ kind: local, ci: "${ci}" }`,
    plans = 2,
    box = 'none',
    config = '',
    files = {},
  }: Options = {},
): Shop {
  const repo = makeRepo(
    {
      ...Object.fromEntries(Object.entries(PLANS).slice(0, plans)),
      '.harness.yaml': `${CONFIG}sandbox: { level: ${box} }\nforge: ${forge}\n${config}\n`,
      '.scenario.yaml': JSON.stringify({ schema: 1, sessions }),
      'src/open.mjs': 'export const open = true;\n',
      'tests/shop.test.mjs': "import { test } from 'node:test';\ntest('the shop opens', () => {});\n",
      ...files,
    },
    OF_FEATURES,
  );
  const remote = join(repo.root, '..', 'remote.git');
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote], { env: repo.env });
  repo.git('remote', 'add', 'origin', remote);
  repo.git('push', '-q', 'origin', 'main');
  return { repo, remote };
}

type PullFile = {
  readonly number: number;
  readonly state: string;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
};
/** The pull requests of the local forge, by number. */
export function pullsOf({ repo }: Shop): readonly PullFile[] {
  repo.git('fetch', '-q', 'origin', 'refs/harness/forge');
  const names = repo.git('ls-tree', '-r', '--name-only', 'FETCH_HEAD', 'pulls/').split('\n');
  return names
    .filter((name) => name !== '')
    .map((name) => JSON.parse(repo.git('show', `FETCH_HEAD:${name}`)) as PullFile)
    .sort((a, b) => a.number - b.number);
}

/** The role of each session, in their order; null: the implementer, whose session is the plan's own. */
export const rolesOf = ({ repo }: Shop): readonly unknown[] =>
  readdirSync(join(repo.root, '.harness/sessions'))
    .sort((a, b) => Number(a) - Number(b))
    .map((n) => (JSON.parse(repo.read(`.harness/sessions/${n}/session.json`)) as { role: unknown }).role);
