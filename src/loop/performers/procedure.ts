// Surveys, which only read, and procedures, each with a journal of its own that is removed when it ends.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { procedureOf, performSurvey } from '../../engine/definitions.ts';
import { forgetProcedure, runProcedure } from '../../engine/procedure.ts';
import type { ActionOf, Performer, Performers } from '../../engine/types.ts';
import { sha256 } from '../../host/files.ts';
import { packageVersion } from '../../host/package-root.ts';
import type { Actions, ProcedureOutcome, SurveyFacts } from '../../model/action.ts';
import { RepositoryUnreadable } from '../../repos/repository-view.ts';
import type { MessageQueue } from '../../engine/message-queue.ts';
import { takeListEdit } from '../list-edits.ts';
import { settleHolds } from '../holds.ts';
import { proposalsIn } from '../proposals.ts';
import {
  type RunEvents,
  type RunHost,
  type RunRepository,
  type RunSettings,
  type RunStores,
  readContext,
} from '../run-context.ts';
import { toJson } from '../../model/json.ts';
import { isAwaited } from '../../model/proposal.ts';
import type { ItemId } from '../../model/item.ts';
import { ok, type Result } from '../../model/result.ts';
import { giveSessionNumber } from '../records/session-numbers.ts';
import { fileName } from '../token.ts';
import { repeatable } from './repeatable.ts';

export const procedures = (
  context: RunRepository & RunSettings & RunHost,
  all: () => Performers<Actions>,
): Performer<ActionOf<Actions, 'procedure'>, ProcedureOutcome> => ({
  async perform({ procedure, input }, action) {
    const end = await runProcedure(procedureOf(procedure, context.config), input, {
      io: context.io,
      journal: journalOf(context, action.token),
      performers: all(),
      context: action,
      identity: sha256(JSON.stringify([packageVersion(), input, context.config])).slice(0, 16),
    });
    return 'halt' in end ? { parked: end.halt } : end;
  },
  probe: repeatable,
  // Not earlier: until its outcome is durable, performing it again must be cheap.
  settled(_ask, { token }) {
    const journal = journalOf(context, token);
    if (existsSync(journal)) forgetProcedure(context.io, journal);
  },
});

const journalOf = (context: RunRepository, token: string): string =>
  join(context.workspaceDir, 'procedures', `${fileName(token)}.jsonl`);

export const surveys = (
  context: RunRepository & RunSettings & RunHost & RunEvents & Pick<RunStores, 'lanes' | 'sessions'>,
  messages: MessageQueue,
): Performer<ActionOf<Actions, 'survey'>, SurveyFacts> => ({
  async perform({ survey, input }) {
    const { next } = context.machine;
    const brought = survey === next.id ? await context.bring() : ok(null);
    if (!brought.ok) return { blocked: brought.failure };
    const edited = survey === next.id ? await takenAlone(context, messages) : ok(null);
    if (!edited.ok) return { blocked: edited.failure };
    const asked =
      survey === next.id ? await withHolds(context, next.input.parse(input)) : ok({ input, held: [], awaited: [] });
    if (!asked.ok) return { blocked: asked.failure };
    let facts: unknown;
    try {
      facts = await performSurvey(survey, readContext(context), asked.value.input);
    } catch (error) {
      // Surveys read files and history without results; what git or a file says is for the user.
      if (error instanceof RepositoryUnreadable) return { blocked: error.failure };
      throw error;
    }
    if (survey !== next.id) return { facts };
    const found = next.facts.parse(facts);
    const { least = 0 } = next.input.parse(input);
    const wanted = Math.max(found.session, least);
    const session = found.next === null ? ok(found.session) : giveSessionNumber(context, wanted);
    if (!session.ok) return { blocked: session.failure };
    const { held, awaited } = asked.value;
    const kept = { ...(held.length > 0 ? { held } : {}), ...(awaited.length > 0 ? { awaited } : {}) };
    return { facts: toJson({ ...found, session: session.value, ...kept }) };
  },
  probe: repeatable,
  isRepeatable: true,
});

/** No landing moves the list meanwhile. */
const takenAlone = (
  context: RunRepository & RunSettings & RunHost & RunEvents & Pick<RunStores, 'lanes'>,
  messages: MessageQueue,
): Promise<Result<unknown>> => {
  const take = (): Promise<Result<unknown>> => takeListEdit(context, messages);
  return context.lanes === null ? take() : context.lanes.alone(take);
};

/** Items that a person holds, or that wait for a merge, are not chosen. */
async function withHolds<I extends { readonly taken: readonly ItemId[] }>(
  context: RunRepository & RunSettings & RunHost & RunEvents,
  input: I,
): Promise<Result<{ readonly input: I; readonly held: readonly ItemId[]; readonly awaited: readonly ItemId[] }>> {
  const held = await settleHolds(context, input.taken);
  if (!held.ok) return held;
  const awaited = proposalsIn(context)
    .filter(isAwaited)
    .map(({ item }) => item);
  const taken = [...new Set([...input.taken, ...held.value, ...awaited])];
  return ok({ input: { ...input, taken }, held: held.value, awaited });
}
