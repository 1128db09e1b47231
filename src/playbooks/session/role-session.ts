// A session of a role beside the item's own: a process, a number and a record of its own. It is asked again where its answer cannot be read, and then
// counts as not answered: nothing is guessed.
import type { Run } from '../../engine/types.ts';
import type { Actions, Say, SessionAsk } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { Failure } from '../../model/failure.ts';
import { bookedOn } from '../../model/item.ts';
import type { Problem } from '../../model/verdict.ts';
import { converse } from './conversation.ts';

type R = Run<Actions>;

export type RoleAsk<T> = Pick<SessionAsk, 'role' | 'title' | 'attempt' | 'unseen' | 'writes'> & {
  /** null: it works for the list as a whole. */
  readonly item: string | null;
  readonly opening: Say;
  /** A file that it must write; left out: it answers in its last message. */
  readonly output?: string;
  /** Lines of its last message that others remember; left out: none. */
  readonly notes?: (text: string) => readonly string[];
  /** What its last message says, or why it cannot be read. */
  read(
    text: string,
    step: R,
    session: number,
  ): Promise<{ readonly answer: T } | { readonly problems: readonly Problem[] }>;
};

export type RoleAnswer<T> =
  | { readonly is: 'answered'; readonly answer: T; readonly text: string; readonly session: number }
  /** It ended without an answer that can be read. */
  | {
      readonly is: 'unanswered';
      readonly problems: readonly Problem[];
      /** Its last message. */
      readonly text: string;
      readonly session: number;
    }
  /** Its agent is not available; the work is not at fault. */
  | { readonly is: 'unavailable'; readonly failure: Failure; readonly session: number };

/** How often it is asked again. */
const MOST_GHOSTS = 2;

export async function askRole<T>(run: R, ask: RoleAsk<T>, config: Config): Promise<RoleAnswer<T>> {
  const { role, item, title, attempt, opening, output = '', unseen, writes } = ask;
  const { session } = await run.do('number', { kind: 'number', item });
  const about = { role, session, attempt, item, title, output };
  const who = { ...about, ...(unseen ? { unseen } : {}), ...(writes ? { writes } : {}) };
  const send = converse(run, { who, opening, config });
  let say: Say = opening;
  for (let ghosts = 0; ; ghosts += 1) {
    const { turn, step, outage } = await send(say);
    const cause = outage?.failure ?? (turn.end === 'agent-failed' ? turn.failure : null);
    if (cause !== null) return ended(run, ask, { is: 'unavailable', failure: cause, session });
    const found = await ask.read(turn.text, step, session);
    if ('answer' in found) return ended(run, ask, { is: 'answered', answer: found.answer, text: turn.text, session });
    if (turn.end !== 'end-turn' || turn.wrapUp !== null || ghosts >= MOST_GHOSTS)
      return ended(run, ask, { is: 'unanswered', problems: found.problems, text: turn.text, session });
    say = { kind: 'problems', problems: found.problems, note: '' };
  }
}

/** What its record says. */
export const roleSummary = <S extends { readonly completed: boolean }>(about: S) => ({
  ...about,
  termination: about.completed ? 'success' : 'error',
  result: about.completed ? 'done' : 'failed',
});

/** The end of every such session: its process, what it cost, its record. */
async function ended<T>(run: R, { role, item, notes }: RoleAsk<T>, result: RoleAnswer<T>): Promise<RoleAnswer<T>> {
  const { session } = result;
  const booked = bookedOn({ item, role });
  const { tampering } = await run.do('close', { kind: 'close', session });
  const answer: RoleAnswer<T> =
    tampering.length === 0 ? result : { is: 'unanswered', problems: tampering, text: '', session };
  await run.do('costs', { kind: 'remember', what: 'costs', session, item: booked });
  const problems = answer.is === 'unanswered' ? answer.problems : [];
  const reason = answer.is === 'unavailable' ? answer.failure.reason : (problems[0]?.code ?? 'end-turn');
  const summary = roleSummary({ item: booked, role, completed: answer.is === 'answered', reason, problems });
  await run.do('record', { kind: 'remember', what: 'session', session, summary });
  const lines =
    notes === undefined
      ? []
      : [
          ...problems.map(({ code, params }) => `${code}: ${Object.values(params).join(', ')}`),
          ...notes(textOf(result)),
        ];
  if (lines.length > 0) await run.do('notes', { kind: 'remember', what: 'memory', session, role, item, lines });
  return answer;
}

const textOf = <T>(answer: RoleAnswer<T>): string => (answer.is === 'answered' ? answer.text : '');
