// `harness verify [ITEM]`: runs the item's own test and compares the rest with the baseline.
import { ok } from '../../model/result.ts';
import { findItem } from '../../app/backlog/find-item.ts';
import { openTarget } from '../../app/open/target.ts';
import { verify as verifyTarget } from '../../app/run/verify.ts';
import type { CommandSpec } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { FEATURE_OPTION, itemOf } from '../item-argument.ts';
import { showNotices } from '../notices.ts';
import { showVerified, verifiedJson } from '../show/verified.ts';

export const verify: CommandSpec = {
  name: 'verify',
  args: '[item]',
  options: [FEATURE_OPTION],
  examples: ['harness verify', 'harness verify 12', 'harness verify --feature 12 --json'],
  async run(call) {
    const { caller } = call;
    const { text } = caller.catalogue;
    const item = itemOf(call);
    if (!item.ok) return item;
    const target = await openTarget(caller);
    if (!target.ok) return target;
    const found = item.value === null ? ok(null) : await findItem(target.value, item.value);
    if (!found.ok) return found;
    const subject = found.value;
    showNotices(target.value, caller);
    caller.say(subject === null ? text('verify.all') : text('verify.item', { item: subject.id, title: subject.title }));
    const stop = new AbortController();
    const release = caller.onInterrupt(
      () => stop.abort(),
      () => stop.abort(),
    );
    const silent = { event: () => undefined, agent: () => undefined };
    const verified = await verifyTarget(target.value, subject, 'harness verify', silent, stop.signal);
    release();
    if (!verified.ok) return verified;
    const exit = stop.signal.aborted ? EXIT.interrupted : verified.value.verdict.holds ? EXIT.done : EXIT.verification;
    return ok({
      exit,
      json: verifiedJson(verified.value, subject, caller),
      lines: showVerified(verified.value, subject, caller),
    });
  },
};
