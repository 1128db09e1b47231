// What it costs to go on after kill -9: from the start of the next run until the agent is at work again, with few and with many
// items behind it; and how fast a journal is read back.
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournal } from '../src/engine/journal.ts';
import { realIo } from '../src/host/io.ts';
import { featuresText, makeProject, PROGRAM, type Project } from './project.ts';
import { median } from './spans.ts';

export type Recovery = {
  /** Items that have landed before. */
  readonly finished: number;
  readonly resumeMs: number;
};

/** Medians of interleaved rounds, so that a slow moment of the machine meets all sizes alike. */
export async function measureRecovery(sizes: readonly number[], rounds: number): Promise<readonly Recovery[]> {
  const projects = sizes.map((finished) => ({ finished, project: withFinished(finished), took: [] as number[] }));
  try {
    for (let n = 0; n < rounds; n++) for (const { project, took } of projects) took.push(await killAndResume(project));
    return projects.map(({ finished, took }) => ({ finished, resumeMs: median(took) }));
  } finally {
    for (const { project } of projects) project.remove();
  }
}

/** Everything but the last feature has passed, with its test; the agent of the last one says that it has begun, and hangs. */
function withFinished(finished: number): Project {
  const project = makeProject(2);
  const { root, env } = project;
  const list = JSON.parse(featuresText(finished + 1, true)) as { features: { id: number; passes: boolean }[] };
  for (const feature of list.features) feature.passes = feature.id <= finished;
  writeFileSync(join(root, 'features.json'), `${JSON.stringify(list, null, 2)}\n`);
  writeFileSync(
    join(root, 'scenario.json'),
    JSON.stringify({
      schema: 1,
      sessions: [{ turns: [[{ run: `date +%s%N >> "${begun(project)}"` }, { hang: {} }]] }],
    }),
  );
  const config = readFileSync(join(root, '.harness.yaml'), 'utf8').replace(
    /agents: .*/,
    'agents: { default: { provider: scripted, scenario: scenario.json } }',
  );
  writeFileSync(join(root, '.harness.yaml'), config);
  const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost'];
  execFileSync('git', ['add', '-A'], { cwd: root, env });
  execFileSync('git', [...identity, 'commit', '-q', '-m', 'finished'], { cwd: root, env });
  return project;
}

const begun = ({ root }: Project): string => join(root, '..', 'begun.txt');
const times = (project: Project): readonly number[] =>
  existsSync(begun(project))
    ? readFileSync(begun(project), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => Number(line) / 1e6)
    : [];

/** Milliseconds from the start of the second run to the first word of its agent. */
async function killAndResume(project: Project): Promise<number> {
  appendFileSync(begun(project), '');
  const first = await untilBegun(project, times(project).length);
  first.kill();
  await first.gone;
  const from = Date.now();
  const second = await untilBegun(project, times(project).length);
  const to = times(project).at(-1) ?? NaN;
  second.kill();
  await second.gone;
  return to - from;
}

async function untilBegun(project: Project, before: number): Promise<{ kill(): void; gone: Promise<void> }> {
  const child = spawn(process.execPath, [PROGRAM, 'run'], { cwd: project.root, env: project.env, stdio: 'ignore' });
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let isGone = false;
  void gone.then(() => (isGone = true));
  while (times(project).length === before) {
    if (isGone) throw new Error('the run ended before its agent had begun');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return { kill: () => void child.kill('SIGKILL'), gone };
}

/** Events a second that a journal of so many lines is read back with: the median of some rounds. */
export function measureReplay(lines: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'harness-replay-'));
  try {
    const path = join(folder, 'journal.jsonl');
    const journal = openJournal<object>(path, realIo());
    if (!journal.ok) throw new Error(JSON.stringify(journal.failure));
    const some = Array.from({ length: lines }, (_, seq) => ({
      t: 'outcome',
      seq,
      outcome: { holds: true },
      at: { stage: 'work', n: seq },
      file: '0123456789abcdef',
      time: '2030-01-01T00:00:00.000Z',
    }));
    journal.value.replaceAll(some);
    const rounds = Array.from({ length: 9 }, () => {
      const from = performance.now();
      const read = openJournal<object>(path, realIo());
      if (!read.ok || read.value.lines.length !== lines) throw new Error('the journal was not read back');
      return performance.now() - from;
    });
    return Math.round(lines / (median(rounds) / 1_000));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
