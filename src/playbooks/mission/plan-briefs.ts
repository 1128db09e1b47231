// The part of the prompts of planner and plan reviewer that changes from session to session. The stable part is in prompts/mission/.
import { z } from 'zod';
import { defineBrief, type ReadContext } from '../../engine/definitions.ts';
import type { Config } from '../../model/config.ts';
import { specification } from '../session/brief-parts.ts';
import { code, commandText, fenced, joined, plain, section } from '../session/quote.ts';
import { specSchema } from '../session/session-zero.ts';
import { DRAFT } from './paths.ts';

/** A longer text is cut in the prompt; the agent reads the rest from the file. */
const MAX_TEXT = 60_000;

export const planner = defineBrief({
  id: 'mission.planner',
  input: z.object({ spec: specSchema }),
  async text(context, { spec }) {
    const rejected = await context.view.read(DRAFT.review);
    return joined([
      context.config.project.name === '' ? '' : `**Project:** ${plain(context.config.project.name, 30)}`,
      `**Write:** ${code(DRAFT.list, 30)} and ${code(DRAFT.contract, 30)}. Change nothing else.`,
      section('## Commands', commands(context.config)),
      rejected === null ? '' : `## An Earlier Plan Was Rejected\n\n${fenced(rejected.slice(0, 8_000).toWellFormed())}`,
      specification(spec),
    ]);
  },
});

export const planReviewer = defineBrief({
  id: 'mission.plan-reviewer',
  input: z.object({ spec: specSchema }),
  text: async (context, { spec }) =>
    joined([
      await fileOf(context, '## The Plan', DRAFT.list),
      await fileOf(context, '## The Validation Contract', DRAFT.contract),
      section('## Commands', commands(context.config)),
      specification(spec),
    ]),
});

async function fileOf({ view }: ReadContext, title: string, path: string): Promise<string> {
  const text = (await view.read(path)) ?? '';
  return `${title} (${code(path, 40)})\n\n${fenced(text.slice(0, MAX_TEXT).toWellFormed())}`;
}

function commands({ testing, environment }: Config): string[] {
  const lines: readonly (readonly [string, string | null])[] = [
    ['Start the environment', environment.init],
    ['One test file', testing.feature],
    ['Whole suite', testing.full],
  ];
  return lines.flatMap(([what, command]) => (command === null ? [] : [`- ${what}: ${commandText(command)}`]));
}
