// `harness manual-verify ITEM`: records that the user verified an item.
import type { Gate } from '../../model/gate.ts';
import { ok, type Result } from '../../model/result.ts';
import { decide, userNameOf } from '../../app/backlog/changes.ts';
import { findToDecide } from '../../app/backlog/find-item.ts';
import type { Subject } from '../../model/item.ts';
import { openTarget, type Target } from '../../app/open/target.ts';
import { answerGate, listGates } from '../../app/look/questions.ts';
import { openProjectView } from '../../app/open/project-view.ts';
import { featureTestCommand } from '../../app/run/verify.ts';
import type { Caller, CommandSpec } from '../command.ts';
import { consent } from '../consent.ts';
import { EXIT } from '../exit-codes.ts';
import { FEATURE_OPTION, itemNeeded } from '../item-argument.ts';
import { changedJson } from '../../app/backlog/changes.ts';
import { showChanged } from '../show/changed.ts';

/** The reason stored with the item. */
const REASON = 'verified by hand';

export const manualVerify: CommandSpec = {
  name: 'manual-verify',
  args: '[item]',
  options: [FEATURE_OPTION],
  examples: ['harness manual-verify 11'],
  async run(call) {
    const { caller } = call;
    const { text } = caller.catalogue;
    const item = itemNeeded(call, 'manual-verify');
    if (!item.ok) return item;
    const target = await openTarget(caller);
    if (!target.ok) return target;
    const subject = await findToDecide(target.value, item.value);
    if (!subject.ok) return subject;
    const { id, title, testFile } = subject.value;
    const command = featureTestCommand(target.value, subject.value);
    const json = { item: id, test_file: testFile, command };
    const open = await openManualGate(caller, id);
    if (!open.ok) return open;
    const gate = open.value;
    const agreed = await consent(caller, {
      action: 'harness manual-verify',
      shown: shownFor(subject.value, target.value, caller),
      question: text('manual.question'),
    });
    if (!agreed.ok) return agreed;
    if (!agreed.value)
      return ok({
        exit: EXIT.verification,
        json: { ...json, passed: false, result: 'declined', commit: null, behind: null },
        lines: [
          text('manual.no', { item: id }),
          ...(gate === null ? [] : [`→ ${text('manual.say-why', { gate: gate.id })}`]),
        ],
      });
    // A session waits for this answer: it lands the work with its evidence.
    if (gate !== null) {
      const view = await openProjectView(caller);
      if (!view.ok) return view;
      const replied = await answerGate(view.value, gate.id, { choice: 'verified', note: '' });
      if (!replied.ok) return replied;
      return ok({
        exit: EXIT.done,
        json: { ...json, passed: true, result: 'answered', gate: gate.id, commit: null, behind: null },
        lines: [text('manual.done', { item: id, title }), `→ ${text('gates.then')}`],
      });
    }
    const [by, at] = [await userNameOf(target.value), target.value.clock.iso()];
    const change = { type: 'overridden', passes: true, reason: REASON, by, at } as const;
    const line = `chore(harness): #${id} is verified by hand`;
    const changed = await decide(target.value, subject.value, change, line, 'harness manual-verify');
    if (!changed.ok) return changed;
    const words = { item: id, title };
    const said = {
      done: [text('manual.done', words)],
      already: [text('manual.already', words)],
      file: target.value.config.paths.backlog,
    };
    return ok({
      exit: EXIT.done,
      json: { ...json, passed: true, ...changedJson(changed.value) },
      lines: showChanged(changed.value, said, caller),
    });
  },
};

/** The open gate of a session that needs this item verified by hand; null: none. */
async function openManualGate(caller: Caller, item: string): Promise<Result<Gate | null>> {
  const view = await openProjectView(caller);
  if (!view.ok) return view;
  const gates = listGates(view.value, { open: true });
  if (!gates.ok) return gates;
  const found = gates.value.find(({ gate }) => gate.subject === 'manual-verification' && gate.item === item);
  return ok(found?.gate ?? null);
}

function shownFor(subject: Subject, target: Target, { catalogue: { text } }: Caller): readonly string[] {
  const { id, title, testFile, steps, manualChecks } = subject;
  const command = featureTestCommand(target, subject);
  return [
    text('manual.please', { item: id, title }),
    testFile === null ? text('manual.no-file') : text('manual.file', { file: testFile }),
    ...(command === null ? [] : [text('manual.run', { command })]),
    ...[...manualChecks, ...(testFile === null ? steps : [])].map((check) => text('manual.check', { check })),
  ];
}
