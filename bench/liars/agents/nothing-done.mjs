// Says that it is done. Neither works nor claims.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'says done, does nothing',
  right: ['reject'],
  act: (me) => me.say('All done! The feature works and all tests pass.'),
});
