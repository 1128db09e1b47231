// Surveys read facts; nothing is changed.
import { performSurvey } from '../../engine/definitions.ts';
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions, SurveyFacts } from '../../model/action.ts';
import { readContext, type RunRepository, type RunSettings } from '../run-context.ts';
import { repeatable } from './repeatable.ts';

export const surveys = (context: RunRepository & RunSettings): Performer<ActionOf<Actions, 'survey'>, SurveyFacts> => ({
  perform: async ({ survey, input }) => ({ facts: await performSurvey(survey, readContext(context), input) }),
  probe: repeatable,
  isReading: true,
});
