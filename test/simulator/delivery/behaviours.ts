// What agents of the roles of a delivery do: implementers who lie or leave blemishes, reviewers who find what is there, what is not, or always something,
// fixers who do more than they were asked for.
import type { Hands } from '../behaviours.ts';
import { EVERYBODYS, performLimit } from '../behaviours.ts';
import type { Files } from '../files.ts';
import type { Kind, Moods } from '../kind.ts';
import { BLEMISH, BLEMISHED, DONE, planFile, remoteOf, workOf } from './desk.ts';
import { headOf } from '../repository.ts';
import { judgedChange, judgedTree } from './rules.ts';

export const BEHAVIOURS: readonly string[] = [
  ...EVERYBODYS.filter((one) => one !== 'locked-out'), 'lies', 'blemished', 'picky', 'invents', 'babbles', 'strays', 'grows', 'edits-plan',
]; // prettier-ignore

export const MOODS: Moods = {
  any: Object.fromEntries(BEHAVIOURS.map((one) => [one, one === 'honest' ? 90 : one === 'blemished' ? 12 : 1])),
};

const finding = (item: string, quote: string, severity = 'High'): string =>
  `### ${severity}: something is wrong\nPath: ${workOf(item)}\nQuote: ${quote}\nWhy: it is.`;

export const perform: Kind['perform'] = async (behaviour, hands) => {
  if (hands.isCut()) return undefined;
  const { ask, dice, write, mission } = hands;
  const item = ask.item ?? '';
  const work = mission.repo.work.get(workOf(item)) ?? '';
  switch (ask.role) {
    case 'implementer': {
      const files: Files = { [workOf(item)]: dice.happens(0.25) || behaviour === 'blemished' ? BLEMISHED : DONE };
      if (behaviour === 'lies') return 'It is all done.';
      if (behaviour === 'edits-plan') return write({ ...files, [planFile(item)]: '# Done\n' });
      return doing(behaviour, hands, async () => write(files));
    }
    case 'fixer': {
      const files: Files = { [workOf(item)]: dice.happens(0.9) ? DONE : BLEMISHED };
      if (behaviour === 'grows') return write({ ...files, 'src/more.txt': `of session ${ask.session}\n` });
      return doing(behaviour, hands, async () => write(files));
    }
    case 'preparer':
      if (behaviour === 'strays') write({ 'stray.txt': `of session ${ask.session}\n` });
      return speaking(behaviour, hands, `Title: Part ${item}\n\nIt works.`);
    case 'merge-checker': {
      const isFine = !dice.happens(0.05);
      const said = isFine ? 'No findings. Ready to enable auto-merge.' : finding(item, work.split('\n')[0] ?? '');
      return judging(behaviour, hands, { said, isFine, into: 'ready' });
    }
    default: {
      const isFine = !work.includes(BLEMISH) && behaviour !== 'picky';
      const quote = work.includes(BLEMISH) ? BLEMISH : (work.split('\n')[0] ?? '');
      const low = dice.happens(0.3) ? `\n\n- Low: ${LOW}` : '';
      const said = isFine ? `No blocking findings.${low}` : `${finding(item, quote)}${low}`;
      if (behaviour === 'invents') {
        // Without evidence it is an opinion: it blocks nothing.
        remoteOf(mission).reviewed.add(judgedBy(mission, item, 'reviewed'));
        return finding(item, 'this line is nowhere at all');
      }
      return judging(behaviour, hands, { said, isFine, into: 'reviewed' });
    }
  }
};

/** In no prompt of a fixer. */
export const LOW = 'a name says little';

type Judged = { readonly said: string; readonly isFine: boolean; readonly into: 'reviewed' | 'ready' };
const judgedBy = ({ repo }: Hands['mission'], item: string, into: Judged['into']): string =>
  into === 'ready' ? judgedTree(item, repo.work) : judgedChange(item, headOf(repo).tree, repo.work);

/** What it says counts for the tree that it was given; if it changes that, it counts for nothing. */
async function judging(behaviour: string, hands: Hands, { said, isFine, into }: Judged): Promise<string | void> {
  const { mission, ask, write } = hands;
  if (behaviour === 'strays') {
    write({ [`src/stray-${ask.session}.txt`]: 'mine\n' });
    return said;
  }
  if (behaviour === 'babbles') return 'It is a fine change, I think.';
  const judged = judgedBy(mission, ask.item ?? '', into);
  const word = await speaking(behaviour, hands, said);
  if (word === said && isFine) remoteOf(mission)[into].add(judged);
  return word;
}

async function speaking(behaviour: string, hands: Hands, said: string): Promise<string | void> {
  let word: string | undefined = undefined;
  const other = await doing(behaviour, hands, async () => void (word = said));
  return word ?? other;
}

/** What it was sent for, or what any agent may do instead. */
const doing: typeof performLimit = (behaviour, hands, honest) =>
  behaviour === 'honest' || !EVERYBODYS.includes(behaviour) ? honest() : performLimit(behaviour, hands, honest);
