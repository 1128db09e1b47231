// A run that another process starts: `harness run` as a program of its own, which neither needs its starter nor ends with it.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProgram } from '../../host/detached.ts';
import { textOrEmpty } from '../../host/files.ts';
import { lockOwner } from '../../host/lock.ts';
import { plainObject, asPlain, textAt } from '../open/loose-json.ts';

export type RunRequest = {
  readonly item: string | null;
  readonly untilDone: boolean;
  readonly maxSessions: number | null;
};
export type SpawnedRun =
  | { readonly started: true; readonly pid: number; readonly run: string | null }
  /** `message`: the run's own words. */
  | { readonly started: false; readonly exit: number | null; readonly message: string };

const POLL_MS = 50;
const serveFolder = (workspaceDir: string): string => join(workspaceDir, 'serve');

/** Resolves when it holds the run lock, or has ended before. */
export async function spawnRun(
  where: { readonly root: string; readonly workspaceDir: string; readonly configFile: string | null },
  asked: RunRequest,
): Promise<SpawnedRun> {
  const { root, workspaceDir, configFile } = where;
  const args = [
    '-C',
    root,
    ...(configFile === null ? [] : ['--config', configFile]),
    '--json',
    '--no-input',
    'run',
    ...(asked.item === null ? [] : [asked.item]),
    ...(asked.untilDone ? ['--until-done'] : []),
    ...(asked.maxSessions === null ? [] : ['--max-sessions', String(asked.maxSessions)]),
  ];
  const log = join(serveFolder(workspaceDir), 'run.log');
  // Another prefix than a run's own processes have: the run ends those when it starts.
  const child = startProgram(args, { cwd: root, token: `${workspaceDir}@run-${process.pid}`, log });
  const { pid } = child;
  if (pid === null) return { started: false, exit: null, message: '' };
  const ended = child.ended.then((exit) => ({ exit }));
  for (;;) {
    const owner = lockOwner(workspaceDir);
    if (owner?.pid === pid) return { started: true, pid, run: owner.run };
    const end = await Promise.race([ended, sleep(POLL_MS, null)]);
    if (end !== null) return { started: false, exit: end.exit, message: messageIn(textOrEmpty(log)) };
  }
}

/** From the JSON that `run` prints for an error. */
function messageIn(text: string): string {
  const lines = text.split('\n').map((line) => plainObject(line));
  const error = lines.map((line) => asPlain(line?.['error'])).findLast((one) => one !== null);
  return error === undefined || error === null
    ? ''
    : [textAt(error, 'message'), textAt(error, 'hint')].filter(Boolean).join(' ');
}
