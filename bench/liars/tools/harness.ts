// This harness, through its program, as a person or a script would call it.
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Card } from '../card.ts';
import { ITEM, type World } from '../world.ts';
import { call, type Outcome, type Tool } from './tool.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../bin/harness.cjs');

/** Seen from the repository: a link to the agent's program, so that somebody else can take its place. */
const AGENT = '../agent.mjs';
const IDLE = resolve(import.meta.dirname, '../agents/nothing-done.mjs');

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
agents: { default: { provider: acp, command: ${JSON.stringify([process.execPath, AGENT, '--acp'])} } }
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
  records: {
    own: /^shop\/\.harness(\/|$)|^shop\/\.git\/harness(\/|$)|^home\/\.local\/state\/harness\//,
    commit: /^Harness-Provisional: /m,
  },
  ready: () => Promise.resolve(existsSync(resolve(PROGRAM, '../../dist/cli.mjs'))),
  files: (card) => ({ '.harness.yaml': configOf(card) }),
  async run(card, world) {
    const link = resolve(world.root, AGENT);
    try {
      symlinkSync(card.file, link);
      let last = await one(world, '');
      for (let n = 1; n < card.sessions && last.verdict === 'reject'; n += 1) last = await one(world, last.said);
      return last.verdict === 'ask' ? await refused(world, link, last) : last;
    } finally {
      rmSync(link, { force: true });
    }
  },
};

/** A person says no: then everything must be as it was. The run that hears it has an agent that does nothing. */
async function refused(world: World, link: string, asked: Outcome): Promise<Outcome> {
  const gate = /"gates":\["([^"]+)"/.exec(asked.said)?.[1] ?? '';
  const options = { cwd: world.root, env: world.env, wallMs: 60_000 };
  const answered = await call([process.execPath, PROGRAM, 'answer', gate, 'reject', '--no-input'], options);
  rmSync(link);
  symlinkSync(IDLE, link);
  const after = await one(world, `${asked.said}\n${answered.stdout}${answered.stderr}`);
  return { ...asked, reasons: [...new Set([...asked.reasons, ...after.reasons])], said: after.said };
}

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
