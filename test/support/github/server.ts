// A stand-in for GitHub that remembers. Every request and every answer of it is judged by GitHub's own description of its API
// (test/fixtures/github); what the description does not allow is refused or reported as a violation. Faults are ordered by the test.
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OpenAPIBackend, type Context, type Document } from 'openapi-backend';
import { handlers, type Reply } from './handlers.ts';
import { bareRepository, type Bare } from './repository.ts';
import { emptyState, type State } from './state.ts';

export type Fault = {
  /** `POST /repos/ada/shop/pulls`: method and the begin of the path. */
  readonly on: string;
  /** null: the connection is cut. */
  readonly status: number | null;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: unknown;
  readonly times?: number;
  /** The request is carried out, and then its answer is lost. */
  readonly isLost?: boolean;
  /** No answer comes. */
  readonly isStuck?: boolean;
};
export type GitHub = {
  readonly url: string;
  readonly token: string;
  readonly state: State;
  readonly repo: Bare;
  /** `GET /repos/ada/shop/pulls`, in their order. */
  readonly requests: string[];
  /** What GitHub's description does not allow, in requests and answers. */
  readonly violations: string[];
  order(fault: Fault): void;
  /** Ordered, and not met so far. */
  waiting(): readonly string[];
  close(): Promise<void>;
};

const DOCUMENT = new URL('../../fixtures/github/openapi.json', import.meta.url);

/** GitHub sends null where its description says `nullable` beside a list of values, which a schema checker takes as forbidden. */
const withNull = (_: string, node: unknown): unknown => {
  const { nullable, enum: values } = Object(node) as { nullable?: unknown; enum?: unknown };
  return nullable === true && Array.isArray(values) && !values.includes(null)
    ? { ...Object(node), enum: [...values, null] }
    : node;
};

/** Over a bare repository; `ada/shop` is its name. */
export async function standInForGithub(folder: string): Promise<GitHub> {
  const [state, repo, token] = [emptyState(), bareRepository(folder), 'ghp_standIn'];
  const requests: string[] = [];
  const violations: string[] = [];
  const faults: (Fault & { left: number })[] = [];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- GitHub's own document
  const definition = JSON.parse(readFileSync(DOCUMENT, 'utf8'), withNull) as Document;
  const api = new OpenAPIBackend({ definition, quick: true, ajvOpts: { strict: false, validateFormats: false } });

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const example = (operation: string, status: number) =>
    structuredClone(api.mockResponseForOperation(operation, { code: status }).mock) as {
      readonly [name: string]: unknown;
    };
  for (const [name, handle] of Object.entries(handlers(state, repo, example, url)))
    api.register(name, (context: Context): Reply => {
      const { params, query, requestBody } = context.request;
      const reply = handle({ params: params as never, query: query as never, body: (requestBody ?? {}) as never });
      const [status, body] = reply;
      const judged = context.api.validateResponse(body, context.operation, status);
      for (const error of (judged.errors ?? []).slice(0, 3))
        violations.push(`answer ${status} of ${name}: ${error.instancePath} ${error.message ?? ''}`);
      return reply;
    });
  api.register({
    validationFail: (context: Context): Reply => {
      const errors = (context.validation.errors ?? []).map((one) => `${one.instancePath} ${one.message ?? ''}`);
      violations.push(`request ${context.operation?.operationId ?? ''}: ${errors.join('; ')}`);
      return [422, { message: 'Validation Failed', errors, documentation_url: '' }];
    },
    notFound: (context: Context): Reply => {
      violations.push(`no such path: ${context.request.method} ${context.request.path}`);
      return [404, { message: 'Not Found', documentation_url: '' }];
    },
    notImplemented: (context: Context): Reply => {
      violations.push(`the stand-in has no ${context.operation?.operationId ?? ''}`);
      return [501, { message: 'not implemented' }];
    },
  });
  await api.init();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk as Uint8Array);
    const text = Buffer.concat(chunks).toString('utf8');
    const { pathname, search } = new URL(request.url ?? '/', url);
    const method = request.method ?? 'GET';
    requests.push(`${method} ${pathname}`);
    const fault = faults.find(({ on, left }) => left > 0 && `${method} ${pathname}`.startsWith(on));
    if (fault !== undefined) fault.left -= 1;
    const send = ([status, body, headers = {}]: Reply): void => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
      response.end(status === 204 ? undefined : JSON.stringify(body));
    };
    const perform = async (): Promise<Reply> => {
      if (request.headers.authorization !== `token ${token}`)
        return [401, { message: 'Bad credentials', documentation_url: '', status: '401' }];
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      const headers = request.headers as { [name: string]: string };
      return api.handleRequest({ method, path: pathname, query: search.slice(1), body, headers }) as Promise<Reply>;
    };
    if (fault === undefined) return send(await perform());
    if (fault.isLost === true) await perform();
    if (fault.isStuck === true) return;
    if (fault.status === null) request.socket.destroy();
    else send([fault.status, fault.body ?? { message: `ordered: ${fault.status}` }, fault.headers]);
  }

  return {
    url,
    token,
    state,
    repo,
    requests,
    violations,
    order: (fault) =>
      void faults.push({
        ...fault,
        left: fault.times ?? 1,
      }),
    waiting: () => faults.filter(({ left }) => left > 0).map(({ on }) => on),
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
