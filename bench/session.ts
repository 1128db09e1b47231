// The harness's own time per session, with an agent that answers at once and tests that take no time: the wall from the
// end of one session to the end of the next, less the time in which the agent or a check was busy.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { busyFile, makeProject, PROGRAM, SHELL_AGENT, type Project } from './project.ts';
import { lengthOf, median, shareOut, within, type Span } from './spans.ts';

type Trace = {
  readonly processes: readonly {
    readonly argv: readonly string[];
    readonly from: number;
    readonly to: number | null;
  }[];
  readonly syncs: readonly Span[];
  readonly peakKb: number;
  readonly cpuMs: number;
};
type Busy = Span & { readonly what: string; readonly cpuMs: number };

export type SessionCost = {
  readonly sessions: number;
  readonly wallMs: number;
  readonly childrenMs: number;
  readonly ownMs: number;
  /** Time of a processor of the program and all its children for one session, without the agent. */
  readonly ownCpuMs: number;
  readonly gitCount: number;
  /** Time in which at least one git process ran. */
  readonly gitMs: number;
  readonly syncCount: number;
  /** Where the own time goes, each instant counted once. */
  readonly parts: { readonly [name: string]: number };
  readonly shellMs: number;
  readonly ratioToShell: number;
  readonly peakMb: number;
};

export function traced(
  project: Project,
  args: readonly string[],
): { readonly trace: Trace; readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const file = join(dirname(project.root), 'trace.json');
  const flags = ['--import', join(import.meta.dirname, 'trace.mjs')];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, PROGRAM, '-C', project.root, ...args], {
    env: { ...project.env, BENCH_TRACE: file },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return { trace: JSON.parse(readFileSync(file, 'utf8')) as Trace, status, stdout, stderr };
}

export function measureSessions(features: number, sessions: number, files = 20): SessionCost {
  const project = makeProject(features, files);
  try {
    const { each, trace } = costsOf(project, sessions);
    const of = (pick: (one: ReturnType<typeof costOf>) => number): number => median(each.map(pick));
    const names = Object.keys(each[0]?.parts ?? {});
    const wallMs = of((one) => one.wallMs);
    const shellMs = shellLoop(features, sessions, files);
    return {
      sessions,
      ownCpuMs: ownCpuOf(features, Math.min(sessions, 10), files),
      wallMs,
      childrenMs: of((one) => one.childrenMs),
      ownMs: of((one) => one.wallMs - one.childrenMs),
      gitCount: of((one) => one.gitCount),
      gitMs: of((one) => one.gitMs),
      syncCount: of((one) => one.syncCount),
      parts: Object.fromEntries(names.map((name) => [name, of((one) => one.parts[name] ?? 0)])),
      shellMs,
      ratioToShell: wallMs / shellMs,
      peakMb: trace.peakKb / 1024,
    };
  } finally {
    project.remove();
  }
}

/** Of the next sessions of a project, one more than asked for: the first has the start of the run in it. */
function costsOf(
  project: Project,
  sessions: number,
): { readonly each: readonly ReturnType<typeof costOf>[]; readonly trace: Trace } {
  const before = endsOf(project).length;
  const { trace, stdout, stderr } = traced(project, ['run', '--until-done', '--max-sessions', String(sessions + 1)]);
  const busy = linesOf<Busy>(busyFile(project));
  const ends = endsOf(project).slice(before);
  if (ends.length < sessions + 1) throw new Error(`sessions did not land:\n${stdout}\n${stderr}`);
  return { trace, each: ends.slice(1).map((to, i) => costOf({ from: ends[i] ?? to, to }, trace, busy)) };
}

const endsOf = (project: Project): readonly number[] =>
  linesOf<{ type: string; ts: string }>(join(project.root, '.harness', 'logs', 'events.jsonl'))
    .filter(({ type }) => type === 'item-ended')
    .map(({ ts }) => Date.parse(ts));

export type HistoryCost = {
  readonly behind: readonly [number, number];
  /** Own processor time of a session with so many finished ones behind it, and the ratio of the two. */
  readonly ownCpuMs: readonly [number, number];
  readonly ratio: number;
};

/** Sessions with a few finished ones behind them, and later ones of the same project with many. All are real. */
export function measureHistory(behind: readonly [number, number], sessions: number): HistoryCost {
  const [few, many] = behind;
  const project = makeProject(many + 2 * sessions + FEW);
  try {
    play(project, few);
    const early = ownCpuMs(project, sessions);
    play(project, many - endsOf(project).length);
    if (endsOf(project).length < many) throw new Error(`${endsOf(project).length} sessions ended, not ${many}`);
    const late = ownCpuMs(project, sessions);
    return { behind, ownCpuMs: [early, late], ratio: late / early };
  } finally {
    project.remove();
  }
}

function ownCpuOf(features: number, sessions: number, files: number): number {
  const project = makeProject(features, files);
  try {
    return ownCpuMs(project, sessions);
  } finally {
    project.remove();
  }
}

