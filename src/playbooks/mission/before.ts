// Sessions that come before a worker's: an architect, where an assertion can be read in two ways; a debugger, once, where several sessions failed; a curator, where the memory has grown.
import { z } from 'zod';
import { defineEdit, defineSurvey, editCall, openingSay, readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { ok } from '../../model/result.ts';
import { failure } from '../../model/failure.ts';
import type { EarlyEnd, ReadyItem } from '../session/item/kind.ts';
import { settleUnclear } from './architect.ts';
import { debuggerBrief } from './briefs.ts';
import { curateIfDue } from './curator.ts';
import { CONTRACT, debugFile } from './paths.ts';
import { claimsOf } from './review-facts.ts';
import { askRole, unavailable } from './role-session.ts';
import { withoutStrays } from '../session/strays.ts';
import { readyToLook } from './ui-qa.ts';
import { unclearIn } from './unclear.ts';

type R = Run<Actions>;

export async function before(run: R, ready: ReadyItem, config: Config): Promise<EarlyEnd | null> {
  const { facts } = ready;
  // Nothing could be validated: no session is worth its money before the plan is right.
  const { claims, unresolved } = await readFacts(run, claimsOf, { item: facts.id });
  if (unresolved.length > 0 || claims.length === 0) {
    const why = failure('claims-unresolved', { item: facts.id, claims: unresolved.join(', '), file: CONTRACT });
    return { result: 'blocked', reason: why.reason, failure: why };
  }
  await readyToLook(run.scope('pages'), { item: facts.id, session: ready.session }, config);
  await curateIfDue(
    run.scope('curator'),
    { session: ready.session, item: facts.id },
    config.mission.curateEvery,
    config,
  );
  const unclear = facts.failed.filter(({ code }) => code === 'review-unclear');
  const settled = unclear.length === 0 ? null : await settleUnclear(run.scope('architect'), ready, unclear, config);
  if (settled !== null) return settled;
  const { isThere } = await readFacts(run, debugged, { item: facts.id });
  // A session that was lost counts as one, and says nothing of the work.
  if (facts.attempt <= config.mission.debugAfter || facts.failed.length === 0 || isThere) return null;
  return findCause(run.scope('debugger'), ready, config);
}

const debugged = defineSurvey({
  id: 'mission.debugged',
  input: z.object({ item: z.string() }),
  facts: z.object({ isThere: z.boolean() }),
  read: async ({ view }, { item }) => ({ isThere: (await view.stat(debugFile(item))) !== null }),
});

const debugEdit = defineEdit({
  id: 'mission.debug',
  input: z.object({ item: z.string(), text: z.string() }),
  texts: (_context, { item, text }) => Promise.resolve(ok({ [debugFile(item)]: `${text.trim()}\n` })),
});

/**
 * Once for each feature: what it found is read by the worker's next sessions. What it tried out in the work tree is no work. An assertion that it
 * finds to be the cause is settled like any other.
 */
async function findCause(run: R, ready: ReadyItem, config: Config): Promise<EarlyEnd | null> {
  const { facts, session } = ready;
  const { id: item, attempt, failed, partial } = facts;
  const answer = await withoutStrays(run, { session, item }, () =>
    askRole<string>(
      run,
      {
        role: 'debugger',
        item,
        title: facts.title,
        attempt,
        opening: openingSay(debuggerBrief, { item, attempt, failed, partial }),
        read: (text) =>
          Promise.resolve(
            text.trim() === ''
              ? { problems: [{ code: 'review-unanswered', params: { role: 'debugger' } }] }
              : { answer: text },
          ),
      },
      config,
    ),
  );
  if (answer.is === 'unavailable') return unavailable(answer.failure);
  if (answer.is !== 'answered') return null;
  await run.do('debugged', { kind: 'write', edit: editCall(debugEdit, { item, text: answer.answer }), lines: [] });
  const unclear = unclearIn(answer.answer, 'debugger', item);
  return unclear.length === 0 ? null : settleUnclear(run.scope('architect'), ready, unclear, config);
}
