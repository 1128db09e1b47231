// `harness resume`: lets runs start again and shows the next item; starts nothing.
import type { AcceptedEdits } from '../../app/backlog/accept-edits.ts';
import type { Resumed } from '../../app/handover/steer.ts';
import { resume as operation } from '../../app/operations/steer.ts';
import { ok } from '../../model/result.ts';
import type { Caller, CommandSpec } from '../command.ts';
import { workerWords } from '../show/worker.ts';

export const resume: CommandSpec = {
  name: 'resume',
  args: '',
  options: [{ flags: '--accept-edits', about: 'take the edits of the list that were kept in .harness/edits/' }],
  examples: ['harness resume', 'harness resume --accept-edits', 'harness run'],
  async run({ caller, options }) {
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
