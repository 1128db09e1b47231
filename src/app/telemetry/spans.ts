// A run as spans and measurements, from its event log alone: run → session → turn, check, proof, wait, question. Pure. Names and attributes are
// those of OpenTelemetry's conventions for generative AI where they have one (docs/telemetry.md).
import { createHash } from 'node:crypto';
import { entryOf } from '../../model/entry.ts';
import type { RunEvent } from '../look/run-events.ts';
import { timelineOf, type SessionSpan } from '../look/timeline.ts';

export type Attributes = { readonly [name: string]: string | number | boolean };
export type TraceSpan = {
  readonly id: string;
  readonly parent: string | null;
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
  readonly attributes: Attributes;
  /** Why it failed; null: it did not. */
  readonly error: string | null;
};
/** One number that was measured, with what it belongs to. */
export type Measured = { readonly value: number; readonly attributes: Attributes };
export type Trace = {
  readonly id: string;
  readonly run: string;
  readonly from: number;
  readonly to: number;
  readonly spans: readonly TraceSpan[];
  /** Tokens of each turn, by kind; US dollars of each session; sessions that landed, and whose work was refused. */
  readonly tokens: readonly Measured[];
  readonly cost: readonly Measured[];
  readonly landed: readonly Measured[];
  readonly caught: readonly Measured[];
};

const PART_NAMES = {
  prepare: 'prepare',
  agent: 'turn',
  check: 'check',
  proof: 'proof',
  wait: 'wait',
  question: 'question',
};
const PROVIDERS: { readonly [provider: string]: string } = { claude: 'anthropic', codex: 'openai' };
const REFUSED = new Set(['rejected', 'failed']);

/** The same events give the same ids: what is sent twice is the same trace. Null: there are none. */
export function traceOf(events: readonly RunEvent[]): Trace | null {
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined) return null;
  const { run } = first;
  const [from, to] = [Date.parse(first.ts), Date.parse(last.ts)];
  const root = idOf(run);
  const ended = events.findLast(({ type }) => type === 'run-ended')?.data;
  const sessions = timelineOf(events, true).map((span) => sessionOf(run, span, events));
  const all = sessions.flatMap(({ spans }) => spans);
  const result = word(ended?.['result']) || 'killed';
  const runSpan: TraceSpan = {
    id: root,
    parent: null,
    name: 'harness run',
    from,
    to,
    attributes: {
      'harness.run': run,
      'harness.result': result,
      'harness.reason': word(ended?.['reason']),
      'harness.sessions': sessions.length,
      'harness.landed': events.filter(({ type }) => type === 'landed').length,
    },
    error:
      ended === undefined ? 'ended without a result' : REFUSED.has(result) ? word(ended['reason']) || result : null,
  };
  return {
    id: hash(run).slice(0, 32),
    run,
    from,
    to,
    spans: [runSpan, ...waitsOf(run, events, to), ...all],
    tokens: sessions.flatMap(({ tokens }) => tokens),
    cost: sessions.flatMap(({ cost }) => cost),
    landed: sessions.flatMap(({ landed }) => landed),
    caught: sessions.flatMap(({ caught }) => caught),
  };
}

type OfSession = Pick<Trace, 'spans' | 'tokens' | 'cost' | 'landed' | 'caught'>;

