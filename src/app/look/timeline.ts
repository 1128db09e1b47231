// The timeline of a run: its sessions, each with what it consisted of (getting ready, the agent, checks, proofs, a wait), from its events.
import { z } from 'zod';
import type { RunEvent } from './run-events.ts';

const partShape = z.object({
  kind: z.enum(['prepare', 'agent', 'check', 'proof', 'wait', 'question']),
  /** Milliseconds since the epoch. */
  from: z.number(),
  to: z.number().nullable().describe('null: it is not over'),
  holds: z.boolean().nullable().describe('of checks and proofs'),
  about: z.string().describe('the checks by name, or what is waited for'),
});
export const spanShape = z.object({
  session: z.number(),
  item: z.string().nullable(),
  from: z.number(),
  to: z.number().nullable(),
  result: z.string().nullable(),
  reason: z.string().nullable(),
  parts: z.array(partShape).readonly(),
});
export type SessionSpan = z.output<typeof spanShape>;
type Part = z.output<typeof partShape>;
type Open = { -readonly [K in keyof Omit<SessionSpan, 'parts'>]: SessionSpan[K] } & {
  parts: { -readonly [K in keyof Part]: Part[K] }[];
};

/** `isOver`: the run has ended, so that nothing in it is still under way. */
export function timelineOf(events: readonly RunEvent[], isOver: boolean): readonly SessionSpan[] {
  const spans: Open[] = [];
  const open = new Map<number, Open>();
  for (const event of events) {
    const at = Date.parse(event.ts);
    const { session, item = null, data = {} } = event;
    // Checks before a session name none; with several lanes they belong to the one that was begun last.
    const span = session === undefined ? [...open.values()].at(-1) : open.get(session);
    const begin = (number: number): Open => {
      const made: Open = { session: number, item, from: at, to: null, result: null, reason: null, parts: [] };
      spans.push(made);
      open.set(number, made);
      return made;
    };
    const next = (of: Open, kind: Part['kind'], about = ''): void => {
      endPart(of, at);
      of.parts.push({ kind, from: at, to: null, holds: null, about });
    };
    switch (event.type) {
      case 'item-started':
        if (session !== undefined) next(open.get(session) ?? begin(session), 'prepare');
        break;
      case 'session-started':
        if (session !== undefined) next(open.get(session) ?? begin(session), 'agent', wordOf(data['role']));
        break;
      case 'checking':
        if (span) next(span, 'check', listOf(data['checks']).join(', '));
        break;
      case 'checked':
      case 'proved': {
        const part = span?.parts.at(-1);
        if (span === undefined || part === undefined) break;
        part.holds = event.type === 'checked' ? data['holds'] === true : listOf(data['problems']).length === 0;
        const hasAgent = span.parts.some(({ kind }) => kind === 'agent');
        next(span, hasAgent ? 'agent' : 'prepare');
        break;
      }
      case 'proving':
        if (span) next(span, 'proof');
        break;
      case 'waiting':
        if (span) next(span, 'wait', wordOf(data['why']));
        break;
      case 'gate-opened':
      case 'item-parked': {
        const of = span ?? [...open.values()].find((one) => one.item === item);
        if (of && of.parts.at(-1)?.kind !== 'question') next(of, 'question', wordOf(data['subject']));
        break;
      }
      case 'landed':
        if (span) span.result = 'landed';
        break;
      case 'item-ended':
        if (span === undefined) break;
        endPart(span, at);
        span.to = at;
        span.item ??= item;
        span.result = wordOf(data['result']);
        span.reason = wordOf(data['reason']);
        open.delete(span.session);
        break;
      default:
    }
  }
  const last = events.at(-1);
  if (isOver && last !== undefined)
    for (const span of open.values()) {
      endPart(span, Date.parse(last.ts));
      span.to = Date.parse(last.ts);
    }
  // A part of no length says nothing: two events at once.
  return spans.map((span) => ({ ...span, parts: span.parts.filter(({ from, to }) => to === null || to > from) }));
}

function endPart(span: Open, at: number): void {
  const part = span.parts.at(-1);
  if (part !== undefined) part.to ??= at;
}

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
