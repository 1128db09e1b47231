// The questions, and one of them with what to read before it is answered.
import { z } from 'zod';
import { ok } from '../../model/result.ts';
import { findGate, gateDocument, listGates } from '../look/questions.ts';
import { openProjectView } from '../open/project-view.ts';
import { gateAnswerOf, gateShape } from './gate-answer.ts';
import { operation } from './operation.ts';

export const gates = operation({
  name: 'gates',
  kind: 'read',
  about: 'The questions that wait for an answer, oldest first.',
  command: 'gates',
  input: z.object({ all: z.boolean().default(false).describe('include answered and withdrawn ones') }),
  output: z.object({ gates: z.array(gateShape).readonly() }),
  async run(asker, { all }) {
    const view = await openProjectView(asker);
    if (!view.ok) return view;
    const records = listGates(view.value, { open: !all });
    if (!records.ok) return records;
    const answer = { gates: records.value.map((record) => gateAnswerOf(record, asker.catalogue)) };
    return ok({ answer, detail: records.value });
  },
});

export const gate = operation({
  name: 'gate',
  kind: 'read',
  about: 'One question, with the document to read before it is answered.',
  command: 'gates show GATE',
  input: z.object({ gate: z.string().describe('g-3, 3, or a unique prefix') }),
  output: z.object({ gate: gateShape.extend({ paper: z.string().nullable() }) }),
  async run(asker, { gate: word }) {
    const view = await openProjectView(asker);
    if (!view.ok) return view;
    const record = findGate(view.value, word);
    if (!record.ok) return record;
    const document = record.value.closed === null ? gateDocument(view.value, record.value) : null;
    const answer = { gate: { ...gateAnswerOf(record.value, asker.catalogue), paper: document } };
    return ok({ answer, detail: { record: record.value, document } });
  },
});
