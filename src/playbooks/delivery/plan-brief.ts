// The part of the planner's prompt that changes from session to session. The stable part is in prompts/delivery/planner.md.
import { z } from 'zod';
import { defineBrief } from '../../engine/definitions.ts';
import { commandLines, specification } from '../session/brief-parts.ts';
import { code, fenced, joined, plain, quote, section } from '../session/quote.ts';
import { acceptanceFile, planSpecSchema, plansThere } from './drafts.ts';
import type { FoundPlan } from './plan-index.ts';
import { DRAFTS } from './paths.ts';
import { idText, lastNumber } from './plan-draft.ts';

/** A longer text is cut in the prompt; the agent reads the rest from the file. */
const MAX_CRITERIA = 30_000;
/** Of the plans that are there, the newest. */
const MOST_PLANS = 150;

export const planner = defineBrief({
  id: 'delivery.planner',
  input: z.object({ spec: planSpecSchema }),
  async text(context, { spec }) {
    const { config } = context;
    const there = await plansThere(context);
    const first = idText(lastNumber(there.map(({ head }) => head)) + 1);
    const criteria = acceptanceFile(spec, config);
    return joined([
      config.project.name === '' ? '' : `**Project:** ${plain(config.project.name, 30)}`,
      `**First number:** ${first}`,
      `**Write into:** ${code(`${DRAFTS.folder}/`, 30)}. Change nothing else.`,
      spec.acceptance === null
        ? `**Acceptance criteria:** there are none yet. Write them to ${code(DRAFTS.acceptance, 30)}; they become ${code(criteria, 60)}.`
        : `**Acceptance criteria:** those below. They are a person's: do not write any.`,
      section('## Plans That Are There', there.slice(-MOST_PLANS).map(planLine)),
      section('## Commands', commandLines(config, { testFile: null })),
      specification(spec),
      spec.acceptance === null
        ? ''
        : `## Acceptance Criteria (${code(criteria, 60)})\n\n${fenced(spec.acceptance.slice(0, MAX_CRITERIA).toWellFormed())}`,
    ]);
  },
});

function planLine({ head: { id, title, tags, dependsOn }, merged }: FoundPlan): string {
  const more = [
    ...(merged ? ['merged'] : []),
    ...(dependsOn.length === 0 ? [] : [`depends on ${dependsOn.join(', ')}`]),
    ...(tags.length === 0 ? [] : [`tags ${plain(tags.join(', '), 60)}`]),
  ];
  return `- ${id} ${quote(title, 60)}${more.length === 0 ? '' : ` (${more.join('; ')})`}`;
}
