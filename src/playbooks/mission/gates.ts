// The question of a mission: a checkpoint that the configuration sets. It asks for approval, unlike an escalation, which asks for help.
import { defineProcedure, editCall, readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { askedAs } from '../../model/gate.ts';
import { z } from 'zod';
import { grant, ownFiles } from './edits.ts';
import { convertUndecided } from './convert.ts';
import { CHECKPOINT } from './questions.ts';
import { CONTRACT } from './paths.ts';
import { uncommitted, ungranted } from './surveys.ts';

type R = Run<Actions>;

/** Asks for each that is due and not granted. Answers whether the mission continues. */
export async function askCheckpoints(run: R, on: 'post-planner' | 'pre-done', backlog: string): Promise<boolean> {
  const { checkpoints, features, isEmpty, isUnreadable } = await readFacts(run, ungranted, {});
  // There is no plan to approve; or its mistakes are shown where the next feature is chosen.
  if (isEmpty || (isUnreadable && on === 'post-planner')) return true;
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

/**
 * Before the first feature of a run. Issues that earlier landings left become features. A list and a contract that no commit has, because a user wrote or copied them, are committed first: every
 * landing changes them on the branch.
 */
export const begin = defineProcedure({
  id: 'mission.begin',
  input: z.object({}),
  output: z.object({ continues: z.boolean() }),
  async perform(run, _input, config) {
    const { paths, playbook } = config;
    const { paths: only } =
      playbook.backlog === playbook.machine ? await readFacts(run, uncommitted, {}) : { paths: [] };
    if (only.length > 0)
      await run.uninterrupted(() =>
        run.do('own-files', {
          kind: 'commit',
          style: 'plain',
          item: null,
          session: 0,
          subject: 'chore(mission): list and contract',
          body: '',
          tree: null,
          checkpoint: null,
          only,
          edit: editCall(ownFiles, {}),
        }),
      );
    if (playbook.backlog === playbook.machine) await convertUndecided(run.scope('issues'), config);
    return { continues: await askCheckpoints(run, 'post-planner', paths.backlog) };
  },
});
