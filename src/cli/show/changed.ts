// The result of a change of the backlog, in the same lines and keys for every command.
import type { ChangeResult } from '../../app/backlog/changes.ts';
import type { Caller } from '../command.ts';

/** `done`: the lines for a change that was made; `already`: for one that was not needed. */
export function showChanged(
  changed: ChangeResult,
  said: { readonly done: readonly string[]; readonly already: readonly string[]; readonly file: string },
  caller: Caller,
): readonly string[] {
  const { text } = caller.catalogue;
  if (changed.result === 'already') return [...said.already, text('change.none')];
  if (changed.result === 'queued')
    return [changed.behind === 'session' ? text('change.queued-session') : queuedBehind(changed, caller)];
  return [
    ...said.done,
    ...(changed.withEdits ? [text('change.edits', { file: said.file })] : []),
    ...(changed.commit === null
      ? [text('change.written', { file: said.file })]
      : [text('change.commit', { commit: changed.commit.slice(0, 10) })]),
  ];
}

const queuedBehind = (
  { behind, pid, command }: Extract<ChangeResult, { readonly behind: 'run' | 'command' }>,
  { catalogue }: Caller,
): string => catalogue.text(`change.queued-${behind}`, { pid, command });
