// `harness resume`: lets runs start again and shows the next item; starts nothing.
import { acceptEdits, type AcceptedEdits } from '../../app/backlog/accept-edits.ts';
import { isHandedOff } from '../../app/open/run-blockers.ts';
import { failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import { resume as resumeTarget, type Resumed } from '../../app/handover/steer.ts';
import { openTarget } from '../../app/open/target.ts';
import type { Caller, CommandSpec } from '../command.ts';
import { changedJson } from '../show/changed.ts';
import { workerJson, workerWords } from '../show/worker.ts';

export const resume: CommandSpec = {
  name: 'resume',
  args: '',
  options: [{ flags: '--accept-edits', about: 'take the edits of the list that were kept in .harness/edits/' }],
  examples: ['harness resume', 'harness resume --accept-edits', 'harness run'],
  async run({ caller, options }) {
    const target = await openTarget(caller);
    if (!target.ok) return target;
    if (isHandedOff(target.value)) return err(failure('handed-off'));
    const accepted = options['acceptEdits'] === true ? await acceptEdits(target.value) : null;
    if (accepted?.ok === false) return accepted;
    const resumed = await resumeTarget(target.value);
    const { wasPaused, worker, next, gates } = resumed;
    const { text } = caller.catalogue;
    const json = {
      paused: false,
      was_paused: wasPaused,
      live: workerJson(worker),
      next: { item: next.item, title: next.title, prompt: next.prompt, session: next.session },
      remaining: next.remaining,
      gates,
      ...(accepted === null ? {} : { edits: { files: accepted.value.files, ...changedJson(accepted.value.changed) } }),
    };
    return ok({
      exit: 0,
      json,
      lines: [
        ...(accepted === null ? [] : editLines(accepted.value, caller)),
        text(wasPaused ? 'resume.now' : 'resume.was'),
        ...(worker === null ? [] : [text('resume.live', workerWords(worker))]),
        ...(gates.length === 0 ? [] : [text('resume.gates', { gates: gates.join(', ') })]),
        ...nextLines(resumed, caller),
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
