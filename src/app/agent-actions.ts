// agent_actions.jsonl: what agents really did, from their events, with the words of the reference's prefixes
// (reference 000, Structured Agent Actions). Prefixes in the agent's text add decisions; nothing depends on them.
import type { Logs } from '../host/log.ts';
import type { AgentEvent } from '../model/event.ts';

export function agentActions(logs: Logs): { hear(session: number, event: AgentEvent): void } {
  let line = '';
  const said = (session: number, text: string): void => {
    line += text;
    for (let at = line.indexOf('\n'); at >= 0; at = line.indexOf('\n')) {
      const decision = /^\s*\[DECISION\]\s*(.+)$/.exec(line.slice(0, at))?.[1];
      line = line.slice(at + 1);
      if (decision === undefined) continue;
      logs.agentAction({ type: 'decision', session, text: decision.slice(0, 500) }, 'critical');
      logs.decision({ decision: decision.slice(0, 500), why: 'said by the agent', session });
    }
    line = line.slice(-2_000);
  };
  return {
    hear(session, event) {
      switch (event.t) {
        case 'text':
          return said(session, event.text);
        case 'tool-start':
          return logs.agentAction({
            type: 'tool',
            session,
            tool: event.name,
            input: JSON.stringify(event.input).slice(0, 1_000),
          });
        case 'tool-end':
          return logs.agentAction({ type: 'tool_end', session, ok: event.ok });
        case 'file-change':
          return logs.agentAction({ type: 'file_write', session, path: event.path, change: event.change });
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
  };
}
