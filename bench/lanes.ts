// What several lanes bring: independent items whose agents only wait, worked through with 1, 2, 4 and 8 lanes. Efficiency is the time with one lane
// over the time with N lanes times N: 1 is perfect.
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { featuresText, makeProject, PROGRAM } from './project.ts';

export type LanesCost = {
  readonly items: number;
  readonly waitSeconds: number;
  readonly runs: readonly { readonly lanes: number; readonly ms: number; readonly efficiency: number }[];
};

export function measureLanes(items: number, waitSeconds: number, lanes: readonly number[]): LanesCost {
  const took = lanes.map((count) => ({ lanes: count, ms: workThrough(items, waitSeconds, count) }));
  const alone = took.find((one) => one.lanes === 1)?.ms ?? Number.NaN;
  return {
    items,
    waitSeconds,
    runs: took.map((one) => ({ ...one, efficiency: alone / (one.ms * one.lanes) })),
  };
}

/** Milliseconds of the whole run. */
function workThrough(items: number, waitSeconds: number, lanes: number): number {
  const project = makeProject(2);
  const { root, env } = project;
  try {
    writeFileSync(join(root, 'features.json'), featuresText(items, true));
    const session = (id: number): object => ({
      when: { item: id },
      turns: [
        [
          { run: { command: `sleep ${waitSeconds}` } },
          { write: { path: `things/${id}`, text: 'pass\n' } },
          { write: { path: `tests/t${id}.t`, text: `things/${id}\n` } },
          'claim',
        ],
      ],
    });
    const sessions = Array.from({ length: items }, (_, i) => session(i + 1));
    writeFileSync(join(root, '..', 'scenario.json'), JSON.stringify({ schema: 1, sessions }));
    const config = readFileSync(join(root, '.harness.yaml'), 'utf8');
    const agent = 'agents: { default: { provider: scripted, scenario: ../scenario.json } }';
    writeFileSync(join(root, '.harness.yaml'), config.replace(/agents: .*/, agent));
    appendFileSync(join(root, '.harness.yaml'), `lanes: ${lanes}\nquality: { cleanup_interval: 0 }\n`);
    const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost'];
    execFileSync('git', ['add', '-A'], { cwd: root, env });
    execFileSync('git', [...identity, 'commit', '-q', '-m', 'items'], { cwd: root, env });
    const began = performance.now();
    const ran = spawnSync(process.execPath, [PROGRAM, 'run', '--until-done', '--json'], {
      cwd: root,
      env,
      encoding: 'utf8',
    });
    const ms = performance.now() - began;
    if (ran.status !== 0) throw new Error(`ended with ${ran.status}: ${ran.stdout}${ran.stderr}`);
    return ms;
  } finally {
    project.remove();
  }
}
