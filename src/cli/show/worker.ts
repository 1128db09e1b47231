// Who is at work in the repository, as words and as keys.
import type { Worker } from '../../app/handover/steer.ts';
import type { Params } from '../../model/failure.ts';
import type { Json } from '../../model/json.ts';

export const workerWords = ({ command, pid }: Worker): Params => ({ command, pid: pid ?? '?' });

/** null: nobody. `run` is null for a command that is no run. */
export const workerJson = (worker: Worker | null): Json =>
  worker === null ? null : { run: worker.run, pid: worker.pid, command: worker.command, since: worker.since };
