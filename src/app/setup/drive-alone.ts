// A machine of a command, which works on no item: driven to its end, with a journal and a file of its own, so that the same command continues it.
import type { Drivable } from '../../engine/drivable.ts';
import { createMessageQueue } from '../../engine/message-queue.ts';
import { performersOf } from '../../loop/performers/all.ts';
import type { RunContext } from '../../loop/run-context.ts';
import type { Actions } from '../../model/action.ts';
import type { Target } from '../open/target.ts';

export const driveAlone = (
  { io, clock, workspaceDir }: Pick<Target, 'io' | 'clock' | 'workspaceDir'>,
  context: RunContext,
  machine: Drivable<Actions>,
  about: { readonly run: string; readonly journal: string; readonly file: string; readonly signal: AbortSignal },
): ReturnType<Drivable<Actions>['drive']> => {
  const { run, ...rest } = about;
  return machine.drive({
    io,
    clock,
    performers: performersOf(context, createMessageQueue()),
    base: `${workspaceDir}#${run}`,
    messages: createMessageQueue(),
    limit: 1,
    ...rest,
  });
};
