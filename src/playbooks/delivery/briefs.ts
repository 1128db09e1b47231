// The part of the prompts of a delivery that changes from session to session. The stable part is in prompts/delivery/.
import { z } from 'zod';
import { defineBrief, type ReadContext } from '../../engine/definitions.ts';
import { commandLines, workInProgress } from '../session/brief-parts.ts';
import { openingInput } from '../session/facts.ts';
import { code, commandText, fenced, joined, plain, problemLines, quote, section } from '../session/quote.ts';
import { findingSchema } from './convergence.ts';
import { ARTIFACTS_LIST, type ArtifactList } from '../../model/artifacts.ts';
import { e2eFolder } from './paths.ts';
import { planOf, planPath } from './plans.ts';
import { answersOf } from './record.ts';

/** Of one problem. */
const TOKENS = 600;
const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed();

/** The plan as its file says it, and what people left for this phase. */
async function planSections(context: ReadContext, item: string, phase: string): Promise<string> {
  const found = await planOf(context, item);
  const title = quote(found?.plan.title ?? item, 200);
  const file = found === null ? '' : ` (${code(planPath(context, found.plan.name), 80)})`;
  const notes = await context.view.read(`${context.config.contextDir}/${phase}.md`);
  const answers = await answersOf(context, item);
  return joined([
    `## Plan ${plain(item, 30)}: ${title}${file}`,
    found === null || found.text.trim() === '' ? '' : fenced(cut(found.text, 40_000)),
    notes === null || notes.trim() === '' ? '' : `## Notes Of People For This Phase\n\n${fenced(cut(notes, 20_000))}`,
    section(
      '## Answers Of People',
      answers.map(
        ({ role, need, note }) => `- The ${role} needed ${quote(need, 200)}. The answer: ${quote(note, 600)}`,
      ),
    ),
  ]);
}

const testFileOf = async (context: ReadContext, item: string): Promise<string | null> =>
  (await planOf(context, item))?.plan.test_file ?? null;

const commandsSection = async (context: ReadContext, item: string): Promise<string> =>
  section('## Commands', [
    ...commandLines(context.config, { testFile: await testFileOf(context, item) }),
    ...(context.config.e2e === null ? [] : [`- End-to-end tests: ${commandText(context.config.e2e.command)}`]),
  ]);

export const implementer = defineBrief({
  id: 'delivery.implementer',
  input: openingInput,
  async text(context, { item, attempt, partial, failed, first }) {
    return joined([
      await planSections(context, item, 'implement'),
      attempt > 1 ? `**Attempt:** ${attempt}` : '',
      section('## What Was Wrong Before', problemLines(failed, { ...context, tokens: TOKENS })),
      await workInProgress(context.view, partial),
      section('## Fix This First', problemLines(first, { ...context, tokens: TOKENS })),
      await commandsSection(context, item),
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

/** `pages`: what a browser showed of them. */
export const uiReviewer = defineBrief({
  id: 'delivery.ui-reviewer',
  input: z.object({ item: z.string(), since: z.string(), pages: z.string(), pass: z.number(), most: z.number() }),
  text: async (context, { item, since, pages, pass, most }) =>
    joined([
      await planSections(context, item, 'review-ui'),
      `**Review:** ${pass} of at most ${most}`,
      await changedSection(context, since),
      `## What The Browser Showed\n\n${fenced(pages)}`,
    ]),
});

/** `findings`: those that block, and no others. `output`: of the end-to-end tests; '': none. */
export const fixer = defineBrief({
  id: 'delivery.fixer',
  input: z.object({
    item: z.string(),
    since: z.string(),
    findings: z.array(findingSchema).readonly(),
    output: z.string().default(''),
  }),
  async text(context, { item, since, findings, output }) {
    const lines = findings.flatMap(({ severity, title, path, quote: quoted, why }, n) => [
      `${n + 1}. **${severity}**${path === '' ? '' : ` in ${code(path, 80)}`}: ${quote(title, 300)}`,
      ...(quoted === '' ? [] : [`   It says: ${code(quoted, 200)}`]),
      ...(why === '' ? [] : [`   ${quote(why, 800)}`]),
    ]);
    return joined([
      section('## Findings To Fix', lines),
      output.trim() === '' ? '' : `## Output Of The End-To-End Tests\n\n${fenced(output.slice(-6_000).toWellFormed())}`,
      await planSections(context, item, 'fix'),
      await changedSection(context, since),
      await commandsSection(context, item),
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
      await artifactsSection(context, item),
      await changedSection(context, since),
    ]),
});

const MOST_ARTIFACTS = 30;
/** What the end-to-end tests left, for people who read the answer. */
async function artifactsSection({ view, config }: ReadContext, item: string): Promise<string> {
  if (config.e2e === null) return '';
  const folder = e2eFolder(item);
  const list = readArtifacts(await view.read(`${folder}/${ARTIFACTS_LIST}`));
  if (list === null || list.files.length === 0) return '';
  const more = list.files.length - MOST_ARTIFACTS;
  return section(`## What The End-To-End Tests Left (in ${code(folder, 60)}; you may name these files)`, [
    ...list.files.slice(0, MOST_ARTIFACTS).map(({ path, bytes }) => `- ${code(path, 80)}: ${bytes} bytes`),
    ...(more > 0 ? [`- … ${more} more`] : []),
  ]);
}

const artifactList = z.object({
  files: z.array(z.object({ path: z.string(), bytes: z.number() })).readonly(),
  leftOut: z.number(),
});
function readArtifacts(text: string | null): ArtifactList | null {
  try {
    return artifactList.parse(JSON.parse(text ?? ''));
  } catch {
    return null; // there is none; it decides nothing
  }
}
