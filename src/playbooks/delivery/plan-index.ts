// The list of a delivery: an index of the plan files, as one text. The folders say which plans there are, what they depend on and which of them are
// merged; the index adds only what the harness knows and no plan file says: what a user decided, and whether one is failing. It is derived again at
// the start of a run and after each merge, so that no other part of the program learns about folders of plans.
import type { Failing, Override, Skipped } from '../../model/item.ts';
import type { Json } from '../../model/json.ts';
import type { Result } from '../../model/result.ts';
import { graphMistakes } from '../records/graph-mistakes.ts';
import { isFilled, isList, isObject, isText, readRecords, rule, type FieldRule } from '../records/read.ts';
import type { PlanHead } from './plan-file.ts';

/** The member of the file that holds the list. */
export const MEMBER = 'plans';

export type Plan = {
  /** NNNN. */
  readonly id: string;
  /** NNNN-slug. */
  readonly name: string;
  readonly title: string;
  /** Its file is in the folder of merged plans. */
  readonly merged: boolean;
  /** Others merged it, and its file is moved on the remote; the folders here do not show it yet. */
  readonly migrated?: boolean | null;
  readonly depends_on?: readonly string[] | null;
  readonly tags?: readonly string[] | null;
  readonly priority?: number | null;
  readonly test_file?: string | null;
  readonly skipped?: Skipped | null;
  readonly override?: Override | null;
  readonly failing?: Failing | null;
  /** The phase that it is in, and what it has reached (phases.ts); for people. */
  readonly phase?: string | null;
  readonly reached?: string | null;
  readonly [unknown: string]: Json | undefined;
};
export type PlanIndex = { readonly plans: readonly Plan[] };

export const dependenciesOf = (plan: Plan): readonly string[] => plan.depends_on ?? [];
export const isDone = ({ merged, override }: Plan): boolean => merged || override?.passes === true;
export const isSkipped = ({ skipped }: Plan): boolean => (skipped ?? null) !== null;
/** Plans that depend on it may start. */
export const isFree = (plan: Plan): boolean => isDone(plan) || plan.skipped?.unblock === true;

const isFlag = (v: unknown): boolean => typeof v === 'boolean';
const isRecord = (...names: readonly string[]) => {
  const isFlagName = (name: string): boolean => name === 'passes' || name === 'unblock';
  return (v: unknown): boolean =>
    isObject(v) && names.every((name) => (isFlagName(name) ? isFlag(v[name]) : isText(v[name])));
};
const isId = (v: unknown): v is string => typeof v === 'string' && /^\d{4}$/.test(v);
const FIELDS: readonly FieldRule[] = [
  rule('id', 'NNNN', isId, true),
  rule('name', 'NNNN-slug', isFilled, true),
  rule('title', 'string', isFilled, true),
  rule('merged', 'true | false', isFlag, true),
  rule('migrated', 'true | false', isFlag),
  rule('depends_on', 'NNNN[]', isList(isFilled)),
  rule('tags', 'string[]', isList(isText)),
  rule('priority', 'number', (v) => Number.isFinite(v)),
  rule('test_file', 'path/inside/the/repository', isFilled),
  rule('skipped', '{ reason: string, unblock: true | false }', isRecord('reason', 'unblock')),
  rule('override', '{ passes, reason, by, at }', isRecord('passes', 'reason', 'by', 'at')),
  rule('failing', '{ reason: string }', isRecord('reason')),
  rule('phase', 'string', isText),
  rule('reached', 'string', isText),
];
const FILE_FIELDS: readonly FieldRule[] = [rule(MEMBER, 'plan[]', (v) => Array.isArray(v), true)];

export const indexText = ({ plans }: PlanIndex): string => `${JSON.stringify({ plans }, null, 2)}\n`;

/** Fails with `backlog-invalid` with `count` and one cause per mistake. */
export const readIndex = (
  text: string,
  file: string,
  { allowCycles = false }: { readonly allowCycles?: boolean } = {},
): Result<PlanIndex> =>
  readRecords(text, file, {
    list: MEMBER,
    entry: 'Plan',
    file: FILE_FIELDS,
    fields: FIELDS,
    ofList: (list) => graphMistakes(list, { isId, isDependency: isText, allowCycles }),
  });

export type FoundPlan = { readonly head: PlanHead; readonly merged: boolean };

/** What the file of a plan says, as the index has it. */
export const headOf = (plan: Plan): PlanHead => ({
  id: plan.id,
  name: plan.name,
  title: plan.title,
  dependsOn: dependenciesOf(plan),
  tags: plan.tags ?? [],
  priority: plan.priority ?? null,
  testFile: plan.test_file ?? null,
  mistakes: [],
});

/** The index of these files, by number. `kept`: the index before, whose decisions still count. A plan in both folders is merged. */
export function derive(files: readonly FoundPlan[], kept: PlanIndex): PlanIndex {
  const before = new Map(kept.plans.map((plan) => [plan.id, plan]));
  const found = new Map<string, Plan>();
  for (const { head, merged: isMoved } of files) {
    if (found.get(head.id)?.merged === true && !isMoved) continue;
    const { skipped, override, failing, phase, reached, migrated } = before.get(head.id) ?? {};
    const merged = isMoved || migrated === true;
    found.set(head.id, {
      id: head.id,
      name: head.name,
      title: head.title,
      merged,
      ...(merged && !isMoved ? { migrated: true } : {}),
      depends_on: head.dependsOn,
      tags: head.tags,
      ...(head.priority === null ? {} : { priority: head.priority }),
      ...(head.testFile === null ? {} : { test_file: head.testFile }),
      ...(skipped && !merged ? { skipped } : {}),
      ...(override && !merged ? { override } : {}),
      ...(failing && !merged ? { failing } : {}),
      ...(phase && !merged ? { phase } : {}),
      ...(reached && !merged ? { reached } : {}),
    });
  }
  return { plans: [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1)) };
}

/** Files of one folder with the same number, as text. */
export function sameNumbers(heads: readonly Pick<PlanHead, 'id' | 'name'>[]): readonly string[] {
  const byId = Map.groupBy(heads, ({ id }) => id);
  return [...byId.values()].flatMap((all) => (all.length < 2 ? [] : [all.map(({ name }) => `${name}.md`).join(', ')]));
}
