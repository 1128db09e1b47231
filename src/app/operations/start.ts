// Starting a run that outlives the process that asked for it.
import { z } from 'zod';
import { failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import { locked, lockOwner } from '../../host/lock.ts';
import { openProjectView } from '../open/project-view.ts';
import { isFrozen, isHandedOff, isPaused } from '../open/run-blockers.ts';
import { spawnRun } from '../run/spawn-run.ts';
import { operation } from './operation.ts';

export const start = operation({
  name: 'start',
  kind: 'write',
  about: 'Starts `harness run` as a process of its own, which continues whatever becomes of the server.',
  command: null,
  input: z.object({
    item: z.string().nullable().default(null),
    until_done: z.boolean().default(true),
    max_sessions: z.number().int().positive().nullable().default(null),
  }),
  output: z.object({
    started: z.boolean(),
    pid: z.number().nullable(),
    run: z.string().nullable(),
    exit: z.number().nullable().describe('of a run that ended at once'),
    message: z.string(),
  }),
  async run(asker, { item, until_done: untilDone, max_sessions: maxSessions }) {
    const view = await openProjectView(asker);
    if (!view.ok) return view;
    const { root, workspaceDir } = view.value;
    if (isFrozen(view.value)) return err(failure('frozen'));
    if (isHandedOff(view.value)) return err(failure('handed-off'));
    if (isPaused(view.value)) return err(failure('paused'));
    const owner = lockOwner(workspaceDir);
    if (owner !== null) return err(locked(owner));
    const { configFile } = asker;
    const spawned = await spawnRun({ root, workspaceDir, configFile }, { item, untilDone, maxSessions });
    const answer = spawned.started
      ? { started: true, pid: spawned.pid, run: spawned.run, exit: null, message: '' }
      : { started: false, pid: null, run: null, exit: spawned.exit, message: spawned.message };
    return ok({ answer, detail: null });
  },
});
