// What people were asked, in which order, and that nothing behind a question is done before its answer.
import { isDeepStrictEqual } from 'node:util';
import type { WorkflowState } from '../../../src/playbooks/workflow/file/state.ts';
import { gatesOf } from '../end-state.ts';
import type { FixtureProject } from '../fixture-project.ts';
import { DOCS, listIn } from './desk.ts';
import { newCommits } from './landed.ts';
import type { WorkflowScenario } from './scenario.ts';
import { stateOf } from './stands.ts';

const answered = (shop: FixtureProject): readonly (readonly [subject: string, option: string])[] => {
  const gates = gatesOf(shop);
  if (!Array.isArray(gates)) return [];
  return (gates as readonly [string, string, string, { readonly option?: string }][])
    .filter(([, , how]) => how === 'answered')
    .map(([subject, , , closed]) => [subject, closed.option ?? '']);
};

/** Each question is asked once, in its turn, and answered by a person; none stays open. */
export function askedOf(shop: FixtureProject, { asked, isLoose }: WorkflowScenario): readonly string[] {
  const all = gatesOf(shop);
  const given = answered(shop);
  const isSame = isDeepStrictEqual(given, asked);
  const isClosed = isLoose || (Array.isArray(all) && all.length === asked.length);
  return isSame && isClosed ? [] : [`people were asked ${JSON.stringify(all)}, not ${JSON.stringify(asked)}`];
}

/** No phase behind a hard gate is reached before its answer. */
export function passedUnasked(shop: FixtureProject, { asked }: WorkflowScenario): readonly string[] {
  const { state } = stateOf(shop);
  const given = answered(shop).map(([subject, option]) => `${subject} ${option}`);
  const wanted = asked.map(([subject, option]) => `${subject} ${option}`);
  const wrong = given.filter((one, at) => one !== wanted[at]).map((one) => `answered: ${one}`);
  const isOpen = (one: string): boolean => wanted.includes(one) && !given.includes(one);
  const isAgreed = !isOpen('workflow-spec proceed');
  const isFixing = isOpen('workflow-auto-fix apply');
  const isBehind = !['plan_ready', 'planning', 'plan_done', null].includes(state?.phase ?? null);
  const isOver = state === null || newCommits(shop).length > 0;
  return [
    ...wrong,
    ...(isBehind && !isAgreed ? [`it stands in ${state?.phase}, and nobody agreed to the spec`] : []),
    ...(listIn(shop) !== 'unsorted\n' && !isAgreed ? ['code is written, and nobody agreed to the spec'] : []),
    ...(state?.autofix?.applied === 'applied' && isFixing ? ['a fix counts as applied, and nobody said so'] : []),
    ...(isFixing && listIn(shop) === 'sorted\n' ? ['a fix is applied, and nobody said so'] : []),
    ...(isOver && !given.some((one) => one.startsWith('workflow-commit')) ? ['it is over, and nobody said how'] : []),
    ...(isOver ? [] : missingOf(shop, state)),
  ];
}

/** What a person is asked about is there to be looked at, until they have said how it ends. */
function missingOf(shop: FixtureProject, { phase }: WorkflowState): readonly string[] {
  const isAsked = answered(shop).some(([subject]) => subject === 'workflow-commit');
  const papers = isAsked
    ? []
    : phase === 'plan_done'
      ? ['spec.md']
      : phase === 'completed'
        ? ['spec.md', 'qa_report.md']
        : [];
  return papers.filter((name) => shop.read(`${DOCS}${name}`) === null).map((name) => `${name} is gone in ${phase}`);
}
