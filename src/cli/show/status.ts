// The screen of `status`: active sessions, the last result, the next item, cost, open gates.
import type { Status } from '../../app/look/status.ts';
import type { ItemStatus } from '../../model/item.ts';
import type { Caller } from '../command.ts';
import { mergeCommand } from '../../app/look/unmerged.ts';
import { HEALTH_COLOURS } from './health.ts';
import { oneLine, pairs, short } from './table.ts';
import { statusLines } from './status-lines.ts';
import { findPlaybook } from '../../playbooks/registry.ts';

/** In order of importance; landed items are shown separately. */
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

/** Items of a list that shows each; `items` shows all. */
const MOST_LINES = 20;

/** `now` is asked only if a time is shown that passes. */
export function showStatus(status: Status, caller: Caller, now: () => number): readonly string[] {
  const { text } = caller.catalogue;
  const { view, next, gates, stuckCount } = status;
  const rows: [string, string | readonly string[]][] = [
    [text('status.project'), `${oneLine(view.project)} (${view.playbook})`],
  ];
  if (!status.isSetUp) {
    const hint = findPlaybook(view.playbook)?.oneTask?.noneText ?? 'status.set-up';
    return [...pairs(rows), text(hint)];
  }
  const { playbookStatus } = status;
  const own = playbookStatus === null ? [] : [...statusLines(playbookStatus.lines, view.playbook, caller), ''];
  rows.push([text('status.items'), itemsOf(status, caller)], [text('status.now'), nowOf(status, caller, now)]);
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
  if (status.apart.length > 0)
    rows.push([
      text('status.later'),
      status.apart
        .slice(0, MOST_APART)
        .map(({ item, after, file }) => text('status.apart', { item, after, file: short(file, 60) })),
    ]);
  if (stuckCount > 0) rows.push([text('status.stuck'), text('status.stuck-count', { count: stuckCount })]);
  if (status.counted !== null) {
    const { count, max, last, log, lines } = status.counted;
    const more = lines.length - MOST_LINES;
    const shown = lines.slice(0, MOST_LINES).map((line) => short(line, 100));
    if (lines.length > 0)
      rows.push([text('status.each'), more > 0 ? [...shown, text('status.more', { count: more })] : shown]);
    rows.push([text('status.sessions'), text('status.counted', { count, max, ...(last === null ? {} : { last }) })]);
    if (log.length > 0) rows.push([text('status.log'), log.map((line) => short(line, 160))]);
  }
  rows.push([text('status.cost'), costOf(status, caller)]);
  if (status.health !== null)
    rows.push([
      text('status.health'),
      text('status.health-is', {
        figure: caller.tint(HEALTH_COLOURS[status.health.status], status.health.status),
        overall: status.health.overall.toFixed(2),
        session: status.health.session,
      }),
    ]);
  const waiting = gates.map((one) => [one.id, ...inBrackets(one)].join(' ')).join(', ');
  if (gates.length > 0)
    rows.push([text('status.gates'), caller.tint('yellow', text('status.gatesWait', { gates: waiting }))]);
  if (status.flaky.length > 0)
    rows.push([text('status.flaky'), status.flaky.map(({ id, expires }) => `${id} (→ ${expires.slice(0, 10)})`)]);
  if (status.uncommitted.length > 0)
    rows.push([
      text('status.edited'),
      status.uncommitted.map((file) => caller.tint('yellow', text('status.uncommitted', { file }))),
    ]);
  if (status.unpushed !== null) {
    const { at, failure } = status.unpushed;
    const why = caller.catalogue.failure(failure).title;
    rows.push([text('status.push'), caller.tint('yellow', text('status.unpushed', { why, at }))]);
  }
  if (status.branch !== null) {
    const { branch, commits, behind } = status.branch;
    rows.push([
      text('status.branch'),
      [
        text('status.unmerged', { branch, count: commits }),
        ...(behind > 0 ? [text('run.branch-behind', { count: behind })] : []),
        `→ ${mergeCommand(status.branch)}`,
      ],
    ]);
  }
  if (status.handedOff !== null) {
    const { by, since } = status.handedOff;
    rows.push([text('status.paused'), caller.tint('yellow', text('status.handed-off', { by, since }))]);
  } else if (status.isFrozen) rows.push([text('status.paused'), caller.tint('yellow', text('status.frozen'))]);
  else if (status.isPaused) rows.push([text('status.paused'), caller.tint('yellow', text('status.resume'))]);
  return [...own, ...pairs(rows)];
}

