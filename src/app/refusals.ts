// Refused tool calls as events of the run: `tool-denied` where a call was refused, `tool-violation` where one was made that
// nobody had asked for, or that had been refused.
import type { AgentEvent, HarnessEvent } from '../model/event.ts';

export function refusalOf(session: number, event: AgentEvent): Omit<HarnessEvent, 'ts'> | null {
  if (event.t === 'violation') {
    const { tool, why: rule, about, done } = event;
    return { type: 'tool-violation', level: 'important', session, data: { tool, rule, about, done } };
  }
  if (event.t !== 'permission' || event.decision === 'allow') return null;
  const { tool, why: rule, about = '' } = event;
  return { type: 'tool-denied', level: 'important', session, data: { tool, rule, about } };
}
