// The state now. The most frequent question: it loads only what it needs.
import { z } from 'zod';
import { ok } from '../../model/result.ts';
import { readStatus } from '../look/status.ts';
import { statusAnswer } from '../look/status-answer.ts';
import { openProjectView } from '../open/project-view.ts';
import { operation } from './operation.ts';

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
    return read.ok ? ok({ answer: read.value.json, detail: read.value }) : read;
  },
});
