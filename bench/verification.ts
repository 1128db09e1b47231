// What it costs to prove a session, over running the item's test and the suite once: real sessions of the real program in the box of this
// machine, with default settings. A feature at a time; the first is not counted, since it makes the first baseline.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PROGRAM } from './project.ts';
import { median } from './spans.ts';

export type VerificationCost = {
  /** Old test files beside the item's own. */
  readonly tests: number;
  /** The item's test and the whole suite, as a shell runs them. */
  readonly bareMs: number;
  /** The first session, with the first baseline. */
  readonly firstRatio: number;
  /** Sessions that change source and their own test. */
  readonly plainRatio: number;
  /** Sessions that touch an old test too. */
  readonly touchedRatio: number;
  /** Each step of the plain sessions, over the bare commands. */
  readonly parts: { readonly [name: string]: number };
};

/** Each old test file takes this long by itself, as tests that do something do. */
const TEST_MS = 150;
/** Sessions after the first; every second one touches an old test. */
const SESSIONS = 6;

type Event = { readonly type: string; readonly ts: string; readonly data?: { readonly purpose?: string } };

export function measureVerification(tests: number): VerificationCost {
  const top = mkdtempSync(join(tmpdir(), 'harness-bench-'));
  const root = join(top, 'r');
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    HOME: join(top, 'home'),
    LANG: 'C.UTF-8',
  };
  try {
    makeShop(root, tests);
    const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost'];
    for (const args of [
      ['init', '-q', '-b', 'main'],
      ['add', '-A'],
      [...identity, 'commit', '-q', '-m', 'start'],
    ])
      execFileSync('git', args, { cwd: root, env });
    const rows: { ratio: number; parts: { [name: string]: number }; bare: number }[] = [];
    for (let n = 1; n <= SESSIONS + 1; n++) {
      const seen = eventsIn(root).length;
      const run = spawnSync(process.execPath, [PROGRAM, '-C', root, 'run', '--once'], { env, encoding: 'utf8' });
      if (run.status !== 0) throw new Error(`session ${n} did not land:\n${run.stdout}\n${run.stderr}`);
      const bare = bareMs(root, env, n);
      const spent = stepsOf(eventsIn(root).slice(seen));
      const parts = Object.fromEntries(Object.entries(spent).map(([name, ms]) => [name, ms / bare]));
      rows.push({ bare, parts, ratio: Object.values(parts).reduce((sum, one) => sum + one, 0) });
    }
    const plain = rows.filter((_, i) => i > 0 && (i + 1) % 2 === 1);
    const touched = rows.filter((_, i) => i > 0 && (i + 1) % 2 === 0);
    const names = [...new Set(plain.flatMap(({ parts }) => Object.keys(parts)))];
    return {
      tests,
      bareMs: median(rows.map(({ bare }) => bare)),
      firstRatio: rows[0]?.ratio ?? NaN,
      plainRatio: median(plain.map(({ ratio }) => ratio)),
      touchedRatio: median(touched.map(({ ratio }) => ratio)),
      parts: Object.fromEntries(names.map((name) => [name, median(plain.map(({ parts }) => parts[name] ?? 0))])),
    };
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}

/** Wall time of each check and of the proofs, by the events of the run. */
function stepsOf(events: readonly Event[]): { [name: string]: number } {
  const spent: { [name: string]: number } = {};
  let from: Event | null = null;
  for (const event of events) {
    if (event.type === 'checking' || event.type === 'proving') from = event;
    if (from === null || (event.type !== 'checked' && event.type !== 'proved')) continue;
    const name = event.type === 'proved' ? 'proofs' : (event.data?.purpose ?? 'check');
    spent[name] = (spent[name] ?? 0) + Date.parse(event.ts) - Date.parse(from.ts);
    from = null;
  }
  return spent;
}

function eventsIn(root: string): readonly Event[] {
  try {
    return readFileSync(join(root, '.harness', 'logs', 'events.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Event);
  } catch {
    return []; // before the first run
  }
}

function bareMs(root: string, env: { readonly [name: string]: string }, n: number): number {
  const begun = performance.now();
  for (const line of [`node --test tests/f${n}.test.mjs`, 'node --test tests/*.test.mjs'])
    spawnSync('/bin/sh', ['-c', line], { cwd: root, env, stdio: 'ignore' });
  return performance.now() - begun;
}

function makeShop(root: string, tests: number): void {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  mkdirSync(join(root, '..', 'home'), { recursive: true });
  for (let n = 0; n < tests; n++) {
    write(`src/old${n}.mjs`, `export const old${n} = (a) => a + ${n};\n`);
    write(
      `tests/old${n}.test.mjs`,
      `import assert from 'node:assert';\nimport test from 'node:test';\nimport { setTimeout } from 'node:timers/promises';\nimport { old${n} } from '../src/old${n}.mjs';\ntest('old ${n}', async () => {\n  await setTimeout(${TEST_MS});\n  assert.equal(old${n}(1), ${n + 1});\n});\n`,
    );
  }
  const features = Array.from({ length: SESSIONS + 1 }, (_, i) => ({
    id: i + 1,
    category: 'bench',
    description: `Numbers are multiplied by ${i + 1}`,
    test_file: `tests/f${i + 1}.test.mjs`,
    verification_steps: ['Multiply'],
    size_estimate: 'small',
    may_change_tests: true,
    passes: false,
  }));
  for (const { test_file } of features)
    write(test_file, "import test from 'node:test';\ntest('stub', () => { throw new Error('not implemented'); });\n");
  write('features.json', `${JSON.stringify({ project: 'bench', features }, null, 2)}\n`);
  write('claude-progress.txt', '');
  write('.gitignore', '.harness/\n');
  write('agent.mjs', readFileSync(join(import.meta.dirname, 'shop-agent.mjs'), 'utf8'));
  write(
    '.harness.yaml',
    `project: { name: bench }
agents: { default: { provider: acp, command: ${JSON.stringify([process.execPath, 'agent.mjs'])} } }
testing: { runner: node, feature: "node --test {test_file}", full: "node --test tests/*.test.mjs" }
`,
  );
}
