// `harness daemon start|stop|status`: the server as a program of its own. `freeze` and `unfreeze` are those of the repository.
import { workOf, type DaemonWork } from '../../app/look/daemon-state.ts';
import { findDaemon, startDaemon, stopDaemon, type Daemon } from '../../app/serve/daemon.ts';
import type { WaitReason } from '../../app/tick/decide.ts';
import { printable } from '../../host/formatter.ts';
import { toJson } from '../../model/json.ts';
import { ok, type Result } from '../../model/result.ts';
import type { Answer, Caller, CommandCall, CommandSpec } from '../command.ts';
import { parseSubcommand } from '../subcommand.ts';
import { freeze, unfreeze } from './freeze.ts';
import { PORT_OPTION, portOf } from './serve.ts';

export const daemon: CommandSpec = {
  name: 'daemon',
  args: '[start|stop|status|freeze|unfreeze]',
  options: [PORT_OPTION],
  examples: ['harness daemon start', 'harness daemon status', 'harness daemon stop'],
  async run(call) {
    const parts = { status: [], start: [], stop: [], freeze: [], unfreeze: [] };
    const part = parseSubcommand('daemon', call.args, parts, null);
    if (!part.ok) return part;
    switch (part.value.name) {
      case 'start':
        return start(call);
      case 'stop':
        return stop(call.caller);
      case 'status':
        return status(call.caller);
      case 'freeze':
        return freeze.run(call);
      case 'unfreeze':
        return unfreeze.run(call);
    }
  },
};

const daemonJson = ({ url, port, pid, since, tokenFile }: Daemon) => ({ url, port, pid, since, token_file: tokenFile });

async function start(call: CommandCall): Promise<Result<Answer>> {
  const { caller } = call;
  const port = portOf(call);
  if (!port.ok) return port;
  const started = await startDaemon(caller, { port: port.value, works: true });
  if (!started.ok) return started;
  const { wasRunning, url, pid, tokenFile } = started.value;
  const { text } = caller.catalogue;
  const lines = [
    text(wasRunning ? 'serve.already' : 'serve.started', { url, pid }),
    text('serve.token', { file: tokenFile }),
  ];
  return ok({ exit: 0, json: { running: true, was_running: wasRunning, ...daemonJson(started.value) }, lines });
}

async function stop(caller: Caller): Promise<Result<Answer>> {
  const stopped = await stopDaemon(caller);
  if (!stopped.ok) return stopped;
  const { text } = caller.catalogue;
  const { value: pid } = stopped;
  const line = pid === null ? text('serve.none') : text('serve.stopped', { pid });
  return ok({ exit: 0, json: { running: false, stopped: pid }, lines: [line] });
}

async function status(caller: Caller): Promise<Result<Answer>> {
  const found = await findDaemon(caller);
  if (!found.ok) return found;
  const { text } = caller.catalogue;
  if (found.value === null) return ok({ exit: 0, json: { running: false }, lines: [text('serve.none')] });
  const { url, pid, since, tokenFile, state } = found.value;
  const work = workOf(state);
  const lines = [
    text('serve.status', { url, pid, since }),
    ...(work === null ? [] : [shownWork(work, caller)]),
    text('serve.token', { file: tokenFile }),
  ];
  const json = { running: true, ...daemonJson(found.value), ...(state === null ? {} : { work: toJson(state) }) };
  return ok({ exit: 0, json, lines });
}

function shownWork(work: DaemonWork, { catalogue: { text } }: Caller): string {
  if (work.is === 'at-work')
    return work.kind === 'run'
      ? text('serve.at-plan', { plan: printable(work.plan), run: printable(work.run) })
      : text(work.kind === 'fidelity' ? 'serve.at-fidelity' : 'serve.at-look');
  const why = WAITS.find((one) => one === work.why);
  const about = { until: printable(work.until), reason: printable(work.reason) };
  return why === undefined ? text('serve.waits', about) : text(`serve.waits-${why}`, about);
}

const WAITS = [
  'off',
  'frozen',
  'handed-off',
  'paused',
  'unfinished',
  'resting',
  'unreachable',
  'rate-limited',
  'question',
  'delayed',
  'nothing-ready',
] as const satisfies readonly WaitReason[];
