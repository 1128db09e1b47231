// Opens an address in the user's browser.
import { wholeEnvironment } from '../../host/environment.ts';
import { runCommand } from '../../host/process.ts';

const START_MS = 10_000;

/** False: there is no program for it, or it failed. */
export async function openInBrowser(address: string): Promise<boolean> {
  const environment = Object.entries(wholeEnvironment()).filter((one): one is [string, string] => one[1] !== undefined);
  const done = await runCommand({
    argv: [process.platform === 'darwin' ? 'open' : 'xdg-open', address],
    cwd: '/',
    env: Object.fromEntries(environment),
    token: `@browser-${process.pid}`,
    wallMs: START_MS,
    idleMs: null,
    keepBytes: 1_000,
    floodBytes: null,
    strays: 'leave',
  });
  return done.code === 0;
}
