// What is played while the program is killed again and again. Real agents and real checks; short, but with something to lose
// at every step. Two files of tests share them, in turn.
import {
  isAsked,
  isCut,
  breaks,
  HALF,
  HONEST,
  lies,
  puts,
  refused,
  script,
  session,
  USED,
  wrapsUp,
} from '../scenarios.ts';
import type { Scenario } from '../scenarios.ts';
import { backlog, configured, feature, SHOP } from '../fixture-project.ts';

export type Played = Pick<Scenario, 'name' | 'files' | 'script' | 'before'>;

/** No box: nothing dies by itself with the program. */
const NO_BOX = 'sandbox: { level: none }\n';
const STUCK = 'verification: { fix_turns: 0 }\nfeatures: { max_stuck_sessions: 1 }\n';
const POLICY = 'gates: { policies: { repeated-failures: { answer: skip, after: 0.2s } } }\n';

/** No answer comes in time: the policy answers the question, once, and the item is skipped. */
const isAnsweredByPolicy: Played = {
  name: 'a question that a policy answers',
  files: { ...SHOP, '.harness.yaml': configured(STUCK + POLICY) },
  script: script(session({ item: 2 }, [{ claim: 2 }, USED, { say: 'Done.' }])),
};

/** Its provider refuses a request: waited for, then the same session continues. */
const isRefusedShortly: Played = {
  name: 'a provider that is away for a second',
  files: SHOP,
  script: script(session({ item: 2 }, [HALF, USED, refused(0.5)], HONEST)),
};

/** Work without proofs of tests, one item after the other; agents leave processes behind. */
const landTwo: Played = {
  name: 'two features that land, without a box',
  files: {
    ...SHOP,
    '.harness.yaml': configured(NO_BOX),
    'features.json': backlog(
      feature(1, 'open', { passes: true, category: 'chore' }),
      feature(2, 'pay', { passes: false, category: 'chore' }),
      feature(3, 'leave', { passes: false, category: 'chore' }),
    ),
    'tests/leave.sh': (SHOP['tests/pay.sh'] ?? '').replaceAll('pay', 'leave'),
  },
  script: script(
    session({ item: 2 }, [{ run: { command: 'sleep 300', background: true } }, ...HONEST]),
    session({ item: 3 }, [{ append: { path: 'shop.txt', text: 'leave\n' } }, { claim: 3 }, USED]),
  ),
};

/** Half of it is saved; left out, that is taken back, and the next can land. */
const isLeftOut: Played = {
  name: 'an item that is left out, and its unfinished work taken back',
  files: {
    ...landTwo.files,
    '.harness.yaml': configured(
      `${NO_BOX}${STUCK}gates: { policies: { feature-stuck: { answer: skip, after: 0.2s } } }\n`,
    ),
  },
  script: script(
    session({ item: 2 }, [HALF, USED, { say: 'Half of it.' }]),
    session({ item: 3 }, [{ append: { path: 'shop.txt', text: 'leave\n' } }, { claim: 3 }, USED]),
  ),
};

const withoutBox = (played: Played): Played => ({
  ...played,
  name: `${played.name}, without a box`,
  files: { ...played.files, '.harness.yaml': (played.files['.harness.yaml'] ?? '') + NO_BOX },
});

export const KILLED: readonly Played[] = [
  lies,
  isCut,
  landTwo,
  isAnsweredByPolicy,
  withoutBox(breaks),
  withoutBox(isRefusedShortly),
  puts,
  withoutBox(wrapsUp),
  isAsked,
  isLeftOut,
];
