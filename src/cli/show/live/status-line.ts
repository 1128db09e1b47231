// The state in one line that changes only when something of note does: for `status --watch` where there is no terminal. Pure.
import type { Status } from '../../../app/look/status.ts';
import type { Caller } from '../../command.ts';
import { oneLine } from '../table.ts';
import { laneHead, type LiveLane } from './lanes.ts';

export function statusLine(
  {
    counts,
    lanes,
    owner,
    gates,
    waits,
    isPaused,
    isFrozen,
  }: Pick<Status, 'counts' | 'lanes' | 'owner' | 'gates' | 'waits' | 'isPaused' | 'isFrozen'>,
  live: readonly LiveLane[],
  { catalogue: { text } }: Pick<Caller, 'catalogue'>,
): string {
  const { total, landed } = counts;
  const share =
    total === 0
      ? text('status.none')
      : text('status.share', { landed, total, percent: Math.floor((100 * landed) / total) });
  const working = lanes.map(({ session, item }) => {
    const lane = live.find((one) => one.session === session);
    return lane === undefined ? text('live.stage', { item, stage: 'live-prepare' }) : laneHead(lane, text);
  });
  const idle =
    working.length > 0
      ? []
      : [owner === null ? text('status.idle') : text('status.held', { command: owner.command ?? 'harness' })];
  return [
    share,
    ...working,
    ...idle,
    ...waits.map(({ why, until, attempt, of }) => text('status.wait', { why, until, attempt, of })),
    ...(gates.length > 0 ? [text('status.gatesWait', { gates: gates.map(({ id }) => id).join(', ') })] : []),
    ...(isFrozen ? [text('status.frozen')] : isPaused ? [text('status.resume')] : []),
  ]
    .map(oneLine)
    .join(' · ');
}
