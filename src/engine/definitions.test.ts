// Definitions are called by reference. What does not fit their schemas does not compile: every `@ts-expect-error` below is an edit that the
// compiler must refuse, and `npm run check:types` fails where it no longer does. What was stored by another version is checked when it is read.
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ReadContext } from './definitions.ts';
import { defineEdit, defineProcedure, defineSurvey, editCall, performSurvey, procedureAction, procedureOf, readFacts, surveyAction, textsOf } from './definitions.ts'; // prettier-ignore
import type { Run } from './types.ts';
import type { Actions } from '../model/action.ts';
import type { SessionSummary } from '../model/remember.ts';
import { ok } from '../model/result.ts';
const context = {} as ReadContext;
const item = z.object({ item: z.string() });
const claims = defineSurvey({
  id: 'test.claims',
  input: item,
  facts: z.object({ problems: z.array(z.string()) }),
  read: async (_, { item: id }) => ({ problems: [id] }),
});
const renames = defineEdit({
  id: 'test.rename',
  input: item,
  texts: async (_, { item: id }) => ok({ 'list.json': id }),
});
const decides = defineProcedure({
  id: 'test.decide',
  input: item,
  output: z.object({ doesLand: z.boolean() }),
  perform: async () => ({ doesLand: true }),
});
const answering = (facts: object): Run<Actions> => ({ do: async () => ({ facts }) }) as unknown as Run<Actions>;

describe('does not compile', () => {
  test('a survey that returns something else than its facts', () => {
    defineSurvey({
      id: 'test.misspelt-facts',
      input: item,
      facts: z.object({ problems: z.array(z.string()) }),
      // @ts-expect-error -- "problms"
      read: async () => ({ problms: [] }),
    });
  });
  test('a procedure that returns something else than its output', () => {
    defineProcedure({
      id: 'test.other-output',
      input: item,
      output: z.object({ doesLand: z.boolean() }),
      // @ts-expect-error -- not the output
      perform: async () => ({ nothing: true }),
    });
  });
  test('a call with a misspelt input, or a fact that the survey does not have', async () => {
    // @ts-expect-error -- "itm"
    surveyAction('claims', claims, { itm: '1' });
    // @ts-expect-error -- "itm"
    procedureAction(decides, { itm: '1' });
    // @ts-expect-error -- "itm"
    editCall(renames, { itm: '1' });
    const facts = await readFacts(answering({ problems: [] }), claims, { item: '1' });
    // @ts-expect-error -- "problem"
    expect(facts.problem).toBe(undefined);
  });
  test('a record of a session with a misspelt field', () => {
    const summary = { item: '1', completed: true, termination: 'success', result: 'landed' };
    // @ts-expect-error -- "bundel"
    const record: SessionSummary = { ...summary, bundel: 'sha256:0' };
    expect(record.bundle).toBe(undefined);
  });
});

describe('what was stored and does not fit', () => {
  test('is refused as the input of a survey, an edit and a procedure', async () => {
    await expect(performSurvey('test.claims', context, { itm: '1' })).rejects.toThrow('item');
    await expect(textsOf({ edit: 'test.rename', input: { itm: '1' } }, context)).rejects.toThrow('item');
    const perform = procedureOf('test.decide', context.config);
    await expect(perform(answering({}), { itm: '1' })).rejects.toThrow('item');
  });
  test('is refused as facts', async () => {
    await expect(readFacts(answering({ problms: [] }), claims, { item: '1' })).rejects.toThrow('problems');
  });
});

test('an id names one definition, and a definition that exists', async () => {
  const twice = () => defineEdit({ id: 'test.rename', input: item, texts: async () => ok({}) });
  expect(twice).toThrow('two edit definitions have the id "test.rename"');
  await expect(performSurvey('test.unknown', context, {})).rejects.toThrow('there is no survey "test.unknown"');
});
