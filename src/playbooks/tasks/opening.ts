// The first turn of a session on a task as it would be asked for, for those who only want to look.
import type { Playbook } from '../../engine/playbook.ts';
import type { Failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import { briefOf } from './brief.ts';
import type { TaskFacts } from './facts.ts';
import { surveys } from './surveys.ts';

export const opening: Playbook['opening'] = async (world, { item, session, config }) => {
  const { backlog, stateDir } = config.paths;
  const asked = await surveys.item(world, { backlog, item, stateDir, newer: config.compatibility.onNewerState });
  const { facts, failure } = asked as unknown as { facts: TaskFacts; failure: Failure | null };
  if (failure) return err(failure);
  const say = { kind: 'open', brief: 'executor', input: briefOf({ facts, firstTask: [] }, config) } as const;
  const { attempt, title } = facts;
  const ask = { role: 'executor', session, turn: 1, attempt, item, title, say, resume: null, output: '' };
  return ok({ ask, testFile: null });
};
