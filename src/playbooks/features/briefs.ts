// The part of a prompt that changes from session to session. The stable part is prompts/features/<role>.md.
import { z } from 'zod';
import { defineBrief } from '../../engine/definitions.ts';
import type { Problem } from '../../model/verdict.ts';
import type { ItemFacts } from '../session/facts.ts';
import { commandLines, notesOf, specification } from '../session/brief-parts.ts';
import { fenced, plain, problemLines, joined, section } from '../session/quote.ts';
import { gatherOrientation, orientationInput, type OrientationInput } from './gather.ts';
import { renderOrientation } from './orientation.ts';
import { specSchema } from '../session/session-zero.ts';
import { fileSize } from './surveys.ts';

export const orientationOf = ({
  facts,
  firstTask,
  session,
}: {
  readonly facts: ItemFacts;
  readonly firstTask: readonly Problem[];
  readonly session: number;
}): OrientationInput => ({
  item: facts.id,
  session,
  last: facts.last,
  failed: facts.failed,
  first: firstTask,
  partial: facts.partial,
});

/** Replaces what the role's prompt says about `passes`, for a list that agents do not write. */
const NO_CLAIM = `## This List Is Kept By The Harness

The list of this project is not \`features.json\`, and you never write it: there is no \`passes\` to change. You say that the item is done by
ending your turn; the harness then runs what proves it.`;

/** For coding and continuation sessions. */
export const coding = defineBrief({
  id: 'features.coding',
  input: orientationInput,
  async text(context, input) {
    const facts = await gatherOrientation(context, input);
    return joined([
      renderOrientation(facts),
      context.backlog.claim === undefined ? NO_CLAIM : '',
      notesOf(facts.task),
      section('## Fix This First', problemLines(input.first, { ...context, tokens: 120 })),
      section('## Commands', commandLines(context.config, facts.task)),
    ]);
  },
});

export const cleanup = defineBrief({
  id: 'features.cleanup',
  input: z.object({
    largeFiles: z.array(fileSize).readonly(),
    /** `tail`: the end of the lint command's output; null: no warnings. */
    lint: z.object({ tail: z.string() }).nullable(),
  }),
  text({ config }, { largeFiles, lint }) {
    const limit = config.quality.maxFileLines;
    const large = largeFiles.map((f) => `- ${plain(f.path, 60)} (${f.lines} lines, limit ${limit})`);
    return Promise.resolve(
      joined([
        '## Quality Issues to Address',
        section('**Large files (need splitting):**', capped(large)),
        lint === null ? '' : `**Lint warnings:**\n${fenced(lint.tail.slice(-3_000))}`,
        large.length === 0 && lint === null ? 'None were measured: look for dead code only.' : '',
        section('## Commands', commandLines(config, null)),
      ]),
    );
  },
});

export const initializer = defineBrief({
  id: 'features.initializer',
  input: z.object({ spec: specSchema }),
  text: ({ config }, { spec }) =>
    Promise.resolve(
      joined([
        config.project.name === '' ? '' : `**Project:** ${plain(config.project.name, 30)}`,
        `**Verification steps per feature:** at most ${config.features.maxVerificationSteps}`,
        section('## Commands', commandLines(config, null)),
        specification(spec),
      ]),
    ),
});

const capped = (lines: readonly string[]): string[] =>
  lines.length <= 30 ? [...lines] : [...lines.slice(0, 30), `- … ${lines.length - 30} more`];
