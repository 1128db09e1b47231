// The state now. The most frequent question: it loads only what it needs.
import { z } from 'zod';
import { ok } from '../../model/result.ts';
import { readStatus, type Status } from '../look/status.ts';
import { statusAnswer, type StatusAnswer } from '../look/status-answer.ts';
import { openProjectView, type ProjectView } from '../open/project-view.ts';
import { operation, type Asker } from './operation.ts';

export const status = operation({
  name: 'status',
  kind: 'read',
  about: 'The state now: counts, live lanes, open questions, cost, what is next.',
  command: 'status',
  input: z.object({}),
  output: statusAnswer,
  async run(asker) {
    const view = await openProjectView(asker);
    if (!view.ok) return view;
    const read = await readStatus(view.value);
    if (!read.ok) return read;
    const { json, gates } = read.value;
    const questions = gates.length === 0 ? [] : await questionsOf(view.value, read.value, asker);
    return ok({ answer: { ...json, questions }, detail: read.value });
  },
});

/** Those that cannot be read are named by `gates`. Most projects have none open, and load nothing for it. */
async function questionsOf(
  view: ProjectView,
  { gates, waiting }: Status,
  { catalogue }: Asker,
): Promise<NonNullable<StatusAnswer['questions']>> {
  const [{ listGates }, { openQuestionsOf }] = await Promise.all([
    import('../look/questions.ts'),
    import('../look/open-questions.ts'),
  ]);
  const open = listGates(view, { open: true });
  const own = new Set(gates.map(({ id }) => id));
  const records = open.ok ? open.value.filter(({ gate }) => own.has(gate.id)) : [];
  return openQuestionsOf(
    records.map(({ gate }) => gate),
    waiting,
    catalogue,
  );
}
