// `.harness/escalation.md`: why the mission waits for a person, in words. Written by the harness, and only for people.
import { z } from 'zod';
import { defineEdit, editCall } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { ok } from '../../model/result.ts';
import { ESCALATION } from './paths.ts';

const escalation = z.object({
  title: z.string(),
  why: z.string(),
  next: z.array(z.string()).readonly(),
  /** Other files that are written with it, path → text. */
  also: z.record(z.string(), z.string()).optional(),
});

const escalationFile = defineEdit({
  id: 'mission.escalation',
  input: escalation,
  texts: ({ view }, { title, why, next, also = {} }) =>
    Promise.resolve(
      ok({
        ...also,
        [ESCALATION]: `# ${title}\n\n${view.now}\n\n${why}\n\n## What to do\n\n${next.map((line) => `- ${line}`).join('\n')}\n`,
      }),
    ),
});

/** An earlier escalation is replaced. */
export async function writeEscalation(run: Run<Actions>, about: z.output<typeof escalation>): Promise<void> {
  const paths = [ESCALATION, ...Object.keys(about.also ?? {})];
  await run.do('clear-escalation', { kind: 'tidy', paths, keep: [] });
  await run.do('escalate', { kind: 'write', edit: editCall(escalationFile, about), lines: [] });
}
