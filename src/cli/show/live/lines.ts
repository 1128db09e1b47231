// A lane as one line that fits the terminal: item, stage, tool at work, tokens, time, cost. Pure: the same lanes give the same lines.
import type { Catalogue } from '../../../host/catalogue.ts';
import type { Caller } from '../../command.ts';
import { oneLine } from '../table.ts';
import { laneHead, type LiveLane } from './lanes.ts';
import { fitted, widthOf } from './width.ts';

export type Room = {
  readonly columns: number;
  /** Lanes above this are counted only. */
  readonly rows: number;
  readonly now: number;
};

/** Text of agents is printable in it, and no line is wider than the terminal. */
export function liveLines(
  lanes: readonly LiveLane[],
  { columns, rows, now }: Room,
  { catalogue: { text } }: Pick<Caller, 'catalogue'>,
): readonly string[] {
  const most = Math.max(1, rows - 1);
  const shown = lanes.length > most ? lanes.slice(0, Math.max(1, most - 1)) : lanes;
  const more = lanes.length - shown.length;
  return [
    ...shown.map((lane) => laneLine(lane, columns, now, text)),
    ...(more > 0 ? [fitted(text('live.more', { count: more }), columns)] : []),
  ];
}

/** Below this a name of a tool says nothing. */
const LEAST_DOING = 6;

function laneLine(lane: LiveLane, columns: number, now: number, text: Catalogue['text']): string {
  const { tokens, usd, since } = lane;
  const head = oneLine(laneHead(lane, text));
  const figures = [
    ...(tokens > 0 ? [text('live.tokens', { tokens: compact(tokens) })] : []),
    text('live.time', { forMs: inWhole(Math.max(0, now - since)) }),
    ...(usd === null ? [] : [text('live.usd', { usd: usd.toFixed(2) })]),
  ];
  const what = oneLine(whatOf(lane, text));
  const tail = figures.map((one) => ` · ${one}`).join('');
  const room = columns - widthOf(head) - widthOf(tail) - 3;
  const middle = what === '' || room < LEAST_DOING ? '' : ` · ${fitted(what, room)}`;
  return fitted(`${head}${middle}${tail}`, columns);
}

function whatOf({ stage, doing, about }: LiveLane, text: Catalogue['text']): string {
  if (doing !== '' && stage === 'wait') return text('live.why', { why: doing });
  return doing !== '' && stage === 'landing' ? text('live.behind', { item: doing }) : `${doing} ${about}`;
}

/** Whole seconds, from the first one on. */
const inWhole = (ms: number): number => Math.max(1, Math.floor(ms / 1_000)) * 1_000;

/** 950, 12.3k, 4.5M. */
export function compact(count: number): string {
  if (count < 1_000) return String(count);
  const [value, unit] = count < 999_950 ? [count / 1_000, 'k'] : [count / 1_000_000, 'M'];
  return `${value < 100 ? value.toFixed(1).replace(/\.0$/, '') : Math.round(value)}${unit}`;
}
