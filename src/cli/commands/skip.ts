// `harness skip ITEM --reason TEXT`: skips an item; items that depend on it wait, or with --unblock may start.
import { failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import { decide } from '../../app/backlog/changes.ts';
import { findToDecide } from '../../app/backlog/find-item.ts';
import { openTarget } from '../../app/open/target.ts';
import { textOf, type CommandSpec } from '../command.ts';
import { FEATURE_OPTION, itemNeeded } from '../item-argument.ts';
import { changedJson, showChanged } from '../show/changed.ts';

export const skip: CommandSpec = {
  name: 'skip',
  args: '[item]',
  options: [
    FEATURE_OPTION,
    { flags: '--reason <text>', about: 'why; shown with the item' },
    { flags: '--unblock', about: 'items that depend on it may start' },
  ],
  examples: ['harness skip 12 --reason "Blocked on external API"', 'harness skip 12 --reason "Not ours" --unblock'],
  async run(call) {
    const { caller } = call;
    const { text } = caller.catalogue;
    const item = itemNeeded(call, 'skip');
    if (!item.ok) return item;
    const target = await openTarget(caller);
    if (!target.ok) return target;
    const subject = await findToDecide(target.value, item.value);
    if (!subject.ok) return subject;
    const reason = textOf(call, 'reason')?.trim() ?? '';
    if (reason === '') return err(failure('reason-needed', { command: 'harness skip' }));
    const { id, title, passes, dependents } = subject.value;
    const unblock = call.options['unblock'] === true;
    const change = { type: 'skipped', reason, unblock, at: target.value.clock.iso() } as const;
    const line = `chore(harness): #${id} is skipped`;
    const changed = await decide(target.value, subject.value, change, line, 'harness skip');
    if (!changed.ok) return changed;
    const waiting =
      dependents.length === 0 ? [] : [text(unblock ? 'skip.frees' : 'skip.blocks', { items: dependents.join(', ') })];
    const said = {
      done: [text('skip.done', { item: id, title, reason }), ...waiting],
      already: [text(passes ? 'skip.landed' : 'skip.already', { item: id, title })],
      file: target.value.config.paths.backlog,
    };
    const json = { item: id, reason, unblock, dependents, ...changedJson(changed.value) };
    return ok({ exit: 0, json, lines: showChanged(changed.value, said, caller) });
  },
};
