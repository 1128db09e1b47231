// A session of a role of the delivery. One that needs something of a user is answered, and asked again.
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { ItemFacts } from '../session/facts.ts';
import { askRole as askSession, type RoleAnswer, type RoleAsk } from '../session/role-session.ts';
import { askUser } from './ask-user.ts';
import { needIn } from './needs.ts';

/** How often one role asks in a row. */
const MOST_NEEDS = 3;

/** `isAnswer`: its message has what it was asked for all the same. */
export async function askRole<T>(
  run: Run<Actions>,
  facts: ItemFacts,
  ask: Omit<RoleAsk<T>, 'item' | 'title'> & { readonly isAnswer: (text: string) => boolean },
  config: Config,
): Promise<RoleAnswer<T>> {
  const { isAnswer, ...rest } = ask;
  const named = { ...rest, item: facts.id, title: facts.title };
  for (let asked = 0; ; asked += 1) {
    const step = asked === 0 ? run : run.scope(`needs-${asked}`);
    const answer = await askSession<{ readonly need: string } | { readonly said: T }>(
      step,
      {
        ...named,
        async read(text, at, session) {
          const need = asked < MOST_NEEDS && !isAnswer(text) ? needIn(text) : null;
          if (need !== null) return { answer: { need } };
          const found = await ask.read(text, at, session);
          return 'answer' in found ? { answer: { said: found.answer } } : found;
        },
      },
      config,
    );
    if (answer.is !== 'answered') return answer;
    if ('said' in answer.answer) return { ...answer, answer: answer.answer.said };
    await askUser(step.scope('needs'), { facts, role: ask.role, need: answer.answer.need });
  }
}
