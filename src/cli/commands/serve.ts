// `harness serve`: the server of this repository in the foreground, until Ctrl-C.
import { isIP } from 'node:net';
import { serve as startServer } from '../../app/serve/serve.ts';
import { tokenFile } from '../../app/serve/place.ts';
import { openProjectView } from '../../app/open/project-view.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { textOf, type CommandCall, type CommandSpec } from '../command.ts';

export const PORT_OPTION = { flags: '--port <n>', about: 'instead of 4500; 0: any free one' };

/** Null: not given. */
export function portOf(call: CommandCall): Result<number | null> {
  const text = textOf(call, 'port');
  if (text === null) return ok(null);
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  return port <= 65_535
    ? ok(port)
    : err(failure('usage', { what: `--port must be 0 to 65535, not '${text}'`, hint: 'harness serve --help' }));
}

export const serve: CommandSpec = {
  name: 'serve',
  args: '',
  options: [
    PORT_OPTION,
    {
      flags: '--listen <address>',
      about: 'an address of this machine instead of 127.0.0.1; needs the token of an earlier start',
    },
    { flags: '--only-serve', about: 'begin no plan (playbook delivery)' },
  ],
  examples: ['harness serve', 'harness serve --port 0'],
  async run(call) {
    const { caller } = call;
    const { text } = caller.catalogue;
    const port = portOf(call);
    if (!port.ok) return port;
    const address = textOf(call, 'listen');
    if (address !== null && isIP(address) === 0)
      return err(
        failure('usage', {
          what: `--listen must be an address such as 192.168.0.7, not '${address}'`,
          hint: 'harness serve --help',
        }),
      );
    const view = await openProjectView(caller);
    if (!view.ok) return view;
    const serving = await startServer(caller, { port: port.value, address, works: call.options['onlyServe'] !== true });
    if (!serving.ok) return serving;
    const { url, root, pid, page } = serving.value;
    const file = tokenFile(view.value.workspaceDir);
    if (caller.json)
      caller.print(JSON.stringify({ schema: 'harness.serve/1', url, port: serving.value.port, pid, token_file: file }));
    else {
      caller.print(text('serve.at', { root, url }));
      // On a terminal only: the address is a key, and a log is read by others.
      if (caller.onScreen) caller.print(text('serve.page', { url: page }));
      caller.print(text('serve.token', { file }));
      if (address !== null) caller.say(caller.paint('yellow', text('serve.listens', { address })));
      caller.say(text('serve.end'));
    }
    await new Promise<void>((resolve) => {
      const release = caller.onInterrupt(end, end);
      function end(): void {
        release();
        resolve();
      }
    });
    await serving.value.close();
    return ok({ exit: 0, json: null, lines: [] });
  },
};
