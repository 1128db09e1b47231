// `npm run bench`: what the harness itself costs, as ratios measured in one run. Absolute times depend on the machine.
import { spawnSync } from 'node:child_process';
import { makeProject, PROGRAM } from './project.ts';
import { measureSessions } from './session.ts';
import { median } from './spans.ts';

const ROUNDS = 7;
const SESSIONS = 5;

const timeOf = (args: readonly string[], env: NodeJS.ProcessEnv): number => {
  const from = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}:\n${stderr}`);
  return performance.now() - from;
};

/** Median of the same number of rounds each, taken in turns, so that a busy machine slows both alike. */
function startRatio(features: number): number {
  const project = makeProject(features, 20);
  try {
    const own: number[] = [];
    const node: number[] = [];
    for (let n = 0; n < ROUNDS; n++) {
      own.push(timeOf([PROGRAM, '-C', project.root, 'status', '--json'], project.env));
      node.push(timeOf(['-e', '0'], project.env));
    }
    return median(own) / median(node);
  } finally {
    project.remove();
  }
}

const few = measureSessions(20, SESSIONS);
const many = measureSessions(2000, SESSIONS);
console.log(
  JSON.stringify(
    {
      statusToBareNode: { features20: startRatio(20), features10000: startRatio(10_000) },
      session: few,
      ownTimeAt2000FeaturesToAt20: many.ownMs / few.ownMs,
    },
    null,
    2,
  ),
);
