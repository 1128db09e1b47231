// Finds tool calls that the policy would have refused, in what an agent reports: not every agent asks before a call. Detection after the
// fact; the consequences are decided elsewhere.
import { isAbsolute, resolve } from 'node:path';
import type { AgentEvent } from '../../model/event.ts';
import type { Json } from '../../model/json.ts';
import { shellWord } from '../../model/shell-quote.ts';
import { pathsIn } from '../../model/tool-call.ts';
import type { ToolRule } from '../../model/tools.ts';
import type { ToolCall, ToolPolicy } from '../port.ts';

type Violation = Extract<AgentEvent, { t: 'violation' }>;
export type ViolationDetector = {
  /** The violations that this event shows. */
  see(event: AgentEvent): readonly Violation[];
  /** At the end of the turn: calls without a reported end count as begun. */
  end(): readonly Violation[];
};

/** A report may be only a title, or cut: a call that is refused because it is not understood is no violation afterwards. */
const UNSURE: readonly ToolRule[] = [
  'command-unreadable',
  'command-unknown',
  'target-unknown',
  'unknown-code',
  'tool-not-in-mode',
];

export function violationDetector(policy: ToolPolicy, root: string): ViolationDetector {
  const calls = new Map<string, ToolCall>();
  const refused = new Set<string>();
  const reported = new Set<string>();

  const judge = (call: ToolCall, done: boolean): readonly Violation[] => {
    const verdict = policy(call);
    if (verdict.allow || UNSURE.includes(verdict.why)) return [];
    const about = String(verdict.params['about'] ?? '');
    const key = `${verdict.why} ${about}`;
    // A call that was refused and failed is as it should be.
    if ((refused.has(key) && !done) || reported.has(key)) return [];
    reported.add(key);
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
          const path = isAbsolute(event.path) ? event.path : resolve(root, event.path);
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

/** A call as its events describe it, whatever the agent calls the fields. */
function callOf(tool: string, input: Json): ToolCall {
  const fields = new Map(typeof input === 'object' && input !== null ? Object.entries(input) : []);
  const line = fields.get('command') ?? fields.get('cmd');
  const command =
    Array.isArray(line) && line.every((word) => typeof word === 'string') ? line.map(shellWord).join(' ') : line;
  if (typeof command === 'string' && command !== '') return { tool, paths: [], command };
  return { tool, paths: pathsIn(input), command: null };
}
