// Missions: the list of features, worked by many roles. Their judges are honest, too strict, careless, or change what they judge; what lands must be
// true all the same.
import { featuresPlaybook } from '../../src/playbooks/features/playbook.ts';
import { missionPlaybook } from '../../src/playbooks/mission/playbook.ts';
import { ROLES } from '../../src/playbooks/mission/roles.ts';
import { performing } from './backlog-behaviours.ts';
import { LIST } from './backlog-kind.ts';
import { performLimit, type Hands } from './behaviours.ts';
import type { Kind } from './kind.ts';
import { isTrue, itemsIn, workOf } from './list.ts';
import { headOf } from './repository.ts';

const QUOTED = { path: 'init.sh', quote: '#!/bin/sh' };
const working = performing(false);

/** A verdict for each assertion of its item, in the form of the role. */
const verdicts = ({ mission: { repo }, ask }: Hands, verdict: string, quoted: object): string => {
  const item = ask.item ?? '';
  const steps = itemsIn(headOf(repo).tree).find(({ id }) => String(id) === item)?.verification_steps ?? [];
  const assertions = steps.map((_, n) => ({ id: `${item}.${n + 1}`, verdict, why: 'As I see it.', ...quoted }));
  return JSON.stringify({ assertions, issues: [] });
};

/** What a judge says. Its behaviours are those of workers by name, so that one mood makes a whole mission. */
function judging(behaviour: string, hands: Hands): Promise<string | void> {
  const { mission, ask, write, dice } = hands;
  const isDone = isTrue(mission.repo.work, ask.item ?? '');
  const honestly = (): string => verdicts(hands, isDone ? 'pass' : 'fail', QUOTED);
  switch (behaviour) {
    case 'lies':
      return Promise.resolve(verdicts(hands, 'pass', QUOTED));
    case 'wrong-claim':
      return Promise.resolve(verdicts(hands, 'unclear', {}));
    case 'breaks-older':
      return Promise.resolve(verdicts(hands, 'pass', { path: 'init.sh', quote: 'words that are not in the file' }));
    case 'edits-others':
      return Promise.resolve(verdicts(hands, 'fail', {}));
    case 'late-change':
    case 'commits':
      write({ [workOf(ask.item ?? '')]: 'changed by its judge\n' });
      return Promise.resolve(honestly());
    case 'tampers':
      return Promise.resolve(dice.happens(0.5) ? 'It looks good to me.' : '{"assertions": [}');
    default:
      return performLimit(behaviour, hands, () => Promise.resolve(honestly()));
  }
}

/** The roles that look for a cause, make an assertion clear, or keep the memory. */
const advising = (behaviour: string, hands: Hands): Promise<string | void> =>
  performLimit(behaviour, hands, async () =>
    hands.ask.role === 'architect' ? 'ESCALATE: I cannot tell.' : '## Root cause\n\nThe file was forgotten.',
  );

const JUDGES: readonly string[] = ['validator', 'crosscheck'];

export const MISSION: Kind = {
  ...LIST,
  name: 'mission',
  playbook: { backlog: featuresPlaybook.backlog, machine: missionPlaybook.machine },
  roles: ROLES.map((role) => ['mission', role] as const),
  config: {
    playbook: { backlog: 'features', machine: 'mission' },
    paths: { backlog: 'features.json', progress: '.harness/mission.log', stateDir: '.harness' },
    mission: { crosscheck: true },
  },
  // A worker and two judges, and often again.
  sessionsEach: 4,
  note: ({ role, session }, n) => (role === 'worker' ? `notes/s${session}-${n}.txt` : null),
  perform(behaviour, hands) {
    if (hands.ask.role === 'worker') return working(behaviour, hands);
    return JUDGES.includes(hands.ask.role) ? judging(behaviour, hands) : advising(behaviour, hands);
  },
};
