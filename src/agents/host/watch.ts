// Looks at what an agent reports of its tool calls, and says which of them the policy would have refused, or did refuse:
// not every agent asks. Detection after the fact; what is done about it is not decided here.
import { isAbsolute, resolve } from 'node:path';
import type { AgentEvent } from '../../model/event.ts';
import type { Json } from '../../model/json.ts';
import { pathsIn } from '../../model/tool-call.ts';
import type { ToolRule } from '../../model/tools.ts';
import type { ToolCall, ToolPolicy } from '../port.ts';
import { shellQuoted } from '../words.ts';

type Violation = Extract<AgentEvent, { t: 'violation' }>;
export type Watch = {
  /** What this event gives away. */
  see(event: AgentEvent): readonly Violation[];
  /** The turn is over: calls that never reported their end count as begun. */
  end(): readonly Violation[];
};

/** A report may be a title or cut: what is only refused because it was not understood is no finding afterwards. */
const UNSURE: readonly ToolRule[] = [
  'command-unreadable',
  'command-unknown',
  'target-unknown',
  'unknown-code',
  'tool-not-in-mode',
];

export function openWatch(policy: ToolPolicy, lane: string): Watch {
  const calls = new Map<string, ToolCall>();
  const refused = new Set<string>();
  const told = new Set<string>();

  const judge = (call: ToolCall, done: boolean): readonly Violation[] => {
    const verdict = policy(call);
    if (verdict.allow || UNSURE.includes(verdict.why)) return [];
    const about = String(verdict.params['about'] ?? '');
    const key = `${verdict.why} ${about}`;
    // refused and failed is as it should be
    if ((refused.has(key) && !done) || told.has(key)) return [];
    told.add(key);
    return [{ t: 'violation', tool: call.tool, why: verdict.why, about, done }];
  };

  return {
    see(event) {
      switch (event.t) {
        case 'permission':
          if (event.decision === 'deny') refused.add(`${event.why} ${event.about ?? ''}`);
          return [];
        case 'tool-start':
          calls.set(event.id, callOf(event.name, event.input));
          return [];
        case 'tool-end': {
          const call = event.call ?? calls.get(event.id);
          calls.delete(event.id);
          return call === undefined ? [] : judge(call, event.ok);
        }
        case 'file-change': {
          const path = isAbsolute(event.path) ? event.path : resolve(lane, event.path);
          return judge({ tool: event.change === 'delete' ? 'delete' : 'edit', paths: [path], command: null }, true);
        }
        default:
          return [];
      }
    },
    end() {
      const open = [...calls.values()];
      calls.clear();
      return open.flatMap((call) => judge(call, false));
    },
  };
}

/** A call as its events tell of it, whatever the agent names the fields. */
function callOf(tool: string, input: unknown): ToolCall {
  const fields: { readonly [key: string]: unknown } = typeof input === 'object' && input !== null ? { ...input } : {};
  const line = fields['command'] ?? fields['cmd'];
  const words = Array.isArray(line) && line.every((word) => typeof word === 'string') ? shellQuoted(line) : line;
  if (typeof words === 'string' && words !== '') return { tool, paths: [], command: words };
  const paths = pathsIn(input as Json);
  return { tool, paths, command: null };
}
