// This harness, through its program, as a person or a script would call it.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Card } from '../card.ts';
import { ITEM, type World } from '../world.ts';
import { call, type Outcome, type Tool } from './tool.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../bin/harness.cjs');

const TESTING = {
  node: ['node', 'node --test {test_file}', 'node --test tests/*.test.mjs'],
  npm: ['node', 'npm test --silent -- {test_file}', 'npm test --silent'],
  vitest: ['vitest', 'npx vitest run {test_file}', 'npx vitest run'],
  pytest: ['pytest', 'python3 -m pytest {test_file}', 'python3 -m pytest'],
} as const;

function configOf(card: Card): string {
  const [runner, feature, full] = TESTING[card.world];
  const limits =
    card.limits === 'short'
      ? '{ timeout_minutes: 0.04, idle_seconds: 1.5, max_output_bytes: 100000 }'
      : '{ timeout_minutes: 5, idle_seconds: 60, max_output_bytes: 100000 }';
  return `playbook: features
project: { name: shop }
agents: { default: { provider: acp, command: ${JSON.stringify([process.execPath, card.file, '--acp'])} } }
environment: { init: ./init.sh }
testing: { runner: ${runner}, feature: '${feature}', full: '${full}' }
verification: { fix_turns: ${card.fixTurns} }
session: ${limits}
`;
}

type Told = {
  readonly result: string;
  readonly reason: string;
  readonly landed: readonly string[];
  readonly gates: readonly string[];
  readonly items: readonly { readonly result: string; readonly reason: string; readonly problems: readonly string[] }[];
};

export const harness: Tool = {
  name: 'harness',
  records: { own: /^shop\/\.harness(\/|$)|^shop\/\.git\/harness(\/|$)/, commit: /^Harness-Provisional: /m },
  ready: () => Promise.resolve(existsSync(resolve(PROGRAM, '../../dist/cli.mjs'))),
  files: (card) => ({ '.harness.yaml': configOf(card) }),
  async run(card, world) {
    let last: Outcome = { verdict: 'reject', reasons: [], warnings: [], said: '' };
    for (let n = 0; n < card.sessions; n += 1) {
      last = await one(world, last.said);
      if (last.verdict !== 'reject') break;
    }
    return last;
  },
};

async function one(world: World, before: string): Promise<Outcome> {
  const argv = [process.execPath, PROGRAM, 'run', '--json', '--no-input'];
  const ran = await call(argv, { cwd: world.root, env: world.env, wallMs: 180_000 });
  const said = `${before}${ran.stdout}\n${ran.stderr}`;
  const told = parsed(ran.stdout);
  if (told === null) return { verdict: 'reject', reasons: [], warnings: [], said };
  const reasons = [...new Set([told.reason, ...told.items.flatMap((one) => [one.reason, ...one.problems])])].filter(
    Boolean,
  );
  const verdict = told.landed.includes(ITEM) ? 'land' : told.gates.length > 0 ? 'ask' : 'reject';
  return { verdict, reasons: verdict === 'land' ? [] : reasons, warnings: [], said };
}

function parsed(text: string): Told | null {
  try {
    return JSON.parse(text) as Told;
  } catch {
    return null;
  }
}
