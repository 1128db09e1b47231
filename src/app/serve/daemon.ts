// Starts, finds and ends the server as a program of its own.
import { setTimeout as sleep } from 'node:timers/promises';
import { startProgram } from '../../host/detached.ts';
import { lockOwner } from '../../host/lock.ts';
import { processId } from '../../host/process-table.ts';
import { signalProcess } from '../../host/process-tree.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { Asker } from '../operations/operation.ts';
import { openProjectView } from '../open/project-view.ts';
import { liveServer, readToken, serveFolder, serverLog, tokenFile, type Address } from './place.ts';
import { pageOf } from './serve.ts';

export type Daemon = Address & { readonly wasRunning: boolean; readonly page: string; readonly tokenFile: string };

const POLL_MS = 25;
const GRACE_MS = 5_000;

/** The server that runs, or a new one. Fails with `serve-unavailable`. */
export async function startDaemon(asker: Asker, port: number | null): Promise<Result<Daemon>> {
  const view = await openProjectView(asker);
  if (!view.ok) return view;
  const { root, workspaceDir } = view.value;
  const running = liveServer(workspaceDir);
  if (running !== null) return ok(daemonOf(workspaceDir, running, true));
  const args = [
    '-C',
    root,
    ...(asker.configFile === null ? [] : ['--config', asker.configFile]),
    'serve',
    ...(port === null ? [] : ['--port', String(port)]),
  ];
  const log = serverLog(workspaceDir);
  const child = startProgram(args, { cwd: root, token: `${workspaceDir}@serve`, log });
  const ended = child.ended.then(() => 'ended' as const);
  for (;;) {
    const found = liveServer(workspaceDir);
    if (found !== null) return ok(daemonOf(workspaceDir, found, found.pid !== child.pid));
    if ((await Promise.race([ended, sleep(POLL_MS, null)])) === null) continue;
    const other = liveServer(workspaceDir); // another command started one at the same time
    return other === null ? err(failure('serve-unavailable', { file: log })) : ok(daemonOf(workspaceDir, other, true));
  }
}

const daemonOf = (workspaceDir: string, address: Address, wasRunning: boolean): Daemon => ({
  ...address,
  wasRunning,
  page: pageOf(address, readToken(workspaceDir) ?? ''),
  tokenFile: tokenFile(workspaceDir),
});

/** Null: none runs. */
export async function findDaemon(asker: Asker): Promise<Result<Daemon | null>> {
  const view = await openProjectView(asker);
  if (!view.ok) return view;
  const { workspaceDir } = view.value;
  const found = liveServer(workspaceDir);
  return ok(found && daemonOf(workspaceDir, found, true));
}

/** Resolves when its lock is free; the pid that was ended, or null. */
export async function stopDaemon(asker: Asker): Promise<Result<number | null>> {
  const view = await openProjectView(asker);
  if (!view.ok) return view;
  const folder = serveFolder(view.value.workspaceDir);
  const pid = lockOwner(folder)?.pid ?? null;
  if (pid === null) return ok(null);
  const server = processId(pid);
  if (server !== null) signalProcess(server, 'SIGTERM');
  for (let waited = 0; lockOwner(folder)?.pid === pid; waited += POLL_MS) {
    await sleep(POLL_MS);
    // A suspended server does not end by itself. It keeps nothing that could be lost.
    if (server !== null && waited > GRACE_MS) signalProcess(server, 'SIGKILL');
  }
  return ok(pid);
}
