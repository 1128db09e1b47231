// Keys of a development server whose pages are looked at in a browser.
import * as z from 'zod/mini';
import { described, KEYS, secondsOr, TEXT } from './values.ts';

/** A server of this machine, with a port of its own. */
function isOwnAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, port, pathname, search, hash, username } = new URL(text);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname) || hostname.endsWith('.localhost');
  const isBare = pathname === '/' && search === '' && hash === '' && username === '';
  return ['http:', 'https:'].includes(protocol) && isHere && port !== '' && isBare;
}
const ADDRESS = z.string().check(z.refine(isOwnAddress)).register(KEYS, { allowed: 'http://127.0.0.1:<port>' });
const PAGE = z
  .string()
  .check(z.regex(/^\/(?![/\\])[^\s\p{C}]*$/u))
  .register(KEYS, { allowed: '/path' });

export const SERVER_LINE = 'Shell line of the development server, in the foreground; its port is in `PORT`.';
/** All but the line that starts it. */
export const served = {
  url: described(ADDRESS.check(), 'Where the server answers. In lane N the port is N higher.'),
  pages: described(
    z._default(z.array(PAGE).check(z.minLength(1), z.maxLength(20)), ['/']),
    'Pages that are opened, as paths on the server.',
  ),
  browser: described(
    z._default(z.nullable(TEXT), null),
    'Name or absolute path of a Chromium; `null`: the first on the `PATH`.',
  ),
  startSeconds: secondsOr(60, 'How long the server may take until it answers.'),
  pageSeconds: secondsOr(15, 'How long a page may take until it is complete.'),
};
