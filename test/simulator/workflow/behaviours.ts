// What agents of a workflow do: what they are sent for by their role, and how some do it badly, or go where they have no business.
import { PHASES } from '../../../src/playbooks/workflow/file/state.ts';
import { EVERYBODYS, performLimit, type Hands } from '../behaviours.ts';
import type { Files } from '../files.ts';
import type { Kind, Moods } from '../kind.ts';
import { addCommit } from '../repository.ts';
import { ALMOST, BROKEN, DOCS, DONE, isDone, SPEC, STATE, WORK } from './desk.ts';
import { forges } from './watch.ts';

export const BEHAVIOURS: readonly string[] = [
  ...EVERYBODYS, 'lies', 'botches', 'condemns', 'contrary', 'gives-up', 'wrong-file', 'empty', 'strays', 'commits', 'switches',
  'tampers',
]; // prettier-ignore

export const MOODS: Moods = {
  good: { honest: 80, lies: 6, contrary: 3, compacts: 2, 'refused-shortly': 2 },
  poor: { honest: 20, lies: 12, contrary: 8, nothing: 2, 'gives-up': 4, empty: 3, 'wrong-file': 3 },
  stubborn: { honest: 10, botches: 90 },
  careless: { honest: 30, botches: 60, condemns: 10, lies: 1 },
  strict: { honest: 40, condemns: 60, botches: 5 },
  adversarial: { honest: 20, strays: 8, commits: 4, switches: 3, tampers: 10, lies: 3 },
  outages: {
    honest: 20, crashes: 5, 'refused-shortly': 5, 'refused-long': 4, refused: 4, overloaded: 4, offline: 4, malformed: 3, lost: 4, unknown: 3,
  }, // prettier-ignore
  tired: { honest: 24, fills: 5, stuck: 5, silent: 3, slow: 3, nothing: 4, compacts: 4, floods: 2 },
  dear: { honest: 20, dear: 12, lies: 4 },
  any: Object.fromEntries(
    BEHAVIOURS.map((behaviour) => [behaviour, behaviour === 'honest' ? 40 : behaviour === 'locked-out' ? 1 : 2]),
  ),
};

type Done = { readonly files: Files; readonly said: string };
type Role = (hands: Hands, work: string) => Done;
const paper =
  (text: string, said: string): Role =>
  ({ ask }) => ({ files: ask.output === '' ? {} : { [ask.output]: text }, said });
const code: Role = ({ ask }, work) => ({
  files: { [WORK]: work, [ask.output]: `# Changes\n\n- \`${WORK}\` — it does\n` },
  said: `${WORK} changed — it does`,
});
const judgement = (verdict: 'PASS' | 'FAIL', said: string): Role =>
  paper(`# QA\n\n### Verdict: ${verdict}\n\n## Fix Instructions\n\n- do it\n`, said);
const diff = (from: string, to: string): string =>
  `diff --git a/${WORK} b/${WORK}\n--- a/${WORK}\n+++ b/${WORK}\n@@ -1 +1 @@\n-${from}+${to}`;
const proposal: Role = (hands, work) => {
  const now = hands.mission.repo.work.get(WORK) ?? ALMOST;
  const text = `# Auto-fix\n\nSummary: one word\nConfidence: High\n\n\`\`\`diff\n${diff(now, work)}\`\`\`\n`;
  return paper(text, 'auto_fix_patch written — confidence: High — one word')(hands, work);
};
const condemns: Role = (hands, work) =>
  judgement('FAIL', `${hands.dice.oneOf(['FAIL L2', 'FAIL L3', 'FAIL'])} — it does not`)(hands, work);
const judges =
  (isLying: boolean): Role =>
  (hands, work) => {
    const isGood = isDone(hands.mission.repo.work) !== isLying;
    return (isGood ? judgement('PASS', 'PASS — it does') : condemns)(hands, work);
  };

const ROLES: { readonly [role: string]: Role } = {
  generator: code,
  evaluator: judges(false),
  verifier: paper('', 'FAIL — test: it does not'),
  'auto-fix-proposer': proposal,
  planner: paper('# Spec\n\nDo the work.\n', 'spec written — the work is done'),
  synthesis: paper('# Spec\n\nDo the work, all of it.\n', 'spec written — the work is done'),
};
const honest: Role = (hands, work) => (ROLES[hands.ask.role] ?? paper('Words.\n', 'paper written — fine'))(hands, work);

export const perform: Kind['perform'] = async (behaviour, hands) => {
  if (hands.isCut()) return undefined;
  const { mission, ask, dice, write } = hands;
  const { repo, ledger } = mission;
  const play = (role: Role, work = DONE): string => {
    const { files, said } = role(hands, work);
    write(files);
    return said;
  };
  switch (behaviour) {
    case 'honest':
      return play(honest);
    case 'lies':
      if (ask.role === 'generator') return play(honest, ALMOST);
      if (ask.role === 'evaluator') return play(judgement('PASS', 'PASS — I looked closely'));
      return ask.role === 'auto-fix-proposer' ? play(honest, ALMOST) : 'paper written — fine';
    // The two that lead to the questions of a workflow: every other session does what it is sent for.
    case 'botches':
      return play(honest, ask.role === 'generator' ? ALMOST : DONE);
    case 'condemns':
      return play(ask.role === 'evaluator' ? condemns : honest);
    case 'contrary':
      if (ask.role === 'evaluator') return play(judges(true));
      if (ask.role === 'verifier') return 'PASS — everything does';
      play(honest, BROKEN);
      return '…';
    case 'gives-up':
      play(honest, BROKEN);
      return 'FAIL — I cannot do it';
    case 'wrong-file':
      write({ [`${DOCS}other.md`]: 'Here.\n' });
      return 'paper written — fine';
    case 'empty':
      if (ask.output !== '') write({ [ask.output]: ' \n' });
      return 'paper written — fine';
    case 'strays': {
      const path = `stray/s${ask.session}-t${ask.turn}.txt`;
      write({
        [path]: 'beyond\n',
        ...(ask.role === 'generator' ? { [SPEC]: '# Spec\n\nDo nothing.\n' } : { [WORK]: ALMOST }),
      });
      if (!hands.isCut()) ledger.written.add(path);
      return play(honest);
    }
    case 'commits': {
      const said = play(honest);
      addCommit(repo, { tree: repo.work, subject: 'mine', at: mission.time.clock.iso(), trailers: {} });
      return said;
    }
    case 'switches': {
      const said = play(honest);
      repo.branch = 'elsewhere';
      return said;
    }
    case 'tampers': {
      const forged = forges(mission, dice.happens(0.2) ? null : dice.oneOf(PHASES));
      if (forged !== null) write({ [STATE]: forged });
      if (dice.happens(0.3)) write({ '.harness/costs.yaml': 'nothing: spent\n' });
      // Some take a while: a run that crashes meanwhile finds it so.
      await hands.rest(dice.between(1, 600) * 1_000);
      return play(honest);
    }
    default:
      return performLimit(behaviour, hands, async () => play(honest));
  }
};
