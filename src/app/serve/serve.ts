// The server of a work tree, from its lock to its end. It supervises and reads, and is never the run itself: what it starts are programs of
// their own, so that either survives the other's death.
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { acquireLock } from '../../host/lock.ts';
import { codeOf } from '../../host/files.ts';
import { systemClock } from '../../host/clock.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { Asker } from '../operations/operation.ts';
import { openProjectView } from '../open/project-view.ts';
import { createHarnessServer } from './server.ts';
import { liveServer, serveFolder, tokenOf, writeAddress, type Address } from './place.ts';
import { openStreams } from './stream.ts';

export const DEFAULT_PORT = 4500;
const HOST = '127.0.0.1';

export type Serving = Address & {
  readonly root: string;
  /** With the token: who has this address may do everything that the page can. */
  readonly page: string;
  close(): Promise<void>;
};

/** `port` null: the usual one, or any if another program has it. Fails with `serve-running`, `serve-port-taken`, and as `openProjectView`. */
export async function serve(asker: Asker, port: number | null): Promise<Result<Serving>> {
  const view = await openProjectView(asker);
  if (!view.ok) return view;
  const { root, workspaceDir } = view.value;
  const since = systemClock.iso();
  const lock = acquireLock(serveFolder(workspaceDir), {
    pid: process.pid,
    startedAt: since,
    command: 'harness serve',
    run: null,
  });
  if (!lock.ok) {
    if (lock.failure.reason !== 'locked') return lock;
    const other = liveServer(workspaceDir);
    const { pid } = lock.failure.params;
    return err(failure('serve-running', { pid: pid ?? '?', url: other?.url ?? '?' }));
  }
  const token = tokenOf(workspaceDir);
  const streams = openStreams(view.value);
  const marker = `${workspaceDir}@serve-${process.pid}`;
  const server = createHarnessServer({ asker: { ...asker, repo: root }, token, marker, streams });
  const listening = await listen(server, port);
  if (!listening.ok) {
    streams.close();
    lock.value.release();
    return listening;
  }
  const url = `http://${HOST}:${listening.value}`;
  const address = { pid: process.pid, port: listening.value, url, since };
  writeAddress(workspaceDir, address);
  return ok({
    ...address,
    root,
    page: pageOf(address, token),
    async close() {
      streams.close();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      lock.value.release();
    },
  });
}

/** The token is behind the #, which no browser sends to any server. */
export const pageOf = ({ url }: Pick<Address, 'url'>, token: string): string => `${url}/#token=${token}`;

async function listen(server: Server, port: number | null): Promise<Result<number>> {
  for (const candidate of port === null ? [DEFAULT_PORT, 0] : [port]) {
    const code = await new Promise<string | null>((resolve) => {
      const failed = (error: unknown): void => resolve(codeOf(error));
      server.once('error', failed);
      server.listen({ host: HOST, port: candidate, exclusive: true }, () => {
        server.off('error', failed);
        resolve(null);
      });
    });
    if (code === null) return ok(portOf(server.address()));
  }
  return err(failure('serve-port-taken', { port: port ?? DEFAULT_PORT }));
}

const portOf = (address: AddressInfo | string | null): number =>
  address === null || typeof address === 'string' ? 0 : address.port;
