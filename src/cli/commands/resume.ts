// `harness resume`: lets runs start again and shows the next item; starts nothing.
import { isHandedOff } from '../../app/open/run-blockers.ts';
import { failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import { resume as resumeTarget, type Resumed } from '../../app/handover/steer.ts';
import { openTarget } from '../../app/open/target.ts';
import type { Caller, CommandSpec } from '../command.ts';
import { workerJson, workerWords } from '../show/worker.ts';

export const resume: CommandSpec = {
  name: 'resume',
  args: '',
  options: [],
  examples: ['harness resume', 'harness run'],
  async run({ caller }) {
    const target = await openTarget(caller);
    if (!target.ok) return target;
    if (isHandedOff(target.value)) return err(failure('handed-off'));
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
    };
    return ok({
      exit: 0,
      json,
      lines: [
        text(wasPaused ? 'resume.now' : 'resume.was'),
        ...(worker === null ? [] : [text('resume.live', workerWords(worker))]),
        ...(gates.length === 0 ? [] : [text('resume.gates', { gates: gates.join(', ') })]),
        ...nextLines(resumed, caller),
      ],
    });
  },
};

function nextLines({ next, failure }: Resumed, { catalogue }: Caller): readonly string[] {
  const { item, title, prompt, session, remaining } = next;
  if (failure !== null) {
    const said = catalogue.failure(failure);
    return [said.title, ...said.fix.map((step) => `  → ${step}`)];
  }
  if (item !== null) return [catalogue.text('resume.next', { item, title, prompt, session })];
  return [remaining === 0 ? catalogue.text('resume.done') : catalogue.text('resume.stuck', { count: remaining })];
}
