// Start-up: `harness status --json` against `node -e 0`, whole processes of the same Node, in interleaved pairs.
import { spawnSync } from 'node:child_process';
import { makeProject, PROGRAM } from './project.ts';
import { traced } from './session.ts';
import { median } from './spans.ts';

export type Startup = {
  readonly features: number;
  readonly nodeMs: number;
  readonly statusMs: number;
  /** Median of the ratios of the pairs. */
  readonly ratio: number;
  readonly peakMb: number;
};

export function measureStartup(features: number, pairs: number): Startup {
  const project = makeProject(features, 0);
  const time = (args: readonly string[]): number => {
    const from = performance.now();
    const { status, stderr } = spawnSync(process.execPath, args, { env: project.env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
    return performance.now() - from;
  };
  const node = ['-e', '0'];
  const status = [PROGRAM, '-C', project.root, 'status', '--json'];
  try {
    for (let n = 0; n < 3; n++) [node, status].forEach(time); // the compile cache and the disk are warm
    const taken = Array.from({ length: pairs }, () => ({ node: time(node), status: time(status) }));
    return {
      features,
      nodeMs: median(taken.map((one) => one.node)),
      statusMs: median(taken.map((one) => one.status)),
      ratio: median(taken.map((one) => one.status / one.node)),
      peakMb: traced(project, ['status', '--json']).trace.peakKb / 1024,
    };
  } finally {
    project.remove();
  }
}
