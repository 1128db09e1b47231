// Which requests are answered at all. Agents' boxes share the host's network, and every page in the user's browser can send requests to
// this machine: so each request needs the token, a name of its own as its host, and no other page as its origin. What is refused gets a
// status and nothing else.
import { timingSafeEqual } from 'node:crypto';
import { Buffer } from 'node:buffer';
import { isIP } from 'node:net';
import { sha256 } from '../../host/files.ts';

/** A request as far as it is judged before its body is read. */
export type RequestHead = {
  readonly method: string;
  /** As sent: `/state?x=1`. */
  readonly target: string;
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined };
  /** How often each header was sent, by lower-case name. */
  readonly counts: ReadonlyMap<string, number>;
};

export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 413 | 415;
/** `file`: of the page, which holds no data. `data`: everything else. */
export type Wanted = 'file' | 'data';

const LOOPBACK = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;
const ONCE = ['host', 'origin', 'authorization', 'content-type', 'content-length'];
export const MOST_BODY_BYTES = 64 * 1024;

/** Besides loopback names: the address that the server was asked to listen on; of one that stands for all, any address, but no name. */
export function isOwnHost(host: string, listens: string | null): boolean {
  if (LOOPBACK.test(host)) return true;
  if (listens === null) return false;
  const [, six, four] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d{1,5})?$/i.exec(host) ?? [];
  const address = six ?? four ?? '';
  if (isIP(address) === 0) return false;
  return isAnyAddress(listens) || address.toLowerCase() === listens.toLowerCase();
}
export const isAnyAddress = (address: string): boolean => ['0.0.0.0', '::'].includes(address);

/** Null: it may be answered. `listens`: an address besides loopback that the server listens on. */
export function refusalOf(
  head: RequestHead,
  wanted: Wanted,
  token: string,
  listens: string | null = null,
): RefusalStatus | null {
  const one = (name: string): string | null => {
    const value = head.headers[name];
    return typeof value === 'string' ? value : null;
  };
  if (ONCE.some((name) => (head.counts.get(name) ?? 0) > 1)) return 400;
  // A name of another site that resolves to this machine (DNS rebinding), or a proxy's request.
  const host = one('host');
  if (host === null || !isOwnHost(host, listens)) return 403;
  if (!head.target.startsWith('/') || head.target.startsWith('//')) return 400;
  if (head.method !== 'GET' && head.method !== 'POST') return 405;
  const origin = one('origin');
  if (origin !== null && origin.toLowerCase() !== `http://${host.toLowerCase()}`) return 403;
  const site = one('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && !(site === 'none' && wanted === 'file')) return 403;
  if (head.method === 'GET' && (head.headers['content-length'] ?? '0') !== '0') return 400;
  if (head.method === 'GET' && head.headers['transfer-encoding'] !== undefined) return 400;
  if (wanted === 'file') return head.method === 'GET' ? null : 405;
  if (!isToken(one('authorization'), token)) return 401;
  if (head.method === 'POST') {
    if (!/^application\/json(?:\s*;\s*charset=utf-8)?$/i.test(one('content-type')?.trim() ?? '')) return 415;
    if (Number(head.headers['content-length'] ?? 0) > MOST_BODY_BYTES) return 413;
  }
  return null;
}

/** Takes as long for a wrong token as for the right one. */
function isToken(authorization: string | null, token: string): boolean {
  const given = /^Bearer ([\w-]{1,200})$/.exec(authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(token)));
}
