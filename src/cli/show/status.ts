// The screen of `status`: who works on what, what was last, what is next, what it cost, what waits for a person.
import type { Status } from '../../app/look/status.ts';
import type { ItemStatus } from '../../model/item.ts';
import type { Caller } from '../command.ts';
import { oneLine, pairs, short } from './table.ts';
import { statusLines } from './status-lines.ts';
import { findPlaybook } from '../../playbooks/registry.ts';

/** In the order in which a person asks for them; what landed is said first. */
const SHOWN: readonly ItemStatus[] = [
  'active',
  'waiting',
  'ready',
  'pending',
  'failed',
  'blocked',
  'skipped',
  'unproved',
];

export function showStatus(status: Status, caller: Caller, nowMs: number): readonly string[] {
  const { text } = caller.catalogue;
  const { view, next, gates, stuckCount } = status;
  const rows: [string, string | readonly string[]][] = [
    [text('status.project'), `${oneLine(view.project)} (${view.playbook})`],
  ];
  if (!status.isSetUp) {
    const hint = findPlaybook(view.playbook)?.oneTask?.noneText ?? 'status.set-up';
    return [...pairs(rows), text(hint)];
  }
  const told = status.tells === null ? [] : [...statusLines(status.tells.lines, view.playbook, caller), ''];
  rows.push([text('status.items'), itemsOf(status, caller)], [text('status.now'), nowOf(status, caller, nowMs)]);
  if (status.waits.length > 0)
    rows.push([
      text('status.waits'),
      status.waits.map(({ why, until, attempt, of }) =>
        caller.tint('yellow', text('status.wait', { why, until, attempt, of })),
      ),
    ]);
  if (status.quota.length > 0)
    rows.push([
      text('status.quota'),
      status.quota.map(({ provider, window, used, resetsAt: until }) =>
        text('status.window', {
          provider,
          window,
          percent: Math.floor(100 * used),
          ...(until === null ? {} : { until }),
        }),
      ),
    ]);
  if (status.last !== null) rows.push([text('status.last'), lastOf(status.last, caller)]);
  const title = short(next.title, 70);
  rows.push([
    text('status.next'),
    next.item === null ? text('status.nothing') : text('status.item', { item: next.item, title, prompt: next.prompt }),
  ]);
  if (stuckCount > 0) rows.push([text('status.stuck'), text('status.stuck-count', { count: stuckCount })]);
  if (status.counted !== null) {
    const { count, max, last, log } = status.counted;
    rows.push([text('status.sessions'), text('status.counted', { count, max, ...(last === null ? {} : { last }) })]);
    if (log.length > 0) rows.push([text('status.log'), log.map((line) => short(line, 160))]);
  }
  rows.push([text('status.cost'), costOf(status, caller)]);
  const waiting = gates.map(({ id, item }) => (item === null ? id : `${id} (#${item})`)).join(', ');
  if (gates.length > 0)
    rows.push([text('status.gates'), caller.tint('yellow', text('status.gatesWait', { gates: waiting }))]);
  if (status.flaky.length > 0)
    rows.push([text('status.flaky'), status.flaky.map(({ id, expires }) => `${id} (→ ${expires.slice(0, 10)})`)]);
  if (status.unpushed !== null) {
    const { at, failure } = status.unpushed;
    const why = caller.catalogue.failure(failure).title;
    rows.push([text('status.push'), caller.tint('yellow', text('status.unpushed', { why, at }))]);
  }
  if (status.handedOff !== null) {
    const { by, since } = status.handedOff;
    rows.push([text('status.paused'), caller.tint('yellow', text('status.handed-off', { by, since }))]);
  } else if (status.isPaused) rows.push([text('status.paused'), caller.tint('yellow', text('status.resume'))]);
  return [...told, ...pairs(rows)];
}

function itemsOf({ counts }: Status, caller: Caller): string {
  const { text } = caller.catalogue;
  if (counts.total === 0) return text('status.none');
  const percent = Math.floor((100 * counts.landed) / counts.total);
  const parts = SHOWN.filter((status) => counts[status] > 0).map((s) => `${counts[s]} ${text(`status.${s}`)}`);
  return [text('status.share', { landed: counts.landed, total: counts.total, percent }), ...parts].join(' · ');
}

function nowOf({ lanes, left, owner, gates }: Status, caller: Caller, nowMs: number): readonly string[] {
  const { text } = caller.catalogue;
  const pid = owner?.pid ?? null;
  if (lanes.length > 0)
    return lanes.map(({ session, item, stage, stageSince, context }) =>
      [
        text('status.lane', {
          session,
          item,
          stage: gates.some((gate) => gate.item === item) ? 'stage-question' : `stage-${stage ?? ''}`,
          ...(stageSince === null ? {} : { forMs: Math.max(0, nowMs - Date.parse(stageSince)) }),
          ...(pid === null ? {} : { pid }),
        }),
        context === null
          ? ''
          : text('status.context', { ...context, percent: Math.floor((100 * context.used) / context.window) }),
      ].join(''),
    );
  if (owner !== null)
    return [text('status.held', { command: owner.command ?? 'harness', ...(pid === null ? {} : { pid }) })];
  const [interrupted] = left;
  if (interrupted !== undefined && gates.some(({ item }) => item === interrupted.item))
    return [text('status.asked', { item: interrupted.item })];
  if (interrupted !== undefined) return [text('status.left', { ...interrupted })];
  return [text('status.idle')];
}

function lastOf({ session, item, result, reason }: NonNullable<Status['last']>, caller: Caller): string {
  const { text, outcome } = caller.catalogue;
  const why = outcome(reason ?? result);
  const key = `result.${shown(result)}` as const;
  return `${text('status.session', { session })}${text(key, { item: item === null ? '' : `#${item}`, reason: why })}`;
}

function costOf({ spent }: Status, caller: Caller): string {
  const { text } = caller.catalogue;
  const tokens = spent.tokens.input + spent.tokens.output;
  if (tokens === 0 && spent.usd === 0) return text('status.none');
  const money = spent.usd === null ? text('status.usd-unknown') : text('cost.usd', { usd: spent.usd.toFixed(2) });
  const last = spent.last?.usd ?? null;
  return `${text('status.spent', { money, tokens })}${last === null ? '' : text('status.usd-last', { usd: last.toFixed(2) })}`;
}

const RESULTS = ['landed', 'done', 'partial', 'failed', 'rejected', 'gate', 'blocked', 'paused'] as const;
export const shown = (result: string): (typeof RESULTS)[number] =>
  RESULTS.find((known) => known === result) ?? (result === 'unproved' ? 'landed' : 'blocked');
