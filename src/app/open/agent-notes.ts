// Progress notes in an agent's output: each is appended to the session's notes.jsonl at once, and again with the tree of that moment.
import { join } from 'node:path';
import type { ItemMachine } from '../../engine/playbook.ts';
import type { Clock } from '../../host/clock.ts';
import type { Io } from '../../host/io.ts';
import type { AgentEvent } from '../../model/event.ts';
import type { Git } from '../../repos/git.ts';
import { treeOf } from '../../repos/tree.ts';

export type Notes = {
  record(session: number, event: AgentEvent): void;
  /** Resolves when every note is written. */
  settled(): Promise<void>;
};

export function agentNotes(
  machine: Pick<ItemMachine, 'noteIn'>,
  {
    git,
    io,
    clock,
    stateDir,
  }: { readonly git: Git; readonly io: Io; readonly clock: Clock; readonly stateDir: string },
): Notes {
  let line = '';
  let kept: Promise<void> = Promise.resolve();
  return {
    record(session, event) {
      if (machine.noteIn === undefined) return;
      if (event.t !== 'text') return void (line = '');
      line += event.text;
      for (const text of line.split('\n')) {
        const note = machine.noteIn(text);
        if (note === null) continue;
        line = line.slice(line.indexOf(text) + text.length);
        const at = clock.iso();
        const keep = (tree: string | null): void =>
          io.append(
            join(stateDir, 'sessions', String(session), 'notes.jsonl'),
            `${JSON.stringify({ ...note, at, tree })}\n`,
          );
        keep(null);
        kept = kept.then(async () => {
          const tree = await treeOf(git);
          if (tree.ok) keep(tree.value);
        });
      }
      line = line.slice(-2_000);
    },
    settled: () => kept,
  };
}
