// Surveys: the playbook reads facts through the world; nothing is changed.
import type { ActionOf, Performer } from '../../engine/types.ts';
import { Bug } from '../../model/bug.ts';
import type { Actions, SurveyFacts } from '../../model/action.ts';
import type { Lane } from '../lane.ts';
import { repeatable } from './repeatable.ts';

export const surveys = (lane: Lane): Performer<ActionOf<Actions, 'survey'>, SurveyFacts> => ({
  async perform({ survey, input }) {
    const read = lane.playbook.surveys[survey];
    if (!read) throw new Bug(`playbook ${lane.playbook.name} has no survey "${survey}"`);
    return { facts: await read(lane.world, input) };
  },
  probe: repeatable,
  isReading: true,
});
