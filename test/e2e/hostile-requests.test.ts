import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeRepo } from '../support/repo.ts';
import { bareServer, exchange, served, type Answered, type Served } from '../support/served.ts';
import { OPERATIONS } from '../../src/app/operations/all.ts';
import { isOwnHost } from '../../src/app/serve/guard.ts';
import { openFullCatalogue } from '../../src/app/open/language.ts';
import { lockOwner } from '../../src/host/lock.ts';

type Case = {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: (s: Served) => readonly string[];
  readonly body?: string;
};

const good = ({ port, token }: Served): readonly string[] => [
  `Host: 127.0.0.1:${port}`,
  `Authorization: Bearer ${token}`,
  'Content-Type: application/json',
];
const without = (s: Served, name: string, ...instead: readonly string[]): readonly string[] => [
  ...good(s).filter((line) => !line.startsWith(`${name}:`)),
  ...instead,
];

function bytesOf(s: Served, { method = 'POST', target = '/api/v1/pause', headers = good, body = '{}' }: Case): string {
  const lines = headers(s);
  const hasLength = lines.some((line) => /^(content-length|transfer-encoding):/i.test(line));
  const length = method === 'GET' || hasLength ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const end = method === 'GET' ? '' : body;
  return [`${method} ${target} HTTP/1.1`, ...lines, ...length, 'Connection: close', '', end].join('\r\n');
}

const get = (target: string, more: Case = {}): Case => ({ method: 'GET', target, ...more });
const STATUS = '/api/v1/status';

/** Each with all that a good request has, but for one thing. */
const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pause","arguments":{}}}';
const mcp = (request: Case): Case => ({ target: '/mcp', body: CALL, ...request });

