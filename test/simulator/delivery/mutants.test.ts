// The rules of a delivery bite: with one promise broken on purpose, a mission breaks the rule that guards it.
import { expect, test } from 'vitest';
import { SEED } from '../../support/effort.ts';
import { playMission, type Mutant } from '../mission.ts';
import { CALM } from './calm.ts';
import { commitOnBase, baseOf, remoteOf } from './desk.ts';

const MUTANTS: readonly (readonly [name: string, rule: RegExp, performers: NonNullable<Mutant['performers']>])[] = [
  [
    'checks that failed count as passed',
    /its checks are failed/,
    (all) => ({
      ...all,
      ci: {
        ...all.ci,
        async perform(ask, context) {
          const found = await all.ci.perform(ask, context);
          return 'state' in found && found.state === 'failed' ? { ...found, state: 'passed' } : found;
        },
      },
    }),
  ],
  [
    'what a reviewer says counts for nothing',
    /no reviewer let it pass/,
    (all) => ({
      ...all,
      session: {
        ...all.session,
        async perform(ask, context) {
          const turn = await all.session.perform(ask, context);
          return ask.role === 'reviewer' && 'text' in turn ? { ...turn, end: 'end-turn', text: 'No findings.' } : turn;
        },
      },
    }),
  ],
  [
    'a plan file is moved each time it is asked for',
    /a plan file is moved once/,
    (all, { mission }) => ({
      ...all,
      'move-file': {
        ...all['move-file'],
        async perform(ask, context) {
          const done = await all['move-file'].perform(ask, context);
          commitOnBase(mission, 'again', baseOf(mission).tree);
          remoteOf(mission).moves.set(ask.item, 2);
          return done;
        },
      },
    }),
  ],
];

test.each(MUTANTS)('%s', async (_name, rule, performers) => {
  await expect(playMission(SEED, { hours: 200, mutant: { performers }, as: CALM })).rejects.toThrow(rule);
});
