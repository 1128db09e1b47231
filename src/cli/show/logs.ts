// A line of a log for a person: when, what, where, and its data.
import { entryOf } from '../../model/entry.ts';
import type { LoggedLine } from '../../host/log-query.ts';
import type { Json } from '../../model/json.ts';
import type { Caller, Style } from '../command.ts';

const STYLES: { readonly [level: string]: Style } = { critical: 'red', important: 'bold', debug: 'dim' };
const KNOWN = new Set(['ts', 'type', 'decision', 'level', 'session', 'item', 'data']);
const VALUE_CHARACTERS = 160;

export function showLogLine(line: LoggedLine, caller: Pick<Caller, 'tint'>): string {
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
  const told = style === undefined ? what : caller.tint(style, what);
  return [word(line['ts']).slice(0, 19).replace('T', ' '), told, ...where, ...details].join('  ');
}

const word = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
