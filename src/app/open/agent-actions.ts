// agent_actions.jsonl: what agents did, taken from their events. Prefixes such as `[FILE:READ]` in an agent's text add lines of
// their own, marked `said`; no decision depends on them.
import type { Logs } from '../../host/log.ts';
import type { AgentEvent } from '../../model/event.ts';
import { entryOf } from '../../model/entry.ts';

/** `structured`: read prefixes in the agent's text · `fallback`: write observed tool calls · `warn`: report a session without prefixes. */
type ActionRules = { readonly structured: boolean; readonly fallback: boolean; readonly warn: boolean };
export type AgentActions = {
  record(session: number, event: AgentEvent): void;
  /** Call when the session has ended. */
  end(session: number): void;
};

export function agentActions(logs: Logs, rules: ActionRules): AgentActions {
  let line = '';
  let isStructured = false;
  const said = (session: number, text: string): void => {
    if (!rules.structured) return;
    line += text;
    for (let at = line.indexOf('\n'); at >= 0; at = line.indexOf('\n')) {
      const action = claimedAction(line.slice(0, at));
      line = line.slice(at + 1);
      if (action === null) continue;
      isStructured = true;
      const isDecision = action.type === 'decision';
      logs.agentAction({ ...action, session }, isDecision ? 'critical' : 'routine');
      if (isDecision) logs.decision({ decision: String(action['text']), why: 'said by the agent', session });
    }
    line = line.slice(-2_000);
  };
  const seen = (action: Parameters<Logs['agentAction']>[0]): void => {
    if (rules.fallback) logs.agentAction(action);
  };
  return {
    record(session, event) {
      switch (event.t) {
        case 'text':
          return said(session, event.text);
        case 'tool-start':
          return seen({
            type: 'tool',
            session,
            tool: event.name,
            input: JSON.stringify(event.input).slice(0, 1_000),
          });
        case 'tool-end':
          return seen({ type: 'tool_end', session, ok: event.ok });
        case 'file-change':
          return seen({ type: 'file_write', session, path: event.path, change: event.change });
        case 'permission':
          return logs.agentAction(
            {
              type: 'permission',
              session,
              tool: event.tool,
              decision: event.decision,
              why: event.why,
              ...(event.about === undefined ? {} : { about: event.about }),
            },
            event.decision === 'deny' ? 'important' : 'routine',
          );
        case 'violation':
          return logs.agentAction(
            { type: 'violation', session, tool: event.tool, why: event.why, about: event.about },
            'important',
          );
        case 'usage': {
          const { inputTokens, outputTokens, cachedTokens, costUsd } = event;
          const data = { inputTokens, outputTokens, cachedTokens, costUsd };
          return logs.event({ type: 'usage', level: 'debug', session, data });
        }
        case 'quota': {
          const { t: _, ...data } = event;
          return logs.event({ type: 'quota', level: 'debug', session, data });
        }
        case 'retry': {
          const data = { why: event.why, attempt: event.attempt, delayMs: event.delayMs };
          return logs.event({ type: 'retry', level: 'debug', session, data });
        }
        case 'session':
        case 'thought':
        case 'context':
        case 'compacted':
        case 'limit':
        case 'notice':
          return;
      }
    },
    end(session) {
      said(session, '\n');
      if (rules.structured && rules.warn && !isStructured)
        logs.event({ type: 'output-not-structured', level: 'routine', session });
      isStructured = false;
    },
  };
}

type ClaimedAction = { readonly type: string } & { readonly [field: string]: string | number | boolean };

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

/** The action a line claims; null: it has no known prefix. */
export function claimedAction(line: string): ClaimedAction | null {
  const [, prefix = '', rest = ''] = /^\s*\[([A-Z]+(?::[A-Z]+)?)\]\s*(.*)$/.exec(line) ?? [];
  const row = entryOf(ROWS, prefix);
  const text = rest
    .trim()
    .replace(/^Feature\s+/i, '')
    .slice(0, MOST_CHARS);
  return row === undefined || text === '' ? null : { type: row.type, ...row.read(text), said: true };
}
