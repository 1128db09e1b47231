// What agents do who are not all honest, and what they leave: the parts of which the scenarios are made.
import type { About, Turn } from '../quick/agents.ts';
import { builds, DOCS, honest, judges, listIn } from './desk.ts';
import { SORTED } from './scenario.ts';

export const has = (about: About, name: string): boolean => about.shop.read(`${DOCS}${name}`) !== null;
export const by =
  (role: string, turn: (about: About) => Turn) =>
  (about: About): Turn =>
    about.role === role ? turn(about) : honest(about);
/** The first turn of all is another than those after it. */
export const first =
  (turn: (about: About) => Turn) =>
  (about: About): Turn =>
    about.played === 0 ? turn(about) : honest(about);
/** A turn that finds it unsorted mixes it up; one that finds it mixed up sorts it. */
export const atSecond = (about: About): Turn =>
  builds(about, listIn(about.shop) === 'unsorted\n' ? 'mixed up\n' : 'sorted\n');
export const never = by('generator', (about) => builds(about, 'mixed up\n'));
export const besides = (play: (about: About) => Turn, role: string, turn: (about: About) => Turn) => (about: About) =>
  about.role === role ? turn(about) : play(about);
export const PAPERS = {
  [`${DOCS}spec.md`]: '# Spec\n\nSort the list.\n',
  [`${DOCS}changes.md`]: '# Changes\n\n- `list.txt` — sorted\n',
  [`${DOCS}verify_report.md`]: '',
  [`${DOCS}qa_report.md`]: '# QA\n\n### Verdict: PASS\n\n## Fix Instructions\n\n- sort it\n',
};
/** Judged by a file that only who is sent after a report adds. */
export const untested = (said: string) => (about: About) =>
  about.role === 'evaluator' && about.shop.read('list.test') === null
    ? judges(about, 'FAIL', said)
    : about.role === 'generator'
      ? builds(about, 'sorted\n', has(about, 'qa_report.md') ? { 'list.test': 'tested\n' } : {})
      : honest(about);
export const TESTED = { ...SORTED, 'list.test': 'tested\n' };
