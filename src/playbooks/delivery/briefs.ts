// The part of the prompts of a delivery that changes from session to session. The stable part is in prompts/delivery/.
import { z } from 'zod';
import { defineBrief, type ReadContext } from '../../engine/definitions.ts';
import { problemsSchema, type Problem } from '../../model/verdict.ts';
import { commandLines, workInProgress } from '../session/brief-parts.ts';
import { itemFacts } from '../session/facts.ts';
import { code, fenced, joined, plain, problemLine, quote, section } from '../session/quote.ts';
import { findingSchema } from './convergence.ts';
import { planOf, planPath } from './plans.ts';

const asLine = (problem: Problem): string => problemLine(problem, 600);
const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed();

/** The plan as its file says it, and what people left for this phase. */
async function planSections(context: ReadContext, item: string, phase: string): Promise<string> {
  const found = await planOf(context, item);
  const title = quote(found?.plan.title ?? item, 200);
  const file = found === null ? '' : ` (${code(planPath(context, found.plan.name), 80)})`;
  const notes = await context.view.read(`${context.config.contextDir}/${phase}.md`);
  return joined([
    `## Plan ${plain(item, 30)}: ${title}${file}`,
    found === null || found.text.trim() === '' ? '' : fenced(cut(found.text, 40_000)),
    notes === null || notes.trim() === '' ? '' : `## Notes Of People For This Phase\n\n${fenced(cut(notes, 20_000))}`,
  ]);
}

const testFileOf = async (context: ReadContext, item: string): Promise<string | null> =>
  (await planOf(context, item))?.plan.test_file ?? null;

export const implementer = defineBrief({
  id: 'delivery.implementer',
  input: z.object({
    item: z.string(),
    attempt: z.number(),
    partial: itemFacts.shape.partial,
    failed: problemsSchema,
    /** What failed before the session: it is fixed first. */
    first: problemsSchema,
  }),
  async text(context, { item, attempt, partial, failed, first }) {
    return joined([
      await planSections(context, item, 'implement'),
      attempt > 1 ? `**Attempt:** ${attempt}` : '',
      section('## What Was Wrong Before', failed.map(asLine)),
      await workInProgress(context.view, partial),
      section('## Fix This First', first.map(asLine)),
      section('## Commands', commandLines(context.config, { testFile: await testFileOf(context, item) })),
    ]);
  },
});

const MOST_FILES = 80;
async function changedSection({ view }: ReadContext, since: string): Promise<string> {
  const paths = await view.changedSince(since);
  return section('## Changed Files', [
    `All of the change: ${code(`git diff ${since}`, 80)}, and files that git does not know yet.`,
    ...paths.slice(0, MOST_FILES).map((path) => `- ${code(path, 80)}`),
    ...(paths.length > MOST_FILES ? [`- … ${paths.length - MOST_FILES} more`] : []),
  ]);
}

/** `output`: what the checks showed. `pass`: which review of the plan it is, from 1. */
export const reviewer = defineBrief({
  id: 'delivery.reviewer',
  input: z.object({ item: z.string(), since: z.string(), output: z.string(), pass: z.number(), most: z.number() }),
  async text(context, { item, since, output, pass, most }) {
    return joined([
      await planSections(context, item, 'review'),
      `**Review:** ${pass} of at most ${most}`,
      await changedSection(context, since),
      output === '' ? '' : `## Output Of The Checks\n\n${fenced(output.slice(-8_000).toWellFormed())}`,
    ]);
  },
});

/** `findings`: those that block, and no others. */
export const fixer = defineBrief({
  id: 'delivery.fixer',
  input: z.object({ item: z.string(), since: z.string(), findings: z.array(findingSchema).readonly() }),
  async text(context, { item, since, findings }) {
    const lines = findings.flatMap(({ severity, title, path, quote: quoted, why }, n) => [
      `${n + 1}. **${severity}**${path === '' ? '' : ` in ${code(path, 80)}`}: ${quote(title, 300)}`,
      ...(quoted === '' ? [] : [`   It says: ${code(quoted, 200)}`]),
      ...(why === '' ? [] : [`   ${quote(why, 800)}`]),
    ]);
    return joined([
      section('## Findings To Fix', lines),
      await planSections(context, item, 'fix'),
      await changedSection(context, since),
      section('## Commands', commandLines(context.config, { testFile: await testFileOf(context, item) })),
    ]);
  },
});

export const preparer = defineBrief({
  id: 'delivery.preparer',
  input: z.object({ item: z.string(), since: z.string() }),
  text: async (context, { item, since }) =>
    joined([await planSections(context, item, 'prepare-pr'), await changedSection(context, since)]),
});

export const mergeChecker = defineBrief({
  id: 'delivery.merge-checker',
  input: z.object({ item: z.string(), since: z.string(), title: z.string(), body: z.string(), checks: z.string() }),
  text: async (context, { item, since, title, body, checks }) =>
    joined([
      await planSections(context, item, 'merge-check'),
      `## The Pull Request: ${quote(title, 200)}\n\n${fenced(cut(body, 20_000))}`,
      `## Its Checks\n\n${fenced(cut(checks, 8_000))}`,
      await changedSection(context, since),
    ]),
});
