// Start-up: commands that only look, against `node -e 0`: whole processes of the same Node, in interleaved rounds. `kept`: the answer of an
// earlier call is printed again, as in all calls but the first after a change; `computed`: nothing is kept.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeProject, PROGRAM, type Project } from './project.ts';
import { traced } from './session.ts';
import { median } from './spans.ts';

export type Startup = {
  readonly features: number;
  /** Sessions that have finished. */
  readonly sessions: number;
  readonly nodeMs: number;
  /** Of every command line the time, and the median of the ratios of the rounds. */
  readonly kept: { readonly [line: string]: { readonly ms: number; readonly ratio: number } };
  readonly computed: { readonly ms: number; readonly ratio: number };
  /** Of `status` when nothing is kept. */
  readonly peakMb: number;
};

const LINES = ['status', 'status --json', 'gates', 'items', 'items --json', '--version'];

export function measureStartup(features: number, sessions: number, rounds: number): Startup {
  const project = makeProject(features, 0);
  finish(project, sessions);
  const privateDir = join(project.root, '.git', 'harness');
  const calls = new Map([['node', ['-e', '0']], ...LINES.map((line) => [line, callOf(project, line)] as const)]);
  const round = (): ReadonlyMap<string, number> =>
    new Map([...calls].map(([name, args]) => [name, timed(project, args)]));
  try {
    const computed = Array.from({ length: rounds }, () => {
      rmSync(join(privateDir, 'answers'), { recursive: true, force: true });
      return { node: timed(project, ['-e', '0']), status: timed(project, callOf(project, 'status --json')) };
    });
    rmSync(join(privateDir, 'answers'), { recursive: true, force: true });
    const { peakKb } = traced(project, ['status', '--json']).trace;
    for (let n = 0; n < 3; n++) round(); // everything is kept, and the disk is warm
    const taken = Array.from({ length: rounds }, round);
    const of = (name: string): number[] => taken.map((one) => one.get(name) ?? Number.NaN);
    const node = of('node');
    const ratios = (name: string): number[] => of(name).map((ms, n) => ms / (node[n] ?? Number.NaN));
    return {
      features,
      sessions,
      nodeMs: median(node),
      kept: Object.fromEntries(LINES.map((line) => [line, { ms: median(of(line)), ratio: median(ratios(line)) }])),
      computed: {
        ms: median(computed.map(({ status }) => status)),
        ratio: median(computed.map(({ status, node: bare }) => status / bare)),
      },
      peakMb: peakKb / 1024,
    };
  } finally {
    project.remove();
  }
}

const callOf = ({ root }: Project, line: string): readonly string[] => [PROGRAM, '-C', root, ...line.split(' ')];

function timed({ env }: Project, args: readonly string[]): number {
  const from = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8', maxBuffer: 1 << 28 });
  const ms = performance.now() - from;
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
  return ms;
}

/** The records that so many sessions leave. */
function finish({ root }: Project, sessions: number): void {
  const state = join(root, '.harness');
  mkdirSync(join(root, '.git', 'harness'), { recursive: true });
  if (sessions === 0) return;
  for (let n = 1; n <= sessions; n++) {
    const folder = join(state, 'sessions', String(n));
    mkdirSync(folder, { recursive: true });
    const record = { session_id: n, feature_id: n, feature_completed: true, result: 'landed', reason: '' };
    writeFileSync(join(folder, 'session.json'), JSON.stringify(record));
  }
  const last = { schema_version: 3, last_session: sessions, status: 'complete', current_feature: sessions };
  writeFileSync(join(state, 'session_state.json'), JSON.stringify(last));
  const spent = Array.from({ length: sessions }, (_, n) => ({ feature_id: n + 1, cost_usd: 1, sessions: 1 }));
  const cumulative = { total_cost_usd: sessions, total_tokens: { input: 9, output: 9, cached: 0 }, by_feature: spent };
  writeFileSync(join(root, '.git', 'harness', 'costs.yaml'), JSON.stringify({ cumulative }));
}
