// A role cannot continue without a user: a question with what it needs, a file that says it, and the answer for the sessions that follow.
import { z } from 'zod';
import { defineEdit, editCall } from '../../engine/definitions.ts';
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { askedAs } from '../../model/gate.ts';
import { ok } from '../../model/result.ts';
import type { ItemFacts } from '../session/facts.ts';
import { needsFile } from './paths.ts';
import { NEEDS } from './questions.ts';
import { keepAnswer } from './record.ts';

const about = z.object({ item: z.string(), title: z.string(), role: z.string(), need: z.string() });

const writeNeed = defineEdit({
  id: 'delivery.need',
  input: about,
  texts: ({ view }, { item, title, role, need }) =>
    Promise.resolve(
      ok({
        [needsFile(item)]:
          `# Plan ${item} needs you: ${title}\n\n${view.now}\n\nThe ${role} cannot continue without this:\n\n> ${need}\n\n- See the question: \`harness gates\`\n- Answer it: \`harness answer GATE continue -m "…"\`\n`,
      }),
    ),
});

/** The plan waits, and others continue. */
export async function askUser(
  run: Run<Actions>,
  {
    facts: { id: item, title },
    role,
    need,
  }: { readonly facts: ItemFacts; readonly role: string; readonly need: string },
): Promise<void> {
  await run.do('need', { kind: 'write', edit: editCall(writeNeed, { item, title, role, need }), lines: [] });
  const { note, at, option } = await run.do('ask', {
    kind: 'ask',
    gate: 'escalation',
    ...askedAs('delivery-needs', NEEDS),
    item,
    params: { item, title, role, need },
    evidence: [],
  });
  const said = note.trim() === '' ? (option === 'continue' ? 'It is there now.' : 'Continue without it.') : note;
  await keepAnswer(run, item, { role, need, note: said, at });
  await run.do('no-need', { kind: 'tidy', paths: [needsFile(item)], keep: [] });
}