const HOSTILE: readonly (readonly [what: string, request: Case])[] = [
  [
    'a name of another site that resolves to this machine',
    { headers: (s) => without(s, 'Host', 'Host: evil.example') },
  ],
  [
    'such a name with the right port',
    get(STATUS, { headers: (s) => without(s, 'Host', `Host: evil.example:${s.port}`) }),
  ],
  ['a name that begins like a loopback one', { headers: (s) => without(s, 'Host', 'Host: 127.0.0.1.evil.example') }],
  ['a name that ends like a loopback one', { headers: (s) => without(s, 'Host', 'Host: evil-localhost') }],
  [
    'an address of this machine in its network',
    get(STATUS, { headers: (s) => without(s, 'Host', `Host: 192.168.0.7:${s.port}`) }),
  ],
  ['no host', { headers: (s) => without(s, 'Host') }],
  ['two hosts', { headers: (s) => [...good(s), 'Host: evil.example'] }],
  ['an empty host', { headers: (s) => without(s, 'Host', 'Host: ') }],
  ['the origin of another site', { headers: (s) => [...good(s), 'Origin: https://evil.example'] }],
  ['the origin of another port of this machine', { headers: (s) => [...good(s), 'Origin: http://127.0.0.1:1'] }],
  ['the origin of a file or a sandboxed frame', { headers: (s) => [...good(s), 'Origin: null'] }],
  [
    'two origins',
    { headers: (s) => [...good(s), `Origin: http://127.0.0.1:${s.port}`, 'Origin: https://evil.example'] },
  ],
  [
    'a browser that says it comes from another site',
    get(STATUS, { headers: (s) => [...good(s), 'Sec-Fetch-Site: cross-site'] }),
  ],
  ['a browser that says it comes from another port', { headers: (s) => [...good(s), 'Sec-Fetch-Site: same-site'] }],
  ['no token', { headers: (s) => without(s, 'Authorization') }],
  ['no token, to read', get(STATUS, { headers: (s) => without(s, 'Authorization') })],
  ['no token, for the stream', get('/api/v1/events', { headers: (s) => without(s, 'Authorization') })],
  ['no token, for the older paths', get('/state', { headers: (s) => without(s, 'Authorization') })],
  ['a wrong token', { headers: (s) => without(s, 'Authorization', `Authorization: Bearer ${'A'.repeat(43)}`) }],
  [
    'the beginning of the token',
    { headers: (s) => without(s, 'Authorization', `Authorization: Bearer ${s.token.slice(0, 42)}`) },
  ],
  [
    'the token with more behind it',
    { headers: (s) => without(s, 'Authorization', `Authorization: Bearer ${s.token}x`) },
  ],
  [
    'the token as a password',
    {
      headers: (s) =>
        without(s, 'Authorization', `Authorization: Basic ${Buffer.from(`:${s.token}`).toString('base64')}`),
    },
  ],
  ['two tokens', { headers: (s) => [...good(s), 'Authorization: Bearer x'] }],
  ['the token in a cookie', { headers: (s) => without(s, 'Authorization', `Cookie: token=${s.token}`) }],
  [
    'a form',
    { headers: (s) => without(s, 'Content-Type', 'Content-Type: application/x-www-form-urlencoded'), body: 'a=b' },
  ],
  [
    'a form with files',
    { headers: (s) => without(s, 'Content-Type', 'Content-Type: multipart/form-data; boundary=x') },
  ],
  [
    'text that a page may send without asking',
    { headers: (s) => without(s, 'Content-Type', 'Content-Type: text/plain') },
  ],
  ['no type', { headers: (s) => without(s, 'Content-Type') }],
  [
    'a type that only contains the right one',
    { headers: (s) => without(s, 'Content-Type', 'Content-Type: text/plain; application/json') },
  ],
  ['a body that says it is too large', { headers: (s) => [...good(s), 'Content-Length: 99999999'] }],
  ['a body that is too large', { body: JSON.stringify({ note: 'x'.repeat(70_000) }) }],
  [
    'a body in pieces that is too large',
    {
      headers: (s) => [...good(s), 'Transfer-Encoding: chunked'],
      body: `${(70_000).toString(16)}\r\n${'x'.repeat(70_000)}\r\n0\r\n\r\n`,
    },
  ],
  ['two lengths', { headers: (s) => [...good(s), 'Content-Length: 2', 'Content-Length: 3'] }],
  ['a length and pieces', { headers: (s) => [...good(s), 'Content-Length: 2', 'Transfer-Encoding: chunked'] }],
  ['no JSON', { body: 'pause' }],
  ['JSON that is no object', { body: '[]' }],
  ['more than the operation takes', { body: '{"now":true,"__proto__":{"x":1},"rm":"/"}', target: '/api/v1/stop' }],
  ['an option that is no text', { body: '{"gate":["g-1"],"option":{}}', target: '/api/v1/answer' }],
  ['a write by GET', get('/api/v1/pause')],
  ['a write by GET on the older path', get('/pause')],
  ['a read by POST', { target: STATUS }],
  ['another method', { method: 'DELETE', target: STATUS }],
  ['a method of proxies', { method: 'CONNECT', target: 'evil.example:443' }],
  [
    'what a browser asks before a request to another site',
    {
      method: 'OPTIONS',
      headers: (s) => [...good(s), 'Origin: https://evil.example', 'Access-Control-Request-Method: POST'],
    },
  ],
  ['a trace', { method: 'TRACE' }],
  ['a request for another site, as to a proxy', get('http://evil.example/api/v1/status')],
  ['a path with two slashes', get('//evil.example/api/v1/status')],
  ['a path out of the folder', get('/../../.git/harness/serve/token')],
  ['a path out of the folder, encoded', get('/%2e%2e/%2e%2e/etc/passwd')],
  ['a path out of the page', get('/page.js/../../package.json')],
  ['a path with a null', get('/page.js%00.html')],
  ['an operation by the name of a member of every object', get('/api/v1/constructor')],
  ['an operation by its path with a slash behind it', { target: '/api/v1/pause/' }],
  ['an item that is a path', { target: '/unblock/..%2f..%2fetc' }],
  ['a folder of evidence that is a path', get('/api/v1/checks?folder=..%2Fserve')],
  ['a commit that is an option of git', get('/api/v1/diff?commit=--output%3D%2Ftmp%2Fx')],
  ['a run that is a path', get('/api/v1/run?run=..%2F..%2Fserve%2Faddress')],
  ['an address that is too long', get(`${STATUS}?${'a'.repeat(4_000)}`)],
  ['headers that are too large', get(STATUS, { headers: (s) => [...good(s), `X-Much: ${'x'.repeat(20_000)}`] })],
  [
    'a change of protocol',
    get('/api/v1/events', { headers: (s) => [...good(s), 'Upgrade: websocket', 'Connection: Upgrade'] }),
  ],
  ['a call of a tool without the token', mcp({ headers: (s) => without(s, 'Authorization') })],
  [
    'a call of a tool under the name of another site',
    mcp({ headers: (s) => without(s, 'Host', 'Host: evil.example') }),
  ],
  ['a call of a tool from another page', mcp({ headers: (s) => [...good(s), 'Origin: https://evil.example'] })],
  ['a call of a tool as a form', mcp({ headers: (s) => without(s, 'Content-Type', 'Content-Type: text/plain') })],
  ['a call of a tool without a session', mcp({})],
  ['a call of a tool in a session of its own making', mcp({ headers: (s) => [...good(s), 'Mcp-Session-Id: asks'] })],
  ['several calls of tools at once', mcp({ body: `[${CALL},${CALL}]` })],
  ['a call of a tool that is too large', mcp({ body: CALL.replace('{}', `{"x":"${'x'.repeat(70_000)}"}`) })],
  ['the stream of tools', get('/mcp')],
  ['a body that waits to be asked for', { headers: (s) => [...good(s), 'Expect: 100-continue'] }],
];

