// Who must not see what, role by role.
import { expect, test } from 'vitest';
import { assignmentsOf, VERIFIER, type Assignment } from '../table/assignments.ts';
import type { StageName } from '../table/stages.ts';
import { unseenBy } from './unseen.ts';

const DOCS = 'docs/harness/sort/';
const state = { docs_path: DOCS, mode: 'multi' } as const;
const sent = (stage: StageName): readonly Assignment[] => assignmentsOf(stage, 'multi', DOCS);
/** Whether the session may see the file. */
const sees = (assignment: Assignment, path: string): boolean => {
  const unseen = unseenBy(assignment, state);
  if (unseen === undefined || unseen.but.includes(path)) return true;
  return !unseen.folders.some((folder) => path.startsWith(`${folder}/`));
};

const PAPERS = [
  '.harness/planner/proposal_architect.md',
  '.harness/planner/critique_architect.md',
  '.harness/generator/plan.md',
  '.harness/generator/review_combined.md',
  '.harness/conventions.md',
  '.harness/state.json',
  '.harness/sessions/1/prompt-1.md',
  `${DOCS}changes.md`,
  `${DOCS}qa_notes.md`,
  `${DOCS}critic_findings.md`,
];

test('the evaluator sees the code, the spec, the report of Layer 1 and its own report, and nothing else of the task', () => {
  const [evaluator] = sent('evaluate');
  if (evaluator === undefined) throw new Error('no evaluator');
  expect(PAPERS.filter((path) => sees(evaluator, path))).toEqual([]);
  const open = ['spec.md', 'verify_report.md', 'qa_report.md'].map((name) => `${DOCS}${name}`);
  const others = ['src/list.ts', 'docs/harness/other/changes.md', 'docs/harness/sorted.md', '.harness.yaml'];
  expect([...open, ...others].filter((path) => !sees(evaluator, path))).toEqual([]);
});

test('the verifier sees the report that it words, and nothing else of the task', () => {
  expect(PAPERS.filter((path) => sees(VERIFIER, path))).toEqual([]);
  expect([sees(VERIFIER, `${DOCS}verify_report.md`), sees(VERIFIER, `${DOCS}spec.md`)]).toEqual([true, false]);
});

test('an author sees no proposal but its own, a critic the two that it criticises and not its own', () => {
  const proposals = sent('propose').map(({ output }) => output);
  for (const author of sent('propose')) expect(proposals.filter((path) => sees(author, path))).toEqual([author.output]);
  for (const critic of sent('critique')) {
    const own = proposals.filter((path) => !sees(critic, path));
    expect(own).toEqual([`.harness/planner/proposal_${critic.persona?.replaceAll('-', '_')}.md`]);
    expect(sent('critique').filter(({ output }) => sees(critic, output))).toEqual([critic]);
  }
});

test('those who do the work see what was planned and reviewed', () => {
  const workers = (['synthesise', 'design', 'review', 'implement', 'retry', 'propose-fix', 'scan'] as const).flatMap(
    sent,
  );
  expect(workers.flatMap((one) => PAPERS.filter((path) => !sees(one, path)))).toEqual([]);
});
