// Starts, finds and ends the server as a program of its own.
import { setTimeout as sleep } from 'node:timers/promises';
import { tailOf } from '../../host/files.ts';
import { systemClock } from '../../host/clock.ts';
import { startProgram } from '../../host/detached.ts';
import { realIo } from '../../host/io.ts';
import { lockOwner } from '../../host/lock.ts';
import { processId } from '../../host/process-table.ts';
import { signalProcess } from '../../host/process-tree.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { playbookNamed } from '../../playbooks/registry.ts';
import type { Asker } from '../operations/operation.ts';
import { daemonState } from '../look/daemon-state.ts';
import { openProjectView, type ProjectView } from '../open/project-view.ts';
import { turnOff, turnOn } from '../tick/switch.ts';
import { liveServer, readToken, serveFolder, serverLog, tokenFile, type Address } from './place.ts';
import { pageOf } from './serve.ts';

export type Daemon = Address & { readonly wasRunning: boolean; readonly page: string; readonly tokenFile: string };
/** `state`: what it shows of its work; null: it has none. */
export type FoundDaemon = Daemon & { readonly state: ReturnType<typeof daemonState> };

const POLL_MS = 25;
const GRACE_MS = 5_000;

/** Of the log of a server that did not start. Bytes. */
const LAST_WORDS = 1_000;

/**
 * The server that runs, or a new one. `works`: it works on the list by itself, where the playbook does; else it continues as before. Fails with
 * `serve-unavailable`.
 */
export async function startDaemon(
  asker: Asker,
  { port, works }: { readonly port: number | null; readonly works: boolean },
): Promise<Result<Daemon>> {
  const view = await openProjectView(asker);
  if (!view.ok) return view;
  const { root, workspaceDir } = view.value;
  const running = liveServer(workspaceDir);
  if (running !== null) {
    if (works && ticksIn(view.value)) turnOn({ workspaceDir, io: realIo() }, systemClock.iso());
    return ok(daemonOf(workspaceDir, running, true));
  }
  const args = [
    '-C',
    root,
    ...(asker.configFile === null ? [] : ['--config', asker.configFile]),
    'serve',
    ...(works ? [] : ['--only-serve']),
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
    if (other !== null) return ok(daemonOf(workspaceDir, other, true));
    const words = tailOf(log, LAST_WORDS).trim().split('\n').slice(-4).join('\n');
    return err(failure('serve-unavailable', { file: log, ...(words === '' ? {} : { words }) }));
  }
}

const ticksIn = ({ playbook }: ProjectView): boolean => playbookNamed(playbook).tick !== undefined;

const daemonOf = (workspaceDir: string, address: Address, wasRunning: boolean): Daemon => ({
  ...address,
  wasRunning,
  page: pageOf(address, readToken(workspaceDir) ?? ''),
  tokenFile: tokenFile(workspaceDir),
});

/** Null: none runs. */
export async function findDaemon(asker: Asker): Promise<Result<FoundDaemon | null>> {
  const view = await openProjectView(asker);
  if (!view.ok) return view;
  const { workspaceDir } = view.value;
  const found = liveServer(workspaceDir);
  return ok(found && { ...daemonOf(workspaceDir, found, true), state: daemonState(view.value) });
}

/** Resolves when its lock is free; the pid that was ended, or null. */
export async function stopDaemon(asker: Asker): Promise<Result<number | null>> {
  const view = await openProjectView(asker);
  if (!view.ok) return view;
  const folder = serveFolder(view.value.workspaceDir);
  const pid = lockOwner(folder)?.pid ?? null;
  turnOff({ workspaceDir: view.value.workspaceDir, io: realIo() });
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