function sessionOf(run: string, span: SessionSpan, events: readonly RunEvent[]): OfSession {
  const own = events.filter(({ session }) => session === span.session);
  const agent = own.find(({ type }) => type === 'session-started')?.data ?? {};
  const id = idOf(run, span.session, span.from);
  const provider = word(agent['provider']);
  const model = word(agent['model']);
  const about: Attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    ...(provider === '' ? {} : { 'gen_ai.provider.name': entryOf(PROVIDERS, provider) ?? provider }),
    ...(model === '' ? {} : { 'gen_ai.request.model': model }),
    ...(agent['role'] === undefined ? {} : { 'gen_ai.agent.name': word(agent['role']) }),
  };
  const turns = own.filter(({ type, ts }) => type === 'usage' && isIn(span, Date.parse(ts)));
  const sum = (name: string): number => turns.reduce((all, { data }) => all + number(data?.[name]), 0);
  const usd = turns.some(({ data }) => typeof data?.['usd'] === 'number') ? sum('usd') : null;
  const result = span.result ?? 'interrupted';
  const end = span.to ?? span.from;
  const parts = span.parts.map((part, i): TraceSpan => {
    const used = part.kind === 'agent' ? turns.filter(({ ts }) => isIn(part, Date.parse(ts))) : [];
    const named = part.kind === 'agent' ? about : {};
    return {
      id: idOf(run, span.session, span.from, i),
      parent: id,
      name: PART_NAMES[part.kind],
      from: part.from,
      to: part.to ?? end,
      attributes: {
        ...named,
        ...(used.length === 0 ? {} : usageOf(used)),
        ...(part.about === '' || part.kind === 'agent' ? {} : { 'harness.about': part.about }),
        ...(part.holds === null ? {} : { 'harness.holds': part.holds }),
      },
      error: part.holds === false ? `the ${part.kind} does not hold` : null,
    };
  });
  const whole: TraceSpan = {
    id,
    parent: idOf(run),
    name: agent['role'] === undefined ? 'session' : `invoke_agent ${word(agent['role'])}`,
    from: span.from,
    to: end,
    attributes: {
      ...about,
      'gen_ai.conversation.id': `${run}/${span.session}`,
      'harness.session': span.session,
      ...(span.item === null ? {} : { 'harness.item': span.item }),
      'harness.result': result,
      'harness.reason': span.reason ?? '',
      // Tokens are those of its turns: a receiver adds up what spans carry.
      ...(usd === null ? {} : { 'harness.cost.usd': usd }),
    },
    error: REFUSED.has(result) ? (span.reason ?? result) : null,
  };
  const counted = (isSo: boolean, more: Attributes = {}): readonly Measured[] =>
    isSo ? [{ value: 1, attributes: { ...about, ...more } }] : [];
  return {
    spans: [whole, ...parts],
    tokens: turns.flatMap(({ data }) =>
      (['input', 'output'] as const).map((type) => ({
        value: number(data?.[type]),
        attributes: { ...about, 'gen_ai.token.type': type },
      })),
    ),
    cost: usd === null ? [] : [{ value: usd, attributes: about }],
    landed: counted(own.some(({ type }) => type === 'landed')),
    caught: counted(REFUSED.has(result), { 'harness.reason': span.reason ?? '' }),
  };
}

const usageOf = (turns: readonly RunEvent[]): Attributes => {
  const sum = (name: string): number => turns.reduce((all, { data }) => all + number(data?.[name]), 0);
  return {
    'gen_ai.usage.input_tokens': sum('input'),
    'gen_ai.usage.output_tokens': sum('output'),
    'gen_ai.usage.cache_read.input_tokens': sum('cached'),
  };
};

/** Waits between sessions: for a provider, or for the next check of a maintained project. They end with what happens next. */
function waitsOf(run: string, events: readonly RunEvent[], end: number): readonly TraceSpan[] {
  return events.flatMap((event, i) => {
    if (event.type !== 'waiting' || event.session !== undefined) return [];
    const from = Date.parse(event.ts);
    const next = events[i + 1];
    const to = next === undefined ? end : Date.parse(next.ts);
    const attributes = { 'harness.about': word(event.data?.['why']) };
    return [{ id: idOf(run, 'wait', i), parent: idOf(run), name: 'wait', from, to, attributes, error: null }];
  });
}

const isIn = ({ from, to }: { readonly from: number; readonly to: number | null }, at: number): boolean =>
  at >= from && (to === null || at <= to);
const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
const idOf = (...parts: readonly (string | number)[]): string => hash(JSON.stringify(parts)).slice(0, 16);
const word = (value: unknown): string => (typeof value === 'string' ? value : '');
const number = (value: unknown): number => (typeof value === 'number' ? value : 0);
