// Surveys read facts; nothing is changed.
import { performSurvey } from '../../engine/definitions.ts';
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions, SurveyFacts } from '../../model/action.ts';
import { readContext, type RunContext } from '../run-context.ts';
import { repeatable } from './repeatable.ts';

export const surveys = (context: RunContext): Performer<ActionOf<Actions, 'survey'>, SurveyFacts> => ({
  perform: async ({ survey, input }) => ({ facts: await performSurvey(survey, readContext(context), input) }),
  probe: repeatable,
  isReading: true,
});