/** A refusal, or an error of ours in our own words: no data, no permission for another site, no file. */
function expectNothing(answered: Answered, s: Served): void {
  expect(answered.status === null || answered.status >= 400, `${answered.head}\n${answered.body}`).toBe(true);
  expect(answered.head).not.toMatch(/access-control-/i);
  const isOurError = answered.body.startsWith('{"schema":"harness.error/1"');
  expect(answered.body === '' || isOurError, answered.body).toBe(true);
  for (const secret of [s.token, 'root:', '"pid"', 'shop']) expect(answered.body).not.toContain(secret);
}

test(`${HOSTILE.length} hostile requests get nothing and change nothing`, async () => {
  const s = await served();
  expect(HOSTILE.length).toBeGreaterThanOrEqual(25);
  for (const [what, request] of HOSTILE) {
    const answered = await s.raw(bytesOf(s, request));
    expect(() => expectNothing(answered, s), what).not.toThrow();
  }
  expect(await s.get(STATUS)).toMatchObject({ paused: false, frozen: false });
});

test('the same request without anything wrong is answered, from every loopback name', async () => {
  const s = await served();
  for (const host of [`127.0.0.1:${s.port}`, 'localhost:8080', '[::1]']) {
    const headers = (of: Served) => without(of, 'Host', `Host: ${host}`);
    expect((await s.raw(bytesOf(s, get(STATUS, { headers })))).status, host).toBe(200);
  }
  const own = (of: Served) => [...good(of), `Origin: http://127.0.0.1:${s.port}`, 'Sec-Fetch-Site: same-origin'];
  expect((await s.raw(bytesOf(s, { headers: own }))).body).toContain('"paused":true');
  expect(await s.get('/state')).toMatchObject({ paused: true });
});

test('a token in the address opens nothing', async () => {
  const s = await served();
  for (const target of [`${STATUS}?token=${s.token}`, `${STATUS}?authorization=Bearer%20${s.token}`]) {
    const headers = (of: Served) => without(of, 'Authorization');
    expectNothing(await s.raw(bytesOf(s, get(target, { headers }))), s);
  }
});

