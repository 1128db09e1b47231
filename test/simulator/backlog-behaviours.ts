// What agents do who are sent for one item of a list: some are honest, some lie, claim what is another's, break what was there.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flipPasses } from '../../src/playbooks/features/change.ts';
import { EVERYBODYS, performLimit } from './behaviours.ts';
import type { Files } from './files.ts';
import type { Kind, Moods } from './kind.ts';
import { DONE, itemsIn, workOf } from './list.ts';
import { addCommit, headOf } from './repository.ts';

export const BEHAVIOURS: readonly string[] = [
  ...EVERYBODYS, 'lies', 'wrong-claim', 'edits-others', 'breaks-older', 'tampers', 'commits', 'late-change',
]; // prettier-ignore

export const MOODS: Moods = {
  good: { honest: 60, nothing: 4, lies: 2, compacts: 2, 'refused-shortly': 2, fills: 2 },
  lying: {
    honest: 12,
    lies: 10,
    'wrong-claim': 5,
    'edits-others': 5,
    'breaks-older': 8,
    tampers: 8,
    commits: 6,
    'late-change': 6,
  },
  outages: {
    honest: 14, crashes: 6, 'refused-shortly': 6, 'refused-long': 5, refused: 6, overloaded: 6, offline: 6, malformed: 3, lost: 4, unknown: 3,
  }, // prettier-ignore
  tired: { honest: 14, fills: 8, stuck: 8, silent: 5, slow: 4, nothing: 8, compacts: 4, floods: 3 },
  dear: { honest: 10, dear: 20, lies: 4 },
  any: Object.fromEntries(
    BEHAVIOURS.map((behaviour) => [behaviour, behaviour === 'honest' ? 15 : behaviour === 'locked-out' ? 1.5 : 2]),
  ),
};

/** `isClaimed`: an agent says in the list that its item is done; else the end of the turn is the claim. */
export const performing =
  (isClaimed: boolean): Kind['perform'] =>
  async (behaviour, hands) => {
    if (hands.isCut()) return undefined;
    const { mission, ask, dice, write } = hands;
    const { repo } = mission;
    const item = ask.item ?? '';
    const others = itemsIn(headOf(repo).tree).filter((one) => String(one.id) !== item);
    const passing = others.filter((one) => one.passes);
    const claim = (whose: string): Files => {
      if (!isClaimed) return {};
      try {
        return { 'features.json': flipPasses(repo.work.get('features.json') ?? '', whose) };
      } catch {
        return {};
      }
    };
    const done = (): Files => ({ [workOf(item)]: DONE, ...claim(item) });
    switch (behaviour) {
      case 'honest':
        return write({
          ...done(),
          'claude-progress.txt': `${repo.work.get('claude-progress.txt') ?? ''}\nI did it.\n`,
        });
      case 'lies':
        return write(claim(item));
      case 'wrong-claim':
        return write({ ...done(), ...(others[0] ? claim(String(dice.oneOf(others).id)) : {}) });
      case 'edits-others': {
        write(done());
        const text = repo.work.get('features.json') ?? '';
        return write({ 'features.json': text.replace('"description": "User', '"description": "Nobody') });
      }
      case 'breaks-older':
        return write({ ...done(), ...(passing[0] ? { [workOf(String(dice.oneOf(passing).id))]: 'broken\n' } : {}) });
      case 'tampers':
        write(done());
        writeFileSync(join(mission.stateDir, 'session_state.json'), '{"stuck_count": 0, ');
        if (dice.happens(0.5)) writeFileSync(join(mission.stateDir, 'costs.yaml'), 'nothing: spent\n');
        return undefined;
      case 'commits': {
        write(done());
        const at = mission.time.clock.iso();
        addCommit(repo, { tree: repo.work, subject: 'mine', at, trailers: {} });
        return undefined;
      }
      case 'late-change':
        write(done());
        mission.later = () => write({ [workOf(item)]: 'changed later\n' });
        return undefined;
      default:
        return performLimit(behaviour, hands, async () => write(done()));
    }
  };
