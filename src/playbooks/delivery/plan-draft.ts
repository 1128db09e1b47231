// The plans that a planner drafted, judged by the harness: every mistake as a problem that is returned to it. Pure.
import type { Problem } from '../../model/verdict.ts';
import { dependencyCycles, pathText } from '../records/graph.ts';
import { tagKey, type AcceptanceCriteria } from './acceptance.ts';
import { cutFences } from './markdown.ts';
import { planName, readPlan, type PlanHead } from './plan-file.ts';

/** `file`: its name, `NNNN-slug.md`. */
export type PlanDraft = { readonly file: string; readonly text: string };

export type PlansDraft = {
  /** All files of the folder but that of the acceptance criteria. */
  readonly plans: readonly PlanDraft[];
  /** Plans that are there already, merged ones included. */
  readonly existing: readonly PlanHead[];
  /** null: there are none yet, and none were drafted. */
  readonly acceptance: AcceptanceCriteria | null;
  /** Where the acceptance criteria are, for messages. */
  readonly acceptanceFile: string;
  /** Folders that hold no test of a project: the plans, the state of the harness. */
  readonly reserved: readonly string[];
};

export const LIMITS = { plans: 200, characters: 20_000, tags: 12, criteria: 1_000 } as const;

const wrong = (file: string, why: string, more: { readonly line?: number; readonly what?: string } = {}): Problem => ({
  code: 'plan-draft-invalid',
  params: { file, why, line: more.line ?? '', what: more.what ?? '' },
});

export function draftProblems(draft: PlansDraft): readonly Problem[] {
  const { plans, existing, acceptance, acceptanceFile } = draft;
  const problems = [...criteriaProblems(acceptance, acceptanceFile)];
  if (plans.length === 0) problems.push({ code: 'plan-draft-missing', params: {} });
  if (plans.length > LIMITS.plans)
    problems.push(wrong(plans[LIMITS.plans]?.file ?? '', 'plans-too-many', { what: `${LIMITS.plans}` }));
  const heads: PlanHead[] = [];
  for (const plan of plans) {
    const head = readPlan(plan.file, plan.text);
    if (head === null) {
      problems.push(wrong(plan.file, 'name-of-no-plan'));
      continue;
    }
    heads.push(head);
    problems.push(...planProblems(plan, head, draft));
  }
  problems.push(...numberProblems(heads, existing), ...graphProblems(heads, existing));
  if (acceptance !== null) problems.push(...tagProblems(heads, existing, acceptance));
  return problems;
}

export function criteriaProblems(acceptance: AcceptanceCriteria | null, file: string): readonly Problem[] {
  const { criteria = [], mistakes = [] } = acceptance ?? {};
  if (criteria.length === 0 && mistakes.length === 0) return [{ code: 'acceptance-missing', params: { file } }];
  return [
    ...mistakes.map(({ line, why, tag }) => wrong(file, why, { line, what: tag })),
    ...(criteria.length > LIMITS.criteria ? [wrong(file, 'criteria-too-many', { what: `${LIMITS.criteria}` })] : []),
  ];
}

