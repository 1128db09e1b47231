// `harness logs` shows the end of a log and follows it; `harness log query` finds lines in it.
import { followLog, LOG_KINDS, readLog, type LogKind } from '../../app/look/logs.ts';
import { openProjectView } from '../../app/open/project-view.ts';
import { parseQuery, type LogTest, type LoggedLine } from '../../host/log-query.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import {
  textOf,
  type Answer,
  type CommandCall,
  type CommandSpec,
  type OptionSpec,
  type Caller,
  type Style,
} from '../command.ts';
import { entryOf } from '../../model/entry.ts';
import type { Json } from '../../model/json.ts';

const KIND: OptionSpec = { flags: '--kind <log>', about: 'events (default), decisions or actions (of agents)' };
const COUNT: OptionSpec = { flags: '-n, --lines <count>', about: 'the maximum number of lines' };

export const logs: CommandSpec = {
  name: 'logs',
  args: '',
  options: [
    { flags: '-f, --follow', about: 'print new lines until Ctrl-C' },
    COUNT,
    KIND,
    { flags: '--where <expression>', about: 'only matching lines; syntax as in `harness log query`' },
  ],
  examples: ['harness logs', 'harness logs -f', `harness logs -n 100 --where 'level>=important'`],
  run: async (call) => {
    const asked = ask(call, textOf(call, 'where') ?? '', 20);
    return asked.ok ? show(call, asked.value, call.options['follow'] === true) : asked;
  },
};

export const log: CommandSpec = {
  name: 'log',
  args: '<query> [expression...]',
  options: [KIND, COUNT],
  examples: [
    `harness log query 'type=rolled-back age<1d'`,
    `harness log query 'item=12 and level>=important'`,
    `harness log query --kind actions 'tool=Bash input~"npm test"' --json`,
  ],
  async run(call) {
    const [part, ...words] = call.args;
    if (part !== 'query')
      return err(
        failure('usage', { what: `'${part ?? ''}' is not a subcommand; use 'query'`, hint: 'harness log --help' }),
      );
    const asked = ask(call, words.join(' '), 1_000);
    return asked.ok ? show(call, asked.value, false) : asked;
  },
};

type LogRequest = { readonly kind: LogKind; readonly last: number; readonly test: LogTest };

function ask(call: CommandCall, expression: string, most: number): Result<LogRequest> {
  const kind = textOf(call, 'kind') ?? 'events';
  const count = textOf(call, 'lines');
  const wrong = (what: string): Result<LogRequest> => err(failure('usage', { what, hint: 'harness log --help' }));
  if (!isKind(kind)) return wrong(`--kind must be one of ${Object.keys(LOG_KINDS).join(', ')}, not '${kind}'`);
  if (count !== null && !/^[1-9]\d{0,6}$/.test(count)) return wrong(`--lines must be a number above 0, not '${count}'`);
  const query = parseQuery(expression);
  if (!query.ok) return wrong(`syntax error in the expression at character ${query.at + 1}: ${query.what}`);
  return ok({ kind, last: count === null ? most : Number(count), test: query.test });
}

const isKind = (kind: string): kind is LogKind => Object.hasOwn(LOG_KINDS, kind);

async function show(call: CommandCall, { kind, last, test }: LogRequest, isFollowed: boolean): Promise<Result<Answer>> {
  const { caller } = call;
  const view = await openProjectView(caller);
  if (!view.ok) return view;
  const read = await readLog(view.value, kind, { test, last, nowMs: Date.now() });
  const { lines, found, damaged } = read;
  const shown = lines.map((line) => showLogLine(line, caller));
  if (!isFollowed) {
    const { text } = caller.catalogue;
    const more = found > lines.length ? [text('logs.more', { count: found - lines.length })] : [];
    const none = found === 0 ? [text('logs.none')] : [];
    const cut = damaged > 0 ? [text('logs.damaged', { count: damaged })] : [];
    const json = { kind, lines: [...lines], found, damaged };
    return ok({ exit: 0, json, lines: [...more, ...shown, ...none, ...cut] });
  }
  for (const line of caller.json ? lines.map((one) => JSON.stringify(one)) : shown) caller.print(line);
  const stop = new AbortController();
  const end = (): void => stop.abort();
  const release = caller.onInterrupt(end, end, end);
  try {
    for await (const line of followLog(view.value, kind, read.end, stop.signal))
      if (test(line, Date.now())) caller.print(caller.json ? JSON.stringify(line) : showLogLine(line, caller));
  } finally {
    release();
  }
  return ok({ exit: 0, json: null, lines: [] });
}

const STYLES: { readonly [level: string]: Style } = { critical: 'red', important: 'bold', debug: 'dim' };
const KNOWN = new Set(['ts', 'type', 'decision', 'level', 'session', 'item', 'data']);
const VALUE_CHARACTERS = 160;

function showLogLine(line: LoggedLine, caller: Pick<Caller, 'tint'>): string {
  const level = word(line['level']);
  const what = word(line['type'] ?? line['decision']);
  const where = [
    ...(line['session'] === undefined ? [] : [`session ${word(line['session'])}`]),
    ...(line['item'] === undefined ? [] : [`#${word(line['item'])}`]),
  ];
  const rest = Object.entries(line).filter(([name]) => !KNOWN.has(name));
  const data = typeof line['data'] === 'object' && line['data'] !== null ? Object.entries(line['data']) : [];
  const details = [...rest, ...data].map(([name, value]) => `${name}=${word(value).slice(0, VALUE_CHARACTERS)}`);
  const style = entryOf(STYLES, level);
  const named = style === undefined ? what : caller.tint(style, what);
  return [word(line['ts']).slice(0, 19).replace('T', ' '), named, ...where, ...details].join('  ');
}

const word = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
