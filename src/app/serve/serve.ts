// The server of a work tree, from its lock to its end. It supervises and reads, and is never the run itself: what it starts are programs of
// their own, so that either survives the other's death.
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { acquireLock } from '../../host/lock.ts';
import { codeOf } from '../../host/error-code.ts';
import { systemClock } from '../../host/clock.ts';
import { realIo } from '../../host/io.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { Asker } from '../operations/operation.ts';
import { openProjectView } from '../open/project-view.ts';
import { playbookNamed } from '../../playbooks/registry.ts';
import { turnOff, turnOn } from '../tick/switch.ts';
import { keepTicking } from '../tick/tick.ts';
import { isAnyAddress } from './guard.ts';
import { createHarnessServer } from './server.ts';
import { liveServer, readToken, serveFolder, tokenFile, tokenOf, writeAddress, type Address } from './place.ts';
import { openStreams } from './stream.ts';

export const DEFAULT_PORT = 4500;
const HOST = '127.0.0.1';

export type Serving = Address & {
  readonly root: string;
  /** With the token: who has this address may do everything that the page can. */
  readonly page: string;
  close(): Promise<void>;
};

export type Listening = {
  /** It works on the list by itself, where the playbook does. Left out: only if a user has started that before. */
  readonly works?: boolean;
  /** Null: the usual one, or any if another program has it. */
  readonly port: number | null;
  /** An address of this machine instead of loopback; null: loopback only. */
  readonly address: string | null;
};

/**
 * Fails with `serve-running`, `serve-port-taken`, `serve-address-absent`, and as `openProjectView`. An address besides loopback needs a token that is
 * there already (`serve-no-token`): its user knows of it.
 */
export async function serve(
  asker: Asker,
  { port, address: listens, works = false }: Listening,
): Promise<Result<Serving>> {
  const view = await openProjectView(asker);
  if (!view.ok) return view;
  const { root, workspaceDir } = view.value;
  if (listens !== null && readToken(workspaceDir) === null)
    return err(failure('serve-no-token', { file: tokenFile(workspaceDir) }));
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
  const server = createHarnessServer({ asker: { ...asker, repo: root }, token, marker, streams, listens });
  const listening = await listen(server, port, listens ?? HOST);
  if (!listening.ok) {
    streams.close();
    lock.value.release();
    return listening;
  }
  const url = `http://${hostOf(listens)}:${listening.value}`;
  const address = { pid: process.pid, port: listening.value, url, since };
  writeAddress(workspaceDir, address);
  const place = { workspaceDir, io: realIo() };
  const ticks = playbookNamed(view.value.playbook).tick !== undefined;
  if (ticks && works) turnOn(place, since);
  const ticking = ticks ? keepTicking({ ...asker, repo: root }, view.value, say) : null;
  return ok({
    ...address,
    root,
    page: pageOf(address, token),
    async close() {
      // It was ended by a user: what is started next begins nothing by itself.
      turnOff(place);
      await ticking?.close();
      streams.close();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      lock.value.release();
    },
  });
}

/** For the log of the server. */
function say({ reason, params }: Failure): void {
  process.stderr.write(`${JSON.stringify({ at: systemClock.iso(), reason, params })}\n`);
}

/** The token is behind the #, which no browser sends to any server. */
export const pageOf = ({ url }: Pick<Address, 'url'>, token: string): string => `${url}/#token=${token}`;

/** In an address: one for all is reached by loopback, too. */
const hostOf = (listens: string | null): string =>
  listens === null || isAnyAddress(listens) ? HOST : listens.includes(':') ? `[${listens}]` : listens;

async function listen(server: Server, port: number | null, host: string): Promise<Result<number>> {
  for (const candidate of port === null ? [DEFAULT_PORT, 0] : [port]) {
    const code = await new Promise<string | null>((resolve) => {
      const failed = (error: unknown): void => resolve(codeOf(error));
      server.once('error', failed);
      server.listen({ host, port: candidate, exclusive: true }, () => {
        server.off('error', failed);
        resolve(null);
      });
    });
    if (code === null) return ok(portOf(server.address()));
    if (code === 'EADDRNOTAVAIL') return err(failure('serve-address-absent', { address: host }));
  }
  return err(failure('serve-port-taken', { port: port ?? DEFAULT_PORT }));
}

const portOf = (address: AddressInfo | string | null): number =>
  address === null || typeof address === 'string' ? 0 : address.port;