const inBrackets = ({ item, title }: Status['gates'][number]): readonly string[] =>
  item === null ? [] : [`(#${item}${title === null ? '' : ` ${short(title, MOST_OF_TITLE)}`})`];
const MOST_OF_TITLE = 50;

/** So many are named. */
const MOST_APART = 5;

function itemsOf({ counts }: Status, caller: Caller): string {
  const { text } = caller.catalogue;
  if (counts.total === 0) return text('status.none');
  const percent = Math.floor((100 * counts.landed) / counts.total);
  const parts = SHOWN.filter((status) => counts[status] > 0).map((s) => `${counts[s]} ${text(`status.${s}`)}`);
  return [text('status.share', { landed: counts.landed, total: counts.total, percent }), ...parts].join(' · ');
}

function nowOf({ lanes, interrupted, owner, gates }: Status, caller: Caller, now: () => number): readonly string[] {
  const { text } = caller.catalogue;
  const pid = owner?.pid ?? null;
  if (lanes.length > 0)
    return lanes.map(({ session, item, stage, stageSince, context, place, stuckCount }) =>
      [
        text('status.lane', {
          session,
          item,
          stage: gates.some((gate) => gate.item === item) ? 'stage-question' : `stage-${stage ?? ''}`,
          ...(stageSince === null ? {} : { forMs: Math.max(0, now() - Date.parse(stageSince)) }),
          ...(pid === null ? {} : { pid }),
        }),
        context === null
          ? ''
          : text('status.context', { ...context, percent: Math.floor((100 * context.used) / context.window) }),
        place === null || lanes.length === 1 ? '' : text('status.landing-place', { place }),
        stuckCount > 0 && lanes.length > 1 ? text('status.lane-stuck', { count: stuckCount }) : '',
      ].join(''),
    );
  if (owner !== null)
    return [text('status.held', { command: owner.command ?? 'harness', ...(pid === null ? {} : { pid }) })];
  if (interrupted.length === 0) return [text('status.idle')];
  return interrupted.map(({ item, session }) =>
    gates.some((gate) => gate.item === item) ? text('status.asked', { item }) : text('status.left', { item, session }),
  );
}

function lastOf({ session, item, result, reason }: NonNullable<Status['last']>, caller: Caller): string {
  const { text, outcome } = caller.catalogue;
  const why = outcome(reason ?? result);
  const key = `result.${shown(result)}` as const;
  return `${text('status.session', { session })}${text(key, { item: item === null ? '' : `#${item}`, reason: why })}`;
}

function costOf({ spending }: Status, caller: Caller): string {
  const { text } = caller.catalogue;
  const tokens = spending.tokens.input + spending.tokens.output;
  if (tokens === 0 && spending.usd === 0) return text('status.none');
  const money = spending.usd === null ? text('status.usd-unknown') : text('cost.usd', { usd: spending.usd.toFixed(2) });
  const last = spending.last?.usd ?? null;
  return `${text('status.spent', { money, tokens })}${last === null ? '' : text('status.usd-last', { usd: last.toFixed(2) })}`;
}

const RESULTS = ['landed', 'done', 'partial', 'failed', 'rejected', 'gate', 'blocked', 'paused'] as const;
export const shown = (result: string): (typeof RESULTS)[number] =>
  RESULTS.find((known) => known === result) ?? (result === 'unproved' ? 'landed' : 'blocked');
