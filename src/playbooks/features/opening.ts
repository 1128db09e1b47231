// The first turn of a session as it would be asked for, for those who only want to look.
import type { SessionAsk } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { World } from '../../model/world.ts';
import { orientationOf } from './entries.ts';
import type { ItemFacts } from '../session/facts.ts';
import type { Playbook, Survey } from '../../engine/playbook.ts';

export const openingTurn =
  (item: Survey): Playbook['opening'] =>
  (world, about) =>
    opened(item, world, about);

async function opened(
  survey: Survey,
  world: World,
  about: { readonly item: string; readonly session: number; readonly config: Config },
): Promise<Result<{ readonly ask: SessionAsk; readonly testFile: string | null }>> {
  const { item, session, config } = about;
  const { backlog, stateDir } = config.paths;
  const asked = await survey(world, {
    backlog,
    item,
    stateDir,
    newer: config.compatibility.onNewerState,
    maxSteps: config.features.maxVerificationSteps,
  });
  const { facts, failure } = asked as unknown as { facts: ItemFacts; failure: Failure | null };
  if (failure) return err(failure);
  const role = facts.partial === null ? 'coding' : 'continuation';
  const say = { kind: 'open', brief: role, input: orientationOf({ facts, firstTask: [], session }, config) } as const;
  const ask = {
    role,
    session,
    turn: 1,
    attempt: facts.attempt,
    item,
    title: facts.title,
    say,
    resume: null,
    output: '',
  };
  return ok({ ask, testFile: facts.testFile });
}
