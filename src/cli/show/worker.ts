// The process that holds the lock, for texts and JSON.
import type { Worker } from '../../app/handover/steer.ts';
import type { Params } from '../../model/failure.ts';
import type { Json } from '../../model/json.ts';

export const workerWords = ({ command, pid }: Worker): Params => ({ command, pid: pid ?? '?' });

/** Null: the lock is free. `run` is null for a command. */
export const workerJson = (worker: Worker | null): Json =>
  worker === null ? null : { run: worker.run, pid: worker.pid, command: worker.command, since: worker.since };
