// Where notices arrive: a server on 127.0.0.1, and the lines that a command has written.
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Workshop } from './workshop.ts';

type Got = { readonly path: string; readonly headers: IncomingMessage['headers']; readonly body: never };
/** `status` 0: it never answers. `arrives` resolves with the next message. */
type Receiver = {
  readonly url: string;
  readonly got: readonly Got[];
  status: number;
  readonly arrives: () => Promise<Got>;
};

export async function receiver(): Promise<Receiver> {
  const got: Got[] = [];
  const waiting: ((message: Got) => void)[] = [];
  const arrives = () => new Promise<Got>((resolve) => void waiting.push(resolve));
  const state: Receiver = { url: '', got, status: 200, arrives };
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      const message: Got = { path: request.url ?? '', headers: request.headers, body: JSON.parse(text) as never };
      got.push(message);
      for (const resolve of waiting.splice(0)) resolve(message);
      if (state.status !== 0) response.writeHead(state.status).end('said no more');
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

export function configure(shop: Workshop, notify: string): void {
  shop.write('.harness.yaml', `${shop.read('.harness.yaml').replace(/^notify: .*\n/m, '')}notify: ${notify}\n`);
  shop.git('commit', '-q', '-am', 'notify');
}
export const linesOf = (shop: Workshop): readonly { readonly [field: string]: string }[] => {
  const file = join(shop.around, 'told');
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as never)
    : [];
};
