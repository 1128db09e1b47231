// What a run tells of its agents beyond their work, as events: calls that were refused or made against the rules, and limits of a
// session that were near or reached.
import type { AgentEvent, HarnessEvent } from '../../model/event.ts';

export function noteworthy(session: number, event: AgentEvent): Omit<HarnessEvent, 'ts'> | null {
  switch (event.t) {
    case 'violation': {
      const { tool, why: rule, about, done } = event;
      return { type: 'tool-violation', level: 'important', session, data: { tool, rule, about, done } };
    }
    case 'permission': {
      if (event.decision === 'allow') return null;
      const { tool, why: rule, about = '' } = event;
      return { type: 'tool-denied', level: 'important', session, data: { tool, rule, about } };
    }
    case 'limit': {
      const { t: _, ...data } = event;
      return { type: 'session-limit', level: 'important', session, data };
    }
    case 'compacted':
      return { type: 'context-compacted', level: 'important', session };
    default:
      return null;
  }
}
