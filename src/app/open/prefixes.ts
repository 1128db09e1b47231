// The reference's prefixes in what an agent prints (reference 000, Structured Agent Output), as lines of agent_actions.jsonl. What an
// agent says of itself decides nothing: each line says `said`, and what was seen of its tools stands beside it. Pure.
import { entryOf } from '../../model/entry.ts';

export type SaidAction = { readonly type: string } & { readonly [field: string]: string | number | boolean };

const MOST_CHARS = 500;
const ITEM = /#?([\w.-]+)/;

type Row = { readonly type: string; readonly read: (rest: string) => { readonly [field: string]: string | number } };
const ROWS: { readonly [prefix: string]: Row } = {
  'FILE:READ': { type: 'file_read', read: (path) => ({ path }) },
  'FILE:WRITE': { type: 'file_write', read: (path) => ({ path }) },
  'CMD:RUN': { type: 'cmd_run', read: (cmd) => ({ cmd }) },
  'CMD:EXIT': { type: 'cmd_exit', read: (code) => ({ code: Number.parseInt(code, 10) || 0 }) },
  'VERIFY:START': { type: 'verify_start', read: (text) => ({ feature: ITEM.exec(text)?.[1] ?? text }) },
  'VERIFY:PASS': { type: 'verify_pass', read: (text) => ({ feature: ITEM.exec(text)?.[1] ?? text }) },
  'VERIFY:FAIL': { type: 'verify_fail', read: (text) => ({ feature: ITEM.exec(text)?.[1] ?? text }) },
  DECISION: { type: 'decision', read: (text) => ({ text }) },
};

/** What a line says; null: it has no prefix that is known. */
export function saidAction(line: string): SaidAction | null {
  const [, prefix = '', rest = ''] = /^\s*\[([A-Z]+(?::[A-Z]+)?)\]\s*(.*)$/.exec(line) ?? [];
  const row = entryOf(ROWS, prefix);
  const text = rest
    .trim()
    .replace(/^Feature\s+/i, '')
    .slice(0, MOST_CHARS);
  return row === undefined || text === '' ? null : { type: row.type, ...row.read(text), said: true };
}
