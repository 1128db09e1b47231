// Which of several attempts at a feature lands: a judge scores those that hold, by a rubric. It sees what they changed, not who made them.
import { z } from 'zod';
import { defineBrief, openingSay } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import type { Scored } from '../../model/competition.ts';
import type { Config } from '../../model/config.ts';
import { code, joined, section } from '../session/quote.ts';
import type { Comparison, Contest } from '../session/item/kind.ts';
import { assertionSection, featureSection, listed } from './briefs.ts';
import { featureFacts } from './facts.ts';
import { readScores } from './judge-answer.ts';
import { askRole } from './role-session.ts';
import { withoutStrays } from '../session/strays.ts';

const judgeBrief = defineBrief({
  id: 'mission.judge',
  input: z.object({
    item: z.string(),
    base: z.string(),
    candidates: z.array(z.object({ number: z.number(), commit: z.string() })).readonly(),
  }),
  async text(context, { item, base, candidates }) {
    const facts = await featureFacts(context, item);
    const changed = await context.view.changedBy(candidates.map(({ commit }) => commit));
    return joined([
      featureSection(facts),
      assertionSection(facts.assertions),
      ...candidates.map(({ number, commit }, n) =>
        joined([
          `## Candidate ${number}\n\n${code(`git diff ${base} ${commit}`, 120)}`,
          section('**Changed files:**', listed(changed[n] ?? [])),
        ]),
      ),
    ]);
  },
});

export async function compare(
  run: Run<Actions>,
  { facts, checkpoint, session, candidates }: Contest,
  config: Config,
): Promise<Comparison> {
  const numbers = candidates.map(({ number }) => number);
  const answer = await withoutStrays(run, { session, item: facts.id }, () =>
    askRole<readonly Scored[]>(
      run,
      {
        role: 'judge',
        item: facts.id,
        title: facts.title,
        attempt: facts.attempt,
        opening: openingSay(judgeBrief, { item: facts.id, base: checkpoint.commit, candidates }),
        read(text) {
          const scored = readScores(text, numbers);
          return Promise.resolve(
            scored === null
              ? { problems: [{ code: 'review-unanswered', params: { role: 'judge' } }] }
              : { answer: scored },
          );
        },
      },
      config,
    ),
  );
  return { scored: answer.is === 'answered' ? answer.answer : [], judge: answer.session };
}
