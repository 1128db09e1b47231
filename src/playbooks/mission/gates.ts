// The question of a mission: a checkpoint that the configuration sets. It asks for approval, unlike an escalation, which asks for help.
import { defineProcedure, editCall, readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { askedAs } from '../../model/gate.ts';
import { z } from 'zod';
import { grant } from './edits.ts';
import { CHECKPOINT } from './checkpoint.ts';
import { CONTRACT } from './paths.ts';
import { ungranted } from './surveys.ts';

type R = Run<Actions>;

/** Asks for each that is due and not granted. Answers whether the mission continues. */
export async function askCheckpoints(run: R, on: 'post-planner' | 'pre-done', backlog: string): Promise<boolean> {
  const { checkpoints, features } = await readFacts(run, ungranted, {});
  for (const { name } of checkpoints.filter((one) => one.on === on)) {
    const step = run.scope(`checkpoint-${name}`);
    const { option, by, at } = await step.do('ask', {
      kind: 'ask',
      gate: 'checkpoint',
      ...askedAs('mission-checkpoint', CHECKPOINT),
      item: null,
      params: { name, on, features },
      evidence: [backlog, CONTRACT],
      paper: CONTRACT,
    });
    if (option !== 'grant') return false;
    await step.uninterrupted(() =>
      step.do('grant', {
        kind: 'commit',
        style: 'plain',
        item: null,
        session: 0,
        subject: `chore(mission): checkpoint ${name} is granted`,
        body: `By ${by}, ${at}`,
        tree: null,
        checkpoint: null,
        only: [backlog],
        edit: editCall(grant, { name, by, at }),
      }),
    );
  }
  return true;
}

/** Before the first feature of a run. */
export const begin = defineProcedure({
  id: 'mission.begin',
  input: z.object({}),
  output: z.object({ continues: z.boolean() }),
  perform: async (run, _input, { paths }) => ({ continues: await askCheckpoints(run, 'post-planner', paths.backlog) }),
});
