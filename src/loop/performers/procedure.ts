// Procedures, each with a journal of its own that is removed when it ends.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { procedureOf } from '../../engine/definitions.ts';
import { forgetProcedure, runProcedure } from '../../engine/procedure.ts';
import type { ActionOf, Performer, Performers } from '../../engine/types.ts';
import { sha256 } from '../../host/files.ts';
import { packageVersion } from '../../host/package-root.ts';
import type { Actions, ProcedureOutcome } from '../../model/action.ts';
import type { RunContext } from '../run-context.ts';
import { fileName } from '../token.ts';
import { repeatable } from './repeatable.ts';

export const procedures = (
  lane: RunContext,
  all: () => Performers<Actions>,
): Performer<ActionOf<Actions, 'procedure'>, ProcedureOutcome> => ({
  async perform({ procedure, input }, context) {
    const end = await runProcedure(procedureOf(procedure, lane.config), input, {
      io: lane.io,
      journal: journalOf(lane, context.token),
      performers: all(),
      context,
      identity: sha256(JSON.stringify([packageVersion(), input, lane.config])).slice(0, 16),
    });
    return 'halt' in end ? { parked: end.halt } : end;
  },
  probe: repeatable,
  // Not earlier: until its outcome is durable, performing it again must be cheap.
  settled(_ask, { token }) {
    const journal = journalOf(lane, token);
    if (existsSync(journal)) forgetProcedure(lane.io, journal);
  },
});

const journalOf = (lane: RunContext, token: string): string =>
  join(lane.privateDir, 'procedures', `${fileName(token)}.jsonl`);
