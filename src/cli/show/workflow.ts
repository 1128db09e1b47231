// The summary of a set-up (reference 004, Step 1.12), and what was decided without a person.
import type { Begun } from '../../app/workflow/begin.ts';
import { setUpTold } from '../../app/workflow/told.ts';
import type { Caller } from '../command.ts';
import { tellLines } from './tells.ts';

export function setUpLines(begun: Extract<Begun, { do: 'set-up' }>, caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  const { lines, dear } = setUpTold(begun.file);
  const names = Object.entries(begun.assumed).map(([question, answer]) => `${question} ${answer}`);
  const warn = (line: string): string => caller.paint('yellow', line);
  return [
    ...tellLines(lines, 'workflow', caller, text('workflow.started')),
    ...(dear === null ? [] : [warn(text('workflow.verifier-dear', { model: dear }))]),
    ...(begun.taken === null
      ? []
      : [warn(text('workflow.branch-other', { wanted: begun.taken, branch: begun.file.branch ?? '' }))]),
    ...(names.length === 0 ? [] : [warn(text('workflow.assumed', { names: names.join(', ') }))]),
  ];
}
