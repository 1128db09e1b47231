// Starts the Chromium of this machine in a box, with one origin that it can reach. Finds it; downloads none.
import { existsSync, mkdirSync, readFileSync, rmSync, watch } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { checkEnvironment } from '../../host/environment.ts';
import type { Box } from '../../host/box.ts';
import type { Exit } from '../../host/process.ts';
import { systemAlarm } from '../../host/clock.ts';
import { realPath } from '../../host/paths.ts';
import { findProgram, isTrusted } from '../../host/sandbox/level.ts';
import { connectCdp, type Cdp } from './cdp.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'microsoft-edge'];

/** The absolute path of a browser that no agent has written; null: there is none. `wanted`: path or name. */
export function findBrowser(
  wanted: string | null,
  root: string,
  path: string = checkEnvironment()['PATH'] ?? '',
): string | null {
  const from = { path, root, untrusted: [] };
  if (wanted !== null && isAbsolute(wanted)) return existsSync(wanted) && isTrusted(wanted, from) ? wanted : null;
  for (const name of wanted === null ? NAMES : [wanted]) {
    const found = findProgram(name, from);
    if (found !== null) return found;
  }
  return null;
}

/** Everything but the origin is sent to a proxy that does not exist: other ports of this machine, workers and sockets included. */
export function browserFlags(origin: URL, profile: string, hasOwnSandbox: boolean): readonly string[] {
  return [
    '--headless=new',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
    '--proxy-server=http://blocked.invalid:1',
    `--proxy-bypass-list=<-loopback>;${origin.host}`,
    `--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE ${origin.hostname}`,
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    '--ignore-certificate-errors',
    ...(hasOwnSandbox ? [] : ['--no-sandbox']),
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-extensions',
    '--disable-sync',
    '--disable-breakpad',
    '--disable-dev-shm-usage',
    '--disable-gpu',
    '--mute-audio',
    '--hide-scrollbars',
    '--password-store=basic',
    '--use-mock-keychain',
    'about:blank',
  ];
}

export type Browser = {
  readonly cdp: Cdp;
  /** The end of what it printed, where it has ended by itself; null: it runs. */
  whyEnded(): Promise<string | null>;
  /** Resolves when nothing of it runs any more. */
  close(): Promise<void>;
};

const START_MS = 30_000;
/** The file in which Chromium writes its port and the path of its socket. */
const ADDRESS = 'DevToolsActivePort';

type Start = {
  readonly program: string;
  readonly origin: URL;
  /** Its root is written by the browser alone. */
  readonly box: Box;
  readonly root: string;
  readonly token: string;
  readonly signal: AbortSignal;
};

/** `why`: the end of what it printed. */
export async function startBrowser(start: Start): Promise<Browser | { readonly why: string }> {
  const { program, origin, box, root, token, signal } = start;
  const profile = join(root, 'profile');
  rmSync(profile, { recursive: true, force: true });
  mkdirSync(profile, { recursive: true, mode: 0o700 });
  // In a box of bubblewrap it cannot make namespaces of its own, and it refuses to make them as root.
  const hasOwnSandbox = box.level !== 'bwrap' && process.getuid?.() !== 0;
  const stop = new AbortController();
  const exited = box.run({
    argv: [program, ...browserFlags(origin, profile, hasOwnSandbox)],
    env: { HOME: profile, XDG_CONFIG_HOME: profile, XDG_CACHE_HOME: profile },
    token,
    signal: AbortSignal.any([signal, stop.signal]),
    wallMs: 24 * 60 * 60_000,
    idleMs: null,
    keepBytes: 16 * 1024,
    floodBytes: null,
    readable: [dirname(program), dirname(realPath(program))],
    network: true,
  });
  const close = async (): Promise<void> => {
    stop.abort();
    await exited;
    rmSync(profile, { recursive: true, force: true });
  };
  const url = await Promise.race([addressIn(profile, signal), exited.then(() => null)]);
  const cdp = url === null ? null : await connectCdp(url);
  if (cdp !== null)
    return {
      cdp,
      async whyEnded() {
        if (cdp.isOpen()) return null;
        stop.abort();
        return lastWords(await exited);
      },
      async close() {
        cdp.close();
        await close();
      },
    };
  await close();
  return { why: lastWords(await exited) };
}

const lastWords = ({ stdout, stderr }: Exit): string => `${stdout}\n${stderr}`.trim().split('\n').slice(-6).join('\n');

/** Resolves with the address of its socket as soon as it is written; null: it is not in time. */
async function addressIn(profile: string, signal: AbortSignal): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const file = join(profile, ADDRESS);
  const look = (): void => {
    const [, port, path] =
      /^(\d+)\n(\/devtools\/browser\/[\da-f-]{36})/.exec(existsSync(file) ? readFileSync(file, 'utf8') : '') ?? [];
    if (port !== undefined) resolve(`ws://127.0.0.1:${port}${path}`);
  };
  const give = (): void => resolve(null);
  const watcher = watch(profile, look).on('error', give);
  const cancel = systemAlarm(START_MS, give);
  signal.addEventListener('abort', give, { once: true });
  look();
  try {
    return await promise;
  } finally {
    watcher.close();
    cancel();
    signal.removeEventListener('abort', give);
  }
}
