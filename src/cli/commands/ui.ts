// `harness ui`: the page in the browser; starts the server if none runs.
import { openInBrowser } from '../../app/serve/browser.ts';
import { startDaemon } from '../../app/serve/daemon.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { PORT_OPTION, portOf } from './serve.ts';

export const ui: CommandSpec = {
  name: 'ui',
  args: '',
  options: [PORT_OPTION, { flags: '--no-open', about: 'print the address only' }],
  examples: ['harness ui', 'harness ui --no-open'],
  async run(call) {
    const { caller } = call;
    const { text } = caller.catalogue;
    const port = portOf(call);
    if (!port.ok) return port;
    const started = await startDaemon(caller, { port: port.value, works: false });
    if (!started.ok) return started;
    const { page, url, pid, wasRunning } = started.value;
    const wantsBrowser = call.options['open'] !== false && caller.onScreen && !caller.noInput && !caller.json;
    const isOpened = wantsBrowser && (await openInBrowser(page));
    return ok({
      exit: 0,
      json: { url, page, pid, was_running: wasRunning, opened: isOpened },
      lines: [page, text(isOpened ? 'ui.opened' : 'ui.open')],
    });
  },
};
