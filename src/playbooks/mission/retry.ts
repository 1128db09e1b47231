// Attempts are given back: sessions that ended without these features count no more.
import { z } from 'zod';
import { defineEdit } from '../../engine/definitions.ts';
import { uncounted } from '../session/retry.ts';

export const retryMission = defineEdit({
  id: 'mission.retry',
  input: z.object({ items: z.array(z.string()) }),
  texts: (context, { items }) => uncounted(context, items),
});
