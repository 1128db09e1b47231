// This harness, through its program, as a person or a script would call it.
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Card } from '../card.ts';
import { ITEM, TESTING, type World } from '../world.ts';
import { call, type Outcome, type Tool } from './tool.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../bin/harness.cjs');

/** Seen from the repository: a link to the agent's program, so that somebody else can take its place. */
const AGENT = '../agent.mjs';
const IDLE = resolve(import.meta.dirname, '../agents/nothing-done.mjs');

function configOf(card: Card): string {
  const { runner, feature, full } = TESTING[card.world];
  const limits =
    card.limits === 'short'
      ? '{ timeout_minutes: 0.04, idle_seconds: 1.5, max_output_bytes: 100000 }'
      : '{ timeout_minutes: 5, idle_seconds: 60, max_output_bytes: 100000 }';
  return `playbook: ${card.playbook}
project: { name: shop }
agents: { default: { provider: acp, command: ${JSON.stringify([process.execPath, AGENT, '--acp'])} } }
environment: { init: ./init.sh }
testing: { runner: ${runner}, feature: '${feature}', full: '${full}' }
verification: { fix_turns: ${card.fixTurns} }
session: ${limits}
`;
}

/** What it was asked to do, as the list of its playbook says it. */
const ITEMS = { features: ITEM, tasks: 'task-003', workflow: 'total' };
const WISH = 'total(cart) in src/total.mjs: prices times quantities, 10 percent less from 10000 cents on';

function listOf(card: Card): { readonly [path: string]: string } {
  const { feature, full } = TESTING[card.world];
  const test = card.world === 'pytest' ? 'tests/test_total.py' : 'tests/total.test.mjs';
  const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
  if (card.playbook === 'features') return {};
  if (card.playbook === 'tasks') {
    const validation = { command: card.proof ?? feature.replace('{test_file}', test), timeout_seconds: 60 };
    const tasks = [{ id: ITEMS.tasks, title: WISH, status: 'pending', validation }];
    // As the harness would write it: what else changes there is the agent's.
    const hidden = ['.json', '.json.bak'].map((end) => `/harness-tasks${end}\n`).join('');
    return {
      'harness-tasks.json': json({ version: 2, tasks }),
      '.git/info/exclude': `${hidden}/harness-progress.txt\n`,
    };
  }
  const state = { version: '2.0', task: WISH, mode: 'single', has_git: true, phase: 'generate_ready', branch: 'main' };
  const commands = { test_cmd: card.proof ?? full, docs_path: DOCS, conventions: 'skipped', repo_path: '.' };
  return { '.harness/state.json': json({ ...state, ...commands }), [`${DOCS}spec.md`]: `# Spec\n\n${WISH}\n` };
}
const DOCS = 'docs/harness/total/';

type Told = {
  readonly result: string;
  readonly reason: string;
  readonly landed: readonly string[];
  readonly commits: readonly string[];
  readonly gates: readonly string[];
  readonly items: readonly { readonly result: string; readonly reason: string; readonly problems: readonly string[] }[];
};

export const harness: Tool = {
  name: 'harness',
  records: {
    own: /^shop\/\.harness(\/|$)|^shop\/\.git\/harness(\/|$)|^shop\/harness-(?:tasks\.json|progress\.txt)|^shop\/docs\/harness\/|^home\/\.local\/state\/harness\//,
    commit: /^Harness-Provisional: /m,
  },
  ready: () => Promise.resolve(existsSync(resolve(PROGRAM, '../../dist/cli.mjs'))),
  files: (card) => ({ '.harness.yaml': configOf(card), ...listOf(card) }),
  async run(card, world) {
    const link = resolve(world.root, AGENT);
    try {
      symlinkSync(card.file, link);
      if (card.playbook === 'workflow') return await workflow(card, world);
      let last = await one(card, world, '');
      for (let n = 1; n < card.sessions && last.verdict === 'reject'; n += 1) last = await one(card, world, last.said);
      return last.verdict === 'ask' ? await refused(card, world, link, last) : last;
    } finally {
      rmSync(link, { force: true });
    }
  },
};

/** A person says no: then everything must be as it was. The run that hears it has an agent that does nothing. */
async function refused(card: Card, world: World, link: string, asked: Outcome): Promise<Outcome> {
  const gate = /"gates":\["([^"]+)"/.exec(asked.said)?.[1] ?? '';
  const options = { cwd: world.root, env: world.env, wallMs: 60_000 };
  const answered = await call([process.execPath, PROGRAM, 'answer', gate, 'reject', '--no-input'], options);
  rmSync(link);
  symlinkSync(IDLE, link);
  const after = await one(card, world, `${asked.said}\n${answered.stdout}${answered.stderr}`);
  return { ...asked, reasons: [...new Set([...asked.reasons, ...after.reasons])], said: after.said };
}

/** Its user follows the recommendation at every question, and has the work committed unless something is named there. */
async function workflow(card: Card, world: World): Promise<Outcome> {
  const options = { cwd: world.root, env: world.env, wallMs: 60_000 };
  const ask = (...args: string[]) => call([process.execPath, PROGRAM, ...args], options);
  let last = await one(card, world, '');
  for (let n = 0; n < 4 && last.verdict === 'ask'; n += 1) {
    const { gates } = JSON.parse((await ask('gates', '--json')).stdout) as { gates: readonly Question[] };
    const [gate] = gates;
    if (gate?.subject === 'workflow-verify') return { ...last, verdict: 'reject', reasons: ['layer-1'] };
    const named = (gate?.problems ?? []).map(({ code }) => code);
    if (gate?.subject !== 'workflow-commit' || gate.recommended === 'none' || named.length > 0)
      return { ...last, reasons: [...last.reasons, ...named] };
    await ask('answer', gate.id, gate.recommended, '--no-input');
    last = await one(card, world, last.said);
  }
  return last;
}
type Question = {
  readonly id: string;
  readonly subject: string;
  readonly recommended: string;
  readonly problems?: readonly { readonly code: string }[];
};

async function one(card: Card, world: World, before: string): Promise<Outcome> {
  const argv = [
    process.execPath,
    PROGRAM,
    'run',
    '--json',
    '--no-input',
    ...(card.playbook === 'tasks' ? ['--once'] : []),
  ];
  const ran = await call(argv, { cwd: world.root, env: world.env, wallMs: 180_000 });
  const said = `${before}${ran.stdout}\n${ran.stderr}`;
  const told = parsed(ran.stdout);
  if (told === null) return { verdict: 'reject', reasons: [], warnings: [], said };
  const reasons = [...new Set([told.reason, ...told.items.flatMap((one) => [one.reason, ...one.problems])])].filter(
    Boolean,
  );
  const isLanded =
    told.landed.includes(ITEMS[card.playbook]) || (card.playbook === 'workflow' && told.commits.length > 0);
  const verdict = isLanded ? 'land' : told.gates.length > 0 ? 'ask' : 'reject';
  return { verdict, reasons: verdict === 'land' ? [] : reasons, warnings: [], said };
}

function parsed(text: string): Told | null {
  try {
    return JSON.parse(text) as Told;
  } catch {
    return null;
  }
}
