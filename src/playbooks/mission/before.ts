// Sessions that come before a worker's: an architect, where an assertion can be read in two ways; a debugger, once, where several sessions failed; a curator, where the memory has grown.
import { z } from 'zod';
import { defineEdit, defineSurvey, editCall, openingSay, readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { ok } from '../../model/result.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { Problem } from '../../model/verdict.ts';
import type { EarlyEnd, ReadyItem } from '../session/item/kind.ts';
import { architect, debuggerBrief } from './briefs.ts';
import { readContract } from './contract.ts';
import { curateIfDue } from './curator.ts';
import { takeContract } from './edits.ts';
import { CONTRACT, debugFile, DRAFT } from './paths.ts';
import { claimsOf } from './review-facts.ts';
import { askRole } from './role-session.ts';
import { withoutStrays } from '../session/strays.ts';
import { readyToLook } from './ui-qa.ts';

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
  const resolved = unclear.length === 0 ? null : await resolve(run.scope('architect'), ready, unclear, config);
  if (resolved !== null) return resolved;
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

/** An agent that is not available: the loop waits and tries again. */
const unavailable = (why: Failure): EarlyEnd => ({
  result: why.policy === 'needs-human' ? 'blocked' : 'partial',
  reason: why.reason,
  failure: why,
});

/** What an architect may change of the contract: the text of assertions, no id. */
const draftedContract = defineSurvey({
  id: 'mission.drafted-contract',
  input: z.object({}),
  facts: z.object({
    isWritten: z.boolean(),
    lost: z.array(z.string()).readonly(),
    added: z.array(z.string()).readonly(),
  }),
  async read({ view }) {
    const [old, drafted] = [await view.read(CONTRACT), await view.read(DRAFT.contract)];
    const ids = (text: string | null): readonly string[] => readContract(text ?? '').assertions.map(({ id }) => id);
    const [was, is] = [ids(old), ids(drafted)];
    return {
      isWritten: drafted !== null && drafted !== old,
      lost: was.filter((id) => !is.includes(id)),
      added: is.filter((id) => !was.includes(id)),
    };
  },
});

async function resolve(
  run: R,
  { facts, session }: ReadyItem,
  unclear: readonly Problem[],
  config: Config,
): Promise<EarlyEnd | null> {
  await run.do('clear', { kind: 'tidy', paths: [DRAFT.contract], keep: [] });
  const of = { session, item: facts.id };
  const answer = await withoutStrays(run, of, () =>
    askRole<'changed' | 'unchanged'>(
      run,
      {
        role: 'architect',
        item: facts.id,
        title: facts.title,
        attempt: facts.attempt,
        output: DRAFT.contract,
        opening: openingSay(architect, { item: facts.id, unclear }),
        async read(text, step) {
          const { isWritten, lost, added } = await readFacts(step, draftedContract, {});
          const wrong = [...lost, ...added];
          if (wrong.length > 0 && isWritten)
            return {
              problems: wrong.map((id): Problem => ({
                code: 'plan-contract-invalid',
                params: {
                  file: DRAFT.contract,
                  id,
                  line: 0,
                  why: lost.includes(id) ? 'assertion-removed' : 'assertion-added',
                },
              })),
            };
          if (isWritten) return { answer: 'changed' };
          const hasGivenUp = /^[\s>*_`-]*ESCALATE\b/im.test(text);
          return hasGivenUp
            ? { answer: 'unchanged' }
            : { problems: [{ code: 'output-missing', params: { file: DRAFT.contract, role: 'architect' } }] };
        },
      },
      config,
    ),
  );
  if (answer.is === 'unavailable') return unavailable(answer.failure);
  // The worker continues by the contract as it is; if it stays unclear, a user is asked after the allowed number of sessions.
  if (answer.is === 'unanswered' || answer.answer === 'unchanged') return null;
  await run.do('contract', {
    kind: 'commit',
    style: 'plain',
    item: facts.id,
    session,
    subject: `docs(mission): the contract of #${facts.id} is clarified`,
    body: answer.text.slice(0, 2_000),
    tree: null,
    checkpoint: null,
    only: [CONTRACT],
    edit: editCall(takeContract, {}),
  });
  await run.do('drafts', { kind: 'tidy', paths: [DRAFT.contract], keep: [] });
  return null;
}

const debugEdit = defineEdit({
  id: 'mission.debug',
  input: z.object({ item: z.string(), text: z.string() }),
  texts: (_context, { item, text }) => Promise.resolve(ok({ [debugFile(item)]: `${text.trim()}\n` })),
});

/** Once for each feature: what it found is read by the worker's next sessions. What it tried out in the work tree is no work. */
async function findCause(run: R, { facts, session }: ReadyItem, config: Config): Promise<EarlyEnd | null> {
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
  if (answer.is === 'answered')
    await run.do('debugged', { kind: 'write', edit: editCall(debugEdit, { item, text: answer.answer }), lines: [] });
  return null;
}