test('a request that is sent slowly is cut, and others are answered meanwhile', async () => {
  const streams = { add: () => undefined, close: () => undefined };
  const asker = { repo: '/nowhere', configFile: null, catalogue: await openFullCatalogue('en') };
  const port = await bareServer({ asker, token: 't', marker: '@test', streams, headMs: 100, wholeMs: 200 });
  const host = `Host: 127.0.0.1:${port}`;
  const slowHead = exchange(port, `GET ${STATUS} HTTP/1.1\r\n${host}\r\nX-`);
  const slowBody = exchange(
    port,
    `POST /pause HTTP/1.1\r\n${host}\r\nAuthorization: Bearer t\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
  );
  const other = await exchange(port, `GET ${STATUS} HTTP/1.1\r\n${host}\r\nConnection: close\r\n\r\n`);
  expect(other.status).toBe(401);
  for (const cut of [await slowHead, await slowBody]) expect(cut.body).toBe('');
});

test('the token is readable by its user alone, and no other process may be the server', async () => {
  const s = await served();
  const folder = join(s.repo.privateDir, 'serve');
  expect(statSync(join(folder, 'token')).mode & 0o777).toBe(0o600);
  // Had one of them opened the file of the lock, the lock would be free now.
  for (const [name, { kind }] of Object.entries(OPERATIONS)) if (kind === 'read') await s.get(`/api/v1/${name}`);
  const second = await s.repo.harness('serve', '--port', '0', '--json');
  expect(second.code).toBe(5);
  expect(second.json()).toMatchObject({ error: { code: 'serve-running' } });
});

test('what takes the run lock is done by a command: the server never holds it', async () => {
  const s = await served();
  const skipped = await s.post('/api/v1/skip', { item: '2', reason: '--not an option' });
  expect(skipped).toMatchObject({ status: 200, json: { item: '2', reason: '--not an option', result: 'applied' } });
  expect(lockOwner(s.repo.privateDir)).toBe(null);
  const freed = await s.post('/unblock/2');
  expect(freed.json).toMatchObject({ schema: 'harness.unblock/1', item: '2', result: 'applied', dependents: ['3'] });
  expect(await s.post('/unblock/3')).toMatchObject({ status: 409, json: { error: { code: 'item-not-skipped' } } });
});

test('on another address of the machine the same rules apply, and that address is the only name more', async () => {
  const repo = makeRepo();
  const first = await repo.harness('serve', '--listen', '127.0.0.2', '--json');
  expect([first.code, first.json()]).toMatchObject([5, { error: { code: 'serve-no-token' } }]);
  const known = await served(repo);
  await known.close();
  const s = await served(repo, '127.0.0.2');
  const status = async (host: string, more: readonly string[] = []): Promise<number | null> => {
    const headers = (of: Served) => [...without(of, 'Host', `Host: ${host}`), ...more];
    return (await s.raw(bytesOf(s, get(STATUS, { headers })))).status;
  };
  expect(await status(`127.0.0.2:${s.port}`)).toBe(200);
  expect(await status('localhost')).toBe(200);
  for (const host of ['127.0.0.3', 'evil.example', `127.0.0.2.evil.example:${s.port}`, '192.168.0.7'])
    expect(await status(host), host).toBe(403);
  expect(await status('127.0.0.2', ['Origin: http://127.0.0.2:1'])).toBe(403);
  const bare = (of: Served) => without(of, 'Authorization');
  expect((await s.raw(bytesOf(s, get(STATUS, { headers: bare })))).status).toBe(401);
});

test('on all addresses an address is a name of the server, and no word is', () => {
  for (const host of ['192.168.0.7:4500', '10.0.0.1', '[fe80::1]:4500'])
    expect(isOwnHost(host, '0.0.0.0'), host).toBe(true);
  for (const host of ['evil.example', '1.2.3.4.evil.example', '999.1.1.1', '1.2.3.4:99999999', '[evil]'])
    expect(isOwnHost(host, '0.0.0.0'), host).toBe(false);
});

test('an address that the machine has not, or that is none, is refused', async () => {
  const repo = makeRepo();
  await (await served(repo)).close();
  expect((await repo.harness('serve', '--listen', '203.0.113.7', '--json')).json()).toMatchObject({
    error: { code: 'serve-address-absent' },
  });
  expect((await repo.harness('serve', '--listen', 'evil.example')).code).toBe(2);
});