function planProblems({ file, text }: PlanDraft, head: PlanHead, { reserved }: PlansDraft): readonly Problem[] {
  const problems = head.mistakes.map(({ line, what }) => wrong(file, 'unreadable-line', { line, what }));
  if (text.length > LIMITS.characters) problems.push(wrong(file, 'plan-too-long', { what: `${LIMITS.characters}` }));
  if (head.tags.length > LIMITS.tags) problems.push(wrong(file, 'tags-too-many', { what: `${LIMITS.tags}` }));
  if (!/^#\s+\S|^title:\s*\S/m.test(text)) problems.push(wrong(file, 'title-missing'));
  if (!hasWork(text)) problems.push(wrong(file, 'work-missing'));
  const { testFile } = head;
  if (testFile === null) problems.push(wrong(file, 'test-missing'));
  else if (!isTestPath(testFile, reserved)) problems.push(wrong(file, 'test-elsewhere', { what: testFile }));
  return problems;
}

/** Text below the heading `## Work`. */
function hasWork(text: string): boolean {
  const lines = cutFences(text.split(/\r?\n/));
  const from = lines.findIndex((line) => /^##\s+work\b/i.test(line));
  if (from === -1) return false;
  const to = lines.findIndex((line, n) => n > from && /^#{1,2}\s/.test(line));
  return text
    .split(/\r?\n/)
    .slice(from + 1, to === -1 ? undefined : to)
    .some((line) => /\p{L}/u.test(line));
}

/** A file of the repository that is neither the harness's nor git's. */
export function isTestPath(path: string, reserved: readonly string[]): boolean {
  const names = path.split('/');
  const isPlain = names.every((name) => name !== '' && name !== '.' && name !== '..');
  if (!isPlain || path.length > 300 || /[\\\0\n]|^[A-Za-z]:/.test(path) || names[0]?.toLowerCase() === '.git')
    return false;
  return !reserved.some((folder) => path === folder || path.startsWith(`${folder}/`));
}

const numberOf = ({ id }: Pick<PlanHead, 'id'>): number => Number(id);
export const lastNumber = (plans: readonly Pick<PlanHead, 'id'>[]): number => Math.max(0, ...plans.map(numberOf));

function numberProblems(heads: readonly PlanHead[], existing: readonly PlanHead[]): readonly Problem[] {
  const problems: Problem[] = [];
  const last = lastNumber(existing);
  const byId = new Map<string, string>();
  for (const { id, name } of heads) {
    const file = `${name}.md`;
    const other = byId.get(id);
    if (other !== undefined) problems.push(wrong(file, 'number-twice', { what: other }));
    else if (Number(id) <= last) problems.push(wrong(file, 'number-taken', { what: idText(last + 1) }));
    byId.set(id, file);
  }
  return problems;
}

export const idText = (number: number): string => String(number).padStart(4, '0');

function graphProblems(heads: readonly PlanHead[], existing: readonly PlanHead[]): readonly Problem[] {
  const known = new Set([...heads, ...existing].map(({ id }) => id));
  const unknown = heads.flatMap(({ id, name, dependsOn }) =>
    dependsOn.flatMap((on) =>
      on === id
        ? [wrong(`${name}.md`, 'depends-on-itself')]
        : known.has(on)
          ? []
          : [wrong(`${name}.md`, 'dependency-unknown', { what: on })],
    ),
  );
  const nodes = heads.map(({ id, dependsOn }) => ({ id, depends_on: dependsOn.filter((on) => on !== id) }));
  const cycles = dependencyCycles(nodes).map(({ path, edge }) => {
    const from = heads.find(({ id }) => id === edge.from)?.name ?? edge.from;
    return wrong(`${from}.md`, 'dependencies-in-a-circle', { what: pathText(path) });
  });
  return [...unknown, ...cycles];
}

function tagProblems(
  heads: readonly PlanHead[],
  existing: readonly PlanHead[],
  { criteria }: AcceptanceCriteria,
): readonly Problem[] {
  const known = new Set(criteria.map(({ tag }) => tagKey(tag)));
  const unknown = heads.flatMap(({ name, tags }) =>
    tags.flatMap((tag) => (known.has(tagKey(tag)) ? [] : [wrong(`${name}.md`, 'tag-not-defined', { what: tag })])),
  );
  const covered = new Set([...heads, ...existing].flatMap(({ tags }) => tags.map(tagKey)));
  const uncovered = criteria.flatMap(({ tag, text }): readonly Problem[] =>
    covered.has(tagKey(tag))
      ? []
      : [{ code: 'plan-tag-uncovered', params: { tag, what: text.slice(0, 200).toWellFormed() } }],
  );
  return [...unknown, ...uncovered];
}

/**
 * The same plans with numbers after those that are there: others were added meanwhile. Where none is taken, as they are. Mentions of the drafts' own
 * numbers follow.
 */
export function renumbered(
  plans: readonly PlanDraft[],
  existing: readonly Pick<PlanHead, 'id'>[],
): readonly PlanDraft[] {
  const ids = plans.flatMap(({ file }) => planName(file)?.id ?? []);
  const last = lastNumber(existing);
  const first = Math.min(...ids.map(Number));
  const shift = last + 1 - first;
  if (ids.length === 0 || shift <= 0) return plans;
  const moved = new Map(ids.map((id) => [id, idText(Number(id) + shift)]));
  const inText = (text: string): string => text.replace(/(?<!\d)\d{4}(?!\d)/g, (id) => moved.get(id) ?? id);
  return plans.map(({ file, text }) => ({
    file: file.replace(/^\d{4}/, (id) => moved.get(id) ?? id),
    text: inText(text),
  }));
}
