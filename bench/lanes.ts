// What several lanes bring: independent items whose agents only wait, worked through with 1, 2, 4 and 8 lanes. Efficiency is the time with one lane
// over the time with N lanes times N: 1 is perfect. Beside it what the processors did, which decides what a machine can have of it.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { featuresText, makeProject, PROGRAM, type Project } from './project.ts';

export type LanesRun = {
  readonly lanes: number;
  readonly ms: number;
  readonly efficiency: number;
  /** Time of processors: of the run with everything that it started, for one item. */
  readonly cpuMsAnItem: number;
  /** Of all processors of the machine while it lasted: the run's, and that of everything else. */
  readonly ownShare: number;
  readonly otherShare: number;
};
export type LanesCost = { readonly items: number; readonly waitSeconds: number; readonly runs: readonly LanesRun[] };

export function measureLanes(items: number, waitSeconds: number, lanes: readonly number[]): LanesCost {
  const took = lanes.map((count) => {
    const project = projectOf(items, waitSeconds, count);
    try {
      return { lanes: count, ...timed(project, []) };
    } finally {
      project.remove();
    }
  });
  const alone = took.find((one) => one.lanes === 1)?.ms ?? Number.NaN;
  return {
    items,
    waitSeconds,
    runs: took.map(({ cpuMs, busyMs, ...one }) => {
      const all = one.ms * availableParallelism();
      const shares = { ownShare: cpuMs / all, otherShare: Math.max(0, busyMs - cpuMs) / all };
      return { ...one, efficiency: alone / (one.ms * one.lanes), cpuMsAnItem: cpuMs / items, ...shares };
    }),
  };
}

export type LandingsCost = {
  readonly lanes: number;
  readonly all: readonly { readonly behind: number; readonly ms: number; readonly cpuMs: number }[];
};

/** What an item costs, whose agent takes no time, with so many landed before it. All are real. */
export function measureLandings(lanes: number, behind: readonly number[], items: number): LandingsCost {
  const project = projectOf(Math.max(...behind) + items, 0, lanes);
  try {
    const all = behind.map((count) => {
      const missing = count - landedIn(project);
      if (missing > 0) timed(project, ['--max-items', String(missing)]);
      const { ms, cpuMs } = timed(project, ['--max-items', String(items)]);
      return { behind: count, ms: ms / items, cpuMs: cpuMs / items };
    });
    return { lanes, all };
  } finally {
    project.remove();
  }
}

function landedIn({ root }: Project): number {
  const log = join(root, '.harness', 'logs', 'events.jsonl');
  return existsSync(log) ? readFileSync(log, 'utf8').split('"type":"landed"').length - 1 : 0;
}

/** Runs to the end, or to its limit. Times in milliseconds; `busyMs`: of all processors of the machine. */
function timed({ root, env }: Project, args: readonly string[]): { ms: number; cpuMs: number; busyMs: number } {
  const busy = busyMs();
  const began = performance.now();
  // The shell knows what all processes below it took.
  const script = '"$@"; code=$?; times >&3; exit $code';
  const ran = spawnSync(
    '/bin/sh',
    ['-c', script, 'sh', process.execPath, PROGRAM, 'run', '--until-done', '--json', ...args],
    {
      cwd: root,
      env,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    },
  );
  const ms = performance.now() - began;
  if (ran.status !== 0 && ran.status !== 6) throw new Error(`ended with ${ran.status}: ${ran.stdout}${ran.stderr}`);
  return { ms, cpuMs: childrenMs(ran.output[3] ?? ''), busyMs: busyMs() - busy };
}

/** The second line of `times`: user and system time of children. */
function childrenMs(times: string): number {
  const [, children = ''] = times.split('\n');
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, m, s]) => sum + (Number(m) * 60 + Number(s)) * 1_000,
    0,
  );
}

/** User, nice, system, irq and softirq of all processors since the machine started; ticks are hundredths of a second. */
function busyMs(): number {
  const [, user, nice, system, , , irq, softirq] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '')
    .split(/\s+/)
    .map(Number);
  return [user, nice, system, irq, softirq].reduce<number>((sum, ticks = 0) => sum + ticks * 10, 0);
}

/** Items that do not depend on each other. */
function projectOf(items: number, waitSeconds: number, lanes: number): Project {
  const project = makeProject(2);
  const { root, env } = project;
  writeFileSync(join(root, 'features.json'), featuresText(items, true));
  const config = join(root, '.harness.yaml');
  const waits = `BENCH_WAIT_MS: "${waitSeconds * 1_000}", BENCH_BUSY`;
  writeFileSync(config, readFileSync(config, 'utf8').replace('BENCH_BUSY', waits));
  appendFileSync(config, `lanes: ${lanes}\nquality: { cleanup_interval: 0 }\n`);
  const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost'];
  execFileSync('git', ['add', '-A'], { cwd: root, env });
  execFileSync('git', [...identity, 'commit', '-q', '-m', 'items'], { cwd: root, env });
  return project;
}
