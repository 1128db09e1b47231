// A plan that is added by its title, with `harness add`, from a list or from an issue: drafted as an entry, and later written as a plan file under a
// number that is free by then. Pure.
import { z } from 'zod';
import type { Draft, NewItem } from '../../engine/backlog.ts';
import { failure } from '../../model/failure.ts';
import { toJson, type Json } from '../../model/json.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { slugOf } from '../../model/slug.ts';
import { cutFences } from './markdown.ts';
import { writtenTitle, type PlanHead } from './plan-file.ts';
import { idText, isTestPath, lastNumber, LIMITS, type PlanDraft } from './plan-draft.ts';
import type { Plan } from './plan-index.ts';

/** As stored while it waits to be added. */
export const planEntrySchema = z.object({
  /** NNNN, where it is still free. */
  id: z.string(),
  title: z.string(),
  /** Known again by their titles: their numbers may change before they are added. */
  dependsOn: z.array(z.object({ id: z.string(), title: z.string() })).readonly(),
  testFile: z.string().nullable(),
  priority: z.number().nullable(),
  work: z.string(),
});
type PlanEntry = z.output<typeof planEntrySchema>;

const EXAMPLE = 'harness add "A cart" --verify tests/cart.test.mjs --depends-on 0001 --priority 1';

/** Fails with `usage`. `queued`: entries that wait to be added. */
export function draftPlan(
  plans: readonly Pick<Plan, 'id' | 'title'>[],
  wanted: NewItem,
  queued: readonly Json[] = [],
): Result<Draft> {
  const wrong = (what: string): Result<never> => err(failure('usage', { what, hint: EXAMPLE }));
  const title = writtenTitle(wanted.title);
  if (title === '') return wrong('the title is empty');
  if (wanted.category !== null) return wrong('a plan has no category');
  if (wanted.timeoutSeconds !== null) return wrong('a plan has no time limit of its own');
  if (wanted.verify !== null && !isTestPath(wanted.verify, []))
    return wrong(`--verify wants a test file inside the repository, not "${wanted.verify}"`);
  const priority = wanted.priority === null ? null : Number(wanted.priority.trim() || Number.NaN);
  if (priority !== null && !Number.isFinite(priority))
    return wrong(`--priority wants a number, not "${wanted.priority ?? ''}"`);
  const waiting = queued.flatMap((entry) => planEntrySchema.safeParse(entry).data ?? []);
  const known = [...plans, ...waiting];
  const dependsOn = [];
  for (const word of wanted.dependsOn) {
    const id = /^\d{1,4}$/.test(word) ? word.padStart(4, '0') : word;
    const on = known.find((one) => one.id === id);
    if (on === undefined) return wrong(`--depends-on names ${word}, and there is no such plan`);
    dependsOn.push({ id, title: on.title });
  }
  const there = known.find((one) => one.title === title);
  const entry: PlanEntry = {
    id: there?.id ?? idText(lastNumber(known) + 1),
    title,
    dependsOn,
    testFile: wanted.verify,
    priority,
    work: workOf(wanted),
  };
  return ok({
    id: entry.id,
    entry: toJson(entry),
    testFile: entry.testFile,
    flags: [],
    split: [],
    isThere: there !== undefined,
  });
}

/** The text below `## Work`. */
function workOf({ title, steps, notes = '' }: NewItem): string {
  if (notes.trim() !== '')
    return withoutHeadings(
      notes
        .trim()
        .slice(0, LIMITS.characters / 2)
        .toWellFormed(),
    );
  return steps.length === 0 ? `${title.trim()}.` : steps.map((step) => `- ${step.replace(/\s+/g, ' ')}`).join('\n');
}

/** Headings of its author are below `## Work`, so that the whole text belongs to it. */
function withoutHeadings(text: string): string {
  const lines = text.split(/\r?\n/);
  const prose = cutFences(lines);
  return lines.map((line, n) => (prose[n] === '' ? line : line.replace(/^#{1,2}(?=\s)/, '###'))).join('\n');
}

/** The file of the plan beside those that are there; null: one with its title is there already. */
export function newPlan(entry: PlanEntry, there: readonly Pick<PlanHead, 'id' | 'title'>[]): PlanDraft | null {
  if (there.some(({ title }) => title === entry.title)) return null;
  const isTaken = there.some(({ id }) => id === entry.id);
  const id = isTaken ? idText(lastNumber(there) + 1) : entry.id;
  const numbers = entry.dependsOn.map((on) => there.find(({ title }) => title === on.title)?.id ?? on.id);
  const head = [
    ...(numbers.length === 0 ? [] : [`- Depends on: ${[...new Set(numbers)].join(', ')}`]),
    ...(entry.testFile === null ? [] : [`- Test: ${entry.testFile}`]),
    ...(entry.priority === null ? [] : [`- Priority: ${entry.priority}`]),
  ];
  const text = [`# ${entry.title}`, ...(head.length === 0 ? [] : [head.join('\n')]), '## Work', entry.work];
  return { file: fileName(id, entry.title), text: `${text.join('\n\n')}\n` };
}

/** `0004-a-cart.md`, without the number of an issue at the end of the title. */
const fileName = (id: string, title: string): string => `${id}-${slugOf(title.replace(/\(#\d+\)\s*$/, ''), 'plan')}.md`;
