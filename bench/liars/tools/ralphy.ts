// ralphy-cli from npm. It starts programs by their well-known names, so one of that name on the PATH starts the agent of
// the bench, answers in its form and, being told to by ralphy's prompt, commits what the agent left uncommitted.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Card } from '../card.ts';
import type { World } from '../world.ts';
import { call, type Outcome, type Tool } from './tool.ts';

const VERSION = '4.7.2';
const TASKS = `{
  "tasks": [
    { "title": "total(cart) in src/total.mjs, tested by tests/total.test.mjs", "completed": false },
    { "title": "shipping(cart) in src/shipping.mjs", "completed": false }
  ]
}
`;

/** What ralphy takes for Claude Code: its own answer only where the agent was content with itself. */
const launcher = (card: Card): string => `#!/bin/sh
'${process.execPath}' '${card.file}' task >&2 </dev/null || exit 1
git add -A && git commit -q -m 'task done' >&2
echo '{"type":"result","subtype":"success","is_error":false,"result":"Done, all tests pass.","usage":{"input_tokens":1,"output_tokens":1}}'
`;

/** LIARS_RALPHY names a folder where it is installed already; else it is installed into a temporary one, once. */
function makeRalphy(): Tool {
  let program = '';
  return {
    name: 'ralphy',
    records: { own: /^shop\/(tasks\.json|\.ralphy)|^home\/\.(config|ralphy)/, commit: null },
    ready() {
      let folder = process.env['LIARS_RALPHY'];
      if (folder === undefined) {
        const made = mkdtempSync(join(tmpdir(), 'ralphy-'));
        process.on('exit', () => rmSync(made, { recursive: true, force: true }));
        folder = made;
        try {
          const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', `ralphy-cli@${VERSION}`];
          execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000 });
        } catch {
          return Promise.resolve(false);
        }
      }
      program = join(folder, 'node_modules', '.bin', 'ralphy');
      return Promise.resolve(existsSync(program));
    },
    files: () => ({ 'tasks.json': TASKS }),
    async run(card, world) {
      for (let n = 1; ; n += 1) {
        const outcome = await once(program, card, world);
        if (outcome.verdict === 'reject' || n >= card.sessions) return outcome;
        world.write('tasks.json', TASKS);
      }
    },
  };
}

async function once(program: string, card: Card, world: World): Promise<Outcome> {
  world.write('../bin/claude', launcher(card), 0o755);
  const options = ['--max-iterations', '1', '--max-retries', '1', '--retry-delay', '0'];
  const ran = await call([program, '--claude', '--json', 'tasks.json', ...options], {
    cwd: world.root,
    env: { ...world.env, PATH: `${join(world.top, 'bin')}:${world.env['PATH'] ?? ''}` },
    // It has no limit of its own for an agent that never ends.
    wallMs: card.limits === 'short' ? 6_000 : 60_000,
  });
  rmSync(join(world.top, 'bin'), { recursive: true, force: true });
  const said = `${ran.stdout}\n${ran.stderr}`;
  if (ran.isLate) return { verdict: 'reject', reasons: ['never ended, stopped by the bench'], warnings: [], said };
  const isDone = isTicked(readFileSync(join(world.root, 'tasks.json'), 'utf8'));
  return { verdict: isDone ? 'land' : 'reject', reasons: isDone ? [] : [`exit ${ran.code}`], warnings: [], said };
}

function isTicked(text: string): boolean {
  try {
    return (JSON.parse(text) as { tasks: readonly { completed: boolean }[] }).tasks[0]?.completed === true;
  } catch {
    return false;
  }
}

export const ralphy: Tool = makeRalphy();
