// `harness resume`: lets runs start again and shows the next item; starts nothing.
import type { AcceptedEdits } from '../../app/backlog/accept-edits.ts';
import type { Resumed } from '../../app/handover/steer.ts';
import { release } from '../../app/operations/hold.ts';
import { resume as operation } from '../../app/operations/steer.ts';
import { ok, type Result } from '../../model/result.ts';
import type { Answer, Caller, CommandSpec } from '../command.ts';
import { itemOf } from '../item-argument.ts';
import { workerWords } from '../show/worker.ts';

export const resume: CommandSpec = {
  name: 'resume',
  args: '[item]',
  options: [{ flags: '--accept-edits', about: 'take the edits of the list that were kept in .harness/edits/' }],
  examples: ['harness resume', 'harness resume 12', 'harness resume --accept-edits', 'harness run'],
  async run(call) {
    const { caller, options } = call;
    const item = itemOf(call);
    if (!item.ok) return item;
    if (item.value !== null) return giveBack(caller, item.value);
    const done = await operation.run(caller, { accept_edits: options['acceptEdits'] === true });
    if (!done.ok) return done;
    const { answer, detail } = done.value;
    const { text } = caller.catalogue;
    return ok({
      exit: 0,
      json: answer,
      lines: [
        ...(detail.accepted === null ? [] : editLines(detail.accepted, caller)),
        text(answer.was_paused ? 'resume.now' : 'resume.was'),
        ...(answer.live === null ? [] : [text('resume.live', workerWords(answer.live))]),
        ...(answer.gates.length === 0 ? [] : [text('resume.gates', { gates: answer.gates.join(', ') })]),
        ...nextLines(detail.resumed, caller),
      ],
    });
  },
};

/** One item that a person held. */
async function giveBack(caller: Caller, item: string): Promise<Result<Answer>> {
  const done = await release.run(caller, { item });
  if (!done.ok) return done;
  const { answer, detail } = done.value;
  const about = { item: answer.item, title: detail.subject.title };
  const line = caller.catalogue.text(answer.was === null ? 'release.was' : 'release.now', about);
  return ok({ exit: 0, json: answer, lines: [line] });
}

function editLines({ files, changed }: AcceptedEdits, { catalogue: { text } }: Caller): readonly string[] {
  if (files.length === 0) return [text('resume.no-edits')];
  const key = changed.result === 'queued' ? 'resume.edits-queued' : 'resume.edits';
  return files.map((file) => text(key, { file }));
}

function nextLines({ next, failure }: Resumed, { catalogue }: Caller): readonly string[] {
  const { item, title, prompt, session, remaining } = next;
  if (failure !== null) {
    const said = catalogue.failure(failure);
    return [said.title, ...said.fix.map((step) => `  → ${step}`)];
  }
  if (item !== null) return [catalogue.text('resume.next', { item, title, prompt, session })];
  return [remaining === 0 ? catalogue.text('resume.done') : catalogue.text('resume.stuck', { count: remaining })];
}