/** Sessions of a run that is compared with a longer one: what its start and its end cost is in both. */
const FEW = 2;

/** What each further session of a run costs: a short run is taken from a longer one. The commands of the project take next to nothing. */
function ownCpuMs(project: Project, sessions: number): number {
  const short = play(project, FEW);
  return (play(project, FEW + sessions) - short) / sessions;
}

/** Plays so many sessions. Returns the processor time of all processes but the agents, in milliseconds. */
function play(project: Project, sessions: number): number {
  const agentsBefore = agentCpuMs(project);
  const args = ['-C', project.root, 'run', '--until-done', '--max-sessions', String(sessions)];
  // The shell counts the children of its children, too.
  const { stdout } = spawnSync('sh', ['-c', '"$@" >/dev/null 2>&1; times', 'sh', process.execPath, PROGRAM, ...args], {
    env: project.env,
    encoding: 'utf8',
  });
  const used = [...(stdout.trim().split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  if (used.length !== 2) throw new Error(`no times of the shell: ${stdout}`);
  const allMs = used.reduce((sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1_000, 0);
  return allMs - (agentCpuMs(project) - agentsBefore);
}

/** Of all agents so far. Inside the box each has the same process id: the time counts from the start of each. */
function agentCpuMs(project: Project): number {
  const lines = linesOf<Busy>(busyFile(project));
  return lines.reduce((sum, { cpuMs }, n) => {
    const next = lines[n + 1];
    return next === undefined || next.what === 'start' ? sum + cpuMs : sum;
  }, 0);
}

function costOf(window: Span, trace: Trace, busy: readonly Busy[]) {
  const ended = trace.processes.flatMap(({ argv, from, to }) => (to === null ? [] : [{ argv, from, to }]));
  // One that is asked again and again runs as long as the program.
  const isAskedAgain = (argv: readonly string[]): boolean =>
    argv.some((word) => word.startsWith('--batch')) || (argv.includes('update-ref') && argv.includes('--stdin'));
  const git = ended.filter(({ argv }) => argv[0] === 'git' && !isAskedAgain(argv));
  const checks = ended.filter(({ argv }) => argv[0] === '/bin/sh');
  const wrappers = ended.filter(({ argv }) => argv.some((word) => /session\.mjs$|agents\/host\/main\.ts$/.test(word)));
  const children: readonly Span[] = [...busy, ...checks];
  // A wrapper until it starts its first agent; each agent until the prompt reaches it; each turn until the run goes on.
  const starts = wrappers.flatMap(({ from }) => {
    const boot = busy.find((one) => one.what === 'start' && one.from > from);
    return boot === undefined ? [] : [{ name: 'wrapper start', from, to: boot.from }];
  });
  const turns = busy.flatMap((boot) => {
    const prompt = busy.find((one) => one.what === 'session/prompt' && one.from >= boot.to);
    if (boot.what !== 'start' || prompt === undefined) return [];
    const next = ended.filter((one) => one.from > prompt.to).map((one) => one.from);
    return [
      { name: 'first words', from: boot.to, to: prompt.from },
      { name: 'turn told', from: prompt.to, to: Math.min(...next, window.to) },
    ];
  });
  const stages = [...starts, ...turns];
  const stage = (name: string): [string, readonly Span[]] => [name, stages.filter((one) => one.name === name)];
  const names = ['wrapper start', 'first words', 'turn told'];
  const { children: childrenMs = 0, ...parts } = shareOut(window, [
    ['children', children],
    ['git', git],
    ...names.map(stage),
    ['fsync', trace.syncs],
  ]);
  return {
    wallMs: window.to - window.from,
    childrenMs,
    gitCount: git.filter(({ from }) => from >= window.from && from < window.to).length,
    gitMs: lengthOf(within(git, window)),
    syncCount: trace.syncs.filter(({ from }) => from >= window.from && from < window.to).length,
    parts,
  };
}

/** The same agent, the same test commands, a commit: what a loop in the shell costs per round. */
function shellLoop(features: number, rounds: number, files: number): number {
  const project = makeProject(features, files);
  try {
    const times: number[] = [];
    for (let n = 1; n <= rounds; n++) {
      const script = join(dirname(project.root), 'round.sh');
      writeFileSync(
        script,
        `set -e
./init.sh
sh run.sh tests/*.t >/dev/null
printf '%s\\n' '{"id":0,"method":"initialize"}' '{"id":1,"method":"session/new"}' '{"id":2,"method":"session/prompt"}' | ${SHELL_AGENT} >/dev/null
sh run.sh tests/t${n}.t >/dev/null
sh run.sh tests/*.t >/dev/null
git add -A
git -c user.name=bench -c user.email=bench@localhost commit -q -m "#${n}"
`,
      );
      const from = performance.now();
      execFileSync('/bin/sh', [script], { cwd: project.root, env: project.env });
      times.push(performance.now() - from);
    }
    return median(times);
  } finally {
    project.remove();
  }
}

const linesOf = <T>(file: string): readonly T[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as T)
    : [];
