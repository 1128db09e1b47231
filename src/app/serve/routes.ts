// What each path means: the operations of the table under /api/v1/, the seven paths of the older surface, the event stream.
import { OPERATIONS, type OperationName } from '../operations/all.ts';
import { isDeepStrictEqual } from 'node:util';

export type Route =
  | { readonly to: 'operation'; readonly name: OperationName; readonly input: { readonly [key: string]: unknown } }
  | { readonly to: 'events' }
  | { readonly to: 'schema' }
  | { readonly to: 'mcp' }
  | { readonly to: 'none'; readonly status: 404 | 405 };

export const API = '/api/v1/';
const NONE = { to: 'none', status: 404 } as const;
const isOperation = (name: string): name is OperationName => Object.hasOwn(OPERATIONS, name);
const kindOf = (method: string): 'read' | 'write' => (method === 'GET' ? 'read' : 'write');

/** Names kept from an older surface. `GET /state` is the status. */
const SHORT = ['pause', 'resume', 'stop', 'freeze', 'unfreeze'] as const;

/** `target`: path and query as sent. Only exact paths are known, so that nothing in one has a meaning of its own. */
export function routeOf(method: string, target: string): Route {
  const [path, query] = splitOnce(target, '?');
  const kind = kindOf(method);
  const named = (name: OperationName, input: { readonly [key: string]: unknown } = {}): Route =>
    OPERATIONS[name].kind === kind ? { to: 'operation', name, input } : { to: 'none', status: 405 };
  if (path === '/mcp') return kind === 'write' ? { to: 'mcp' } : { to: 'none', status: 405 };
  if (path === '/state') return named('status');
  const short = SHORT.find((name) => path === `/${name}`);
  if (short !== undefined) return named(short);
  const item = /^\/unblock\/([\w.-]{1,200})$/.exec(path)?.[1];
  if (item !== undefined) return named('unblock', { item });
  if (!path.startsWith(API)) return NONE;
  const name = path.slice(API.length);
  if (name === 'events') return kind === 'read' ? { to: 'events' } : { to: 'none', status: 405 };
  if (name === 'schema') return kind === 'read' ? { to: 'schema' } : { to: 'none', status: 405 };
  if (!isOperation(name)) return NONE;
  return named(name, kind === 'read' ? queryOf(query) : {});
}

/** Texts of a query as the values that they spell: an operation's schema says what it wants. */
function queryOf(query: string): { readonly [key: string]: unknown } {
  return Object.fromEntries([...new URLSearchParams(query)].map(([key, value]) => [key, value]));
}

/** Reads a query or a body by the schema of the operation; null: it does not fit, or has more than the operation takes. */
export function inputFor(
  name: OperationName,
  given: { readonly [key: string]: unknown },
): { readonly [key: string]: unknown } | null {
  const { input, kind } = OPERATIONS[name];
  const strict = input.strict();
  const first = strict.safeParse(given);
  if (first.success) return first.data;
  if (kind === 'write') return null;
  const spelt = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, valueOf(value)]));
  if (isDeepStrictEqual(spelt, given)) return null;
  const second = strict.safeParse(spelt);
  return second.success ? second.data : null;
}

const valueOf = (value: unknown): unknown =>
  value === 'true'
    ? true
    : value === 'false'
      ? false
      : typeof value === 'string' && /^\d{1,9}$/.test(value)
        ? Number(value)
        : value;

function splitOnce(text: string, at: string): readonly [string, string] {
  const place = text.indexOf(at);
  return place < 0 ? [text, ''] : [text.slice(0, place), text.slice(place + 1)];
}
