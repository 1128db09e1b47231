// What a person or an earlier command has closed: nobody begins anything before it is opened or brought to its end.
import { failure, type Failure } from '../../model/failure.ts';
import { isAbortUnfinished } from '../open/abort-note.ts';
import { isHandedOff } from '../open/handoff-note.ts';
import { isInitUnfinished } from '../setup/init.ts';
import { isPaused } from '../open/pause-flag.ts';
import type { Target } from '../open/target.ts';

/** Null: open. What only looks or carries out what was asked for (`work` false) also goes on while a person has the repository. */
export function closedBy(target: Target, { work }: { readonly work: boolean }): Failure | null {
  if (isInitUnfinished(target)) return failure('init-unfinished');
  if (isAbortUnfinished(target)) return failure('abort-unfinished');
  if (work && isHandedOff(target)) return failure('handed-off');
  return work && isPaused(target) ? failure('paused') : null;
}
