// `harness override ITEM --passes true|false --reason TEXT`: sets an item without verification.
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { decide, userNameOf } from '../../app/backlog/changes.ts';
import { findToDecide } from '../../app/backlog/find-item.ts';
import type { Subject } from '../../model/item.ts';
import { openTarget } from '../../app/open/target.ts';
import { textOf, type CommandCall, type Caller, type CommandSpec } from '../command.ts';
import { consent } from '../consent.ts';
import { EXIT } from '../exit-codes.ts';
import { FEATURE_OPTION, itemNeeded } from '../item-argument.ts';
import { changedJson } from '../../app/backlog/changes.ts';
import { showChanged } from '../show/changed.ts';

export const override: CommandSpec = {
  name: 'override',
  args: '[item]',
  options: [
    FEATURE_OPTION,
    { flags: '--passes <value>', about: 'true or false' },
    { flags: '--reason <text>', about: 'why; shown with the item' },
  ],
  examples: ['harness override 11 --passes true --reason "Checked in production"'],
  async run(call) {
    const { caller } = call;
    const { text } = caller.catalogue;
    const item = itemNeeded(call, 'override');
    if (!item.ok) return item;
    const passes = passesOf(call);
    if (!passes.ok) return passes;
    const target = await openTarget(caller);
    if (!target.ok) return target;
    const subject = await findToDecide(target.value, item.value);
    if (!subject.ok) return subject;
    const reason = (textOf(call, 'reason') ?? (await caller.ask(text('override.reason'))) ?? '').trim();
    if (reason === '') return err(failure('reason-needed', { command: 'harness override' }));
    const { id, title } = subject.value;
    const json = { item: id, passes: passes.value, reason };
    const agreed = await consent(caller, {
      action: 'harness override',
      shown: shownFor(subject.value, { passes: passes.value, reason }, caller),
      question: text('override.warning'),
    });
    if (!agreed.ok) return agreed;
    if (!agreed.value)
      return ok({
        exit: EXIT.done,
        json: { ...json, result: 'declined', commit: null, behind: null },
        lines: [text('change.none')],
      });
    const [by, at] = [await userNameOf(target.value), target.value.clock.iso()];
    const change = { type: 'overridden', passes: passes.value, reason, by, at } as const;
    const line = `chore(harness): #${id} is set to passes: ${passes.value}, unverified`;
    const changed = await decide(target.value, subject.value, change, line, 'harness override');
    if (!changed.ok) return changed;
    const words = { item: id, title, passes: String(passes.value) };
    const said = {
      done: [text('override.done', words)],
      already: [text('override.already', words)],
      file: target.value.config.paths.backlog,
    };
    return ok({
      exit: 0,
      json: { ...json, ...changedJson(changed.value) },
      lines: showChanged(changed.value, said, caller),
    });
  },
};

function passesOf(call: CommandCall): Result<boolean> {
  const word = textOf(call, 'passes');
  if (word === 'true' || word === 'false') return ok(word === 'true');
  const what = word === null ? '--passes is missing' : `--passes must be true or false, not "${word}"`;
  return err(failure('usage', { what, hint: 'harness override 12 --passes true --reason "why"' }));
}

/** What will be done, for the user to confirm. */
function shownFor(
  { id, title, passes: was, dependents }: Subject,
  { passes, reason }: { readonly passes: boolean; readonly reason: string },
  { catalogue: { text } }: Caller,
): readonly string[] {
  const frees = passes && dependents.length > 0;
  return [
    text('override.what', { item: id, title, was: String(was), passes: String(passes) }),
    ...(frees ? [text('override.dependents', { items: dependents.join(', ') })] : []),
    text('override.visible', { reason }),
  ];
}
