// The part of the prompts of a feature's sessions that changes from session to session. The stable part is in prompts/mission/.
import { z } from 'zod';
import { defineBrief, type ReadContext } from '../../engine/definitions.ts';
import { problemsSchema } from '../../model/verdict.ts';
import { commandLines, workInProgress } from '../session/brief-parts.ts';
import { itemFacts, openingInput } from '../session/facts.ts';
import { code, fenced, joined, plain, problemLines, quote, section } from '../session/quote.ts';
import type { ContractAssertion } from './contract.ts';
import { decidedSection } from './decided.ts';
import { featureFacts, type FeatureFacts } from './facts.ts';
import { listOf } from '../session/surveys.ts';
import { CONTRACT, SPEC } from './paths.ts';
import { issueSchema } from './review-answer.ts';

/** Of one problem. */
const TOKENS = 200;

export const featureSection = ({ feature }: FeatureFacts): string =>
  joined([
    `## Feature ${plain(feature.id, 30)}\n\n${quote(feature.title, 200)}`,
    feature.notes ? `**Notes:** ${quote(feature.notes, 400)}` : '',
    feature.test_file ? `**Test file:** ${code(feature.test_file, 80)}` : '',
  ]);

export const assertionSection = (assertions: readonly ContractAssertion[]): string =>
  section(
    '## Assertions',
    assertions.flatMap(({ id, text, details }) => [
      `- ${plain(id, 30)}: ${quote(text, 200)}`,
      ...(details === '' ? [] : [`  ${quote(details, 200)}`]),
    ]),
  );

export const worker = defineBrief({
  id: 'mission.worker',
  input: openingInput,
  async text(context, { item, attempt, partial, failed, first }) {
    const facts = await featureFacts(context, item);
    return joined([
      featureSection(facts),
      assertionSection(facts.assertions),
      attempt > 1 ? `**Attempt:** ${attempt}` : '',
      section('## What Was Wrong Before', problemLines(failed, { ...context, tokens: TOKENS })),
      decidedSection(facts.decisions),
      facts.debug === '' ? '' : `## What A Debugger Found\n\n${fenced(facts.debug.slice(0, 8_000).toWellFormed())}`,
      await workInProgress(context.view, partial),
      section('## Fix This First', problemLines(first, { ...context, tokens: TOKENS })),
      section('## Commands', commandLines(context.config, { testFile: facts.feature.test_file ?? null })),
    ]);
  },
});

/** For roles that judge a feature. `changed`: what the work changed; `output`: what the checks, or a browser, showed. */
export const reviewer = defineBrief({
  id: 'mission.reviewer',
  input: z.object({
    item: z.string(),
    since: z.string(),
    output: z.string(),
    /** What the output is of. */
    shown: z.enum(['checks', 'browser']),
    /** The assertions to judge; left out: all of the feature. */
    only: z.array(z.string()).readonly().optional(),
  }),
  async text(context, { item, since, output, shown, only }) {
    const facts = await featureFacts(context, item);
    const changed = await context.view.changedSince(since);
    return joined([
      featureSection(facts),
      assertionSection(facts.assertions.filter(({ id }) => only?.includes(id) ?? true)),
      decidedSection(facts.decisions),
      section('## Changed Files', listed(changed)),
      output === ''
        ? ''
        : `${shown === 'checks' ? '## Output Of The Checks' : '## What The Browser Saw'}\n\n${fenced(output.slice(-12_000).toWellFormed())}`,
    ]);
  },
});

const MOST_FILES = 40;
export const listed = (paths: readonly string[]): readonly string[] => [
  ...paths.slice(0, MOST_FILES).map((path) => `- ${code(path, 60)}`),
  ...(paths.length > MOST_FILES ? [`- … ${paths.length - MOST_FILES} more`] : []),
];

export const documenter = defineBrief({
  id: 'mission.documenter',
  input: z.object({ item: z.string(), since: z.string() }),
  async text(context, { item, since }) {
    const facts = await featureFacts(context, item);
    return joined([
      featureSection(facts),
      assertionSection(facts.assertions),
      section('## Changed Files', listed(await context.view.changedSince(since))),
    ]);
  },
});

export const debuggerBrief = defineBrief({
  id: 'mission.debugger',
  input: z.object({ item: z.string(), attempt: z.number(), failed: problemsSchema, partial: itemFacts.shape.partial }),
  async text(context, { item, attempt, failed, partial }) {
    const facts = await featureFacts(context, item);
    return joined([
      featureSection(facts),
      assertionSection(facts.assertions),
      `**Attempts that failed:** ${attempt - 1}`,
      section('## What Was Wrong', problemLines(failed, { ...context, tokens: TOKENS })),
      // Its work is beside the work tree until the next session continues it.
      partial?.wip === undefined ? '' : `**The last attempt:** commit ${code(partial.wip, 30)}`,
      section('## Commands', commandLines(context.config, { testFile: facts.feature.test_file ?? null })),
    ]);
  },
});

export const architect = defineBrief({
  id: 'mission.architect',
  input: z.object({ item: z.string(), unclear: problemsSchema }),
  async text(context, { item, unclear }) {
    const facts = await featureFacts(context, item);
    return joined([
      featureSection(facts),
      section('## What Is Unclear', problemLines(unclear, { ...context, tokens: TOKENS })),
      decidedSection(facts.decisions),
      await fileSection(context, '## The Validation Contract', CONTRACT),
      await fileSection(context, '## The Specification', SPEC),
    ]);
  },
});

async function fileSection({ view }: ReadContext, title: string, path: string): Promise<string> {
  const text = await view.read(path);
  return text === null ? '' : `${title} (${code(path, 40)})\n\n${fenced(text.slice(0, 60_000).toWellFormed())}`;
}

export const orchestrator = defineBrief({
  id: 'mission.orchestrator',
  input: z.object({ item: z.string(), issues: z.array(issueSchema).readonly() }),
  async text(context, { item, issues }) {
    const list = await listOf(context, { allowCycles: true });
    const items = list.ok ? list.value.items : [];
    return joined([
      section(
        `## Issues Found With Feature ${plain(item, 30)}`,
        issues.map(
          ({ title, why, path, severity }, n) =>
            `${n + 1}. ${quote(title, 100)} (${severity}${path === '' ? '' : `, ${code(path, 60)}`})${why === '' ? '' : `: ${quote(why, 200)}`}`,
        ),
      ),
      section(
        '## The Plan',
        items.map(({ id, title, status }) => `- ${plain(id, 30)} (${status}): ${quote(title, 60)}`),
      ),
      await fileSection(context, '## The Specification', SPEC),
    ]);
  },
});
