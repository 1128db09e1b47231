// An assertion that can be read in two ways is settled before the next session of its feature: an architect rewrites it, a few times; then, or
// where only a person can decide, a user is asked.
import { z } from 'zod';
import { defineSurvey, editCall, openingSay, readFacts } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import { askedAs } from '../../model/gate.ts';
import type { Problem } from '../../model/verdict.ts';
import { skip } from '../session/item/flags.ts';
import type { EarlyEnd, ReadyItem } from '../session/item/kind.ts';
import { withoutStrays } from '../session/strays.ts';
import { architect } from './briefs.ts';
import { readContract } from './contract.ts';
import { askedText, decided, keepDecision } from './decided.ts';
import { takeContract } from './edits.ts';
import { CONTRACT, DRAFT } from './paths.ts';
import { UNCLEAR } from './questions.ts';
import { askRole, unavailable } from './role-session.ts';

type R = Run<Actions>;
type Unsettled = { readonly ready: ReadyItem; readonly unclear: readonly Problem[]; readonly found: number };

/** How often architects decide about one feature before a user is asked. */
const MOST_DECIDED = 2;

/** null: the session can begin. Otherwise how the item ends. */
export async function settleUnclear(
  run: R,
  ready: ReadyItem,
  unclear: readonly Problem[],
  config: Config,
): Promise<EarlyEnd | null> {
  const { facts } = ready;
  const found = facts.partial?.session ?? facts.last?.session ?? 0;
  const { decisions } = await readFacts(run, decided, { item: facts.id });
  // A session that was lost after the decision comes here again.
  if (decisions.some(({ session }) => session === found)) return null;
  const times = decisions.filter(({ by }) => by === 'architect').length;
  const about = { ready, unclear, found };
  if (times < MOST_DECIDED) {
    const end = await rewritten(run, about, config);
    if (end !== 'unsettled') return end;
  }
  return askUser(run.scope('user'), { ...about, times }, config);
}

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

/** An answer without a draft says that only a person can decide, or counts as none. */
const GIVES_UP = /^[\s>*_`-]*ESCALATE\b/im;

async function rewritten(
  run: R,
  { ready: { facts, session }, unclear, found }: Unsettled,
  config: Config,
): Promise<EarlyEnd | null | 'unsettled'> {
  await run.do('clear', { kind: 'tidy', paths: [DRAFT.contract], keep: [] });
  const answer = await withoutStrays(run, { session, item: facts.id }, () =>
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
          if (!isWritten)
            return GIVES_UP.test(text)
              ? { answer: 'unchanged' }
              : { problems: [{ code: 'output-missing', params: { file: DRAFT.contract, role: 'architect' } }] };
          const wrong = [...lost.map((id) => wrongId(id, 'removed')), ...added.map((id) => wrongId(id, 'added'))];
          return wrong.length > 0 ? { problems: wrong } : { answer: 'changed' };
        },
      },
      config,
    ),
  );
  if (answer.is === 'unavailable') return unavailable(answer.failure);
  if (answer.is === 'unanswered' || answer.answer === 'unchanged') return 'unsettled';
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
  const said = answer.text.trim().slice(0, 2_000).toWellFormed();
  await keepDecision(run, facts.id, { by: 'architect', asked: askedText(unclear), answer: said, session: found });
  return null;
}

const wrongId = (id: string, how: 'removed' | 'added'): Problem => ({
  code: 'plan-contract-invalid',
  params: { file: DRAFT.contract, id, line: 0, why: `assertion-${how}` },
});

/** The feature waits, and others continue. */
async function askUser(
  run: R,
  { ready: { facts, session }, unclear, found, times }: Unsettled & { readonly times: number },
  config: Config,
): Promise<EarlyEnd | null> {
  const { id: item, title } = facts;
  const asked = askedText(unclear);
  const { option, note, at } = await run.do('ask', {
    kind: 'ask',
    gate: 'escalation',
    ...askedAs('mission-unclear', UNCLEAR),
    item,
    params: { item, title, what: asked, answered: times },
    evidence: [CONTRACT],
    paper: CONTRACT,
  });
  if (option === 'skip') return skip(run, { item, session }, { note, at }, config);
  const answer = note.trim() === '' ? 'Build it as you read it.' : note;
  await keepDecision(run, item, { by: 'user', asked, answer, session: found });
  return null;
}
