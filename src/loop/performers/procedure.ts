// Procedures of the playbook, each with a journal of its own that ends with it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { forgetProcedure, runProcedure } from '../../engine/procedure.ts';
import type { ActionOf, Performer, Performers } from '../../engine/types.ts';
import { sha256 } from '../../host/files.ts';
import { packageVersion } from '../../host/package-root.ts';
import type { Actions, ProcedureOutcome } from '../../model/action.ts';
import { Bug } from '../../model/bug.ts';
import type { Lane } from '../lane.ts';
import { fileName } from '../token.ts';
import { repeatable } from './repeatable.ts';

export const procedures = (
  lane: Lane,
  all: () => Performers<Actions>,
): Performer<ActionOf<Actions, 'procedure'>, ProcedureOutcome> => ({
  async perform({ procedure, input }, context) {
    const written = lane.playbook.procedures(lane.config)[procedure];
    if (!written) throw new Bug(`playbook ${lane.playbook.name} has no procedure "${procedure}"`);
    const end = await runProcedure(written, input, {
      io: lane.io,
      journal: journalOf(lane, context.token),
      performers: all(),
      context,
      identity: sha256(JSON.stringify([packageVersion(), input, lane.config])).slice(0, 16),
    });
    return 'halt' in end ? { parked: end.halt } : end;
  },
  probe: repeatable,
  // not a moment earlier: until its outcome is durable, being performed again must be cheap
  settled(_ask, { token }) {
    const journal = journalOf(lane, token);
    if (existsSync(journal)) forgetProcedure(lane.io, journal);
  },
});

const journalOf = (lane: Lane, token: string): string =>
  join(lane.privateDir, 'procedures', `${fileName(token)}.jsonl`);
