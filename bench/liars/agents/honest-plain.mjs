// Honest: the source, a test of it, the claim.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'honest work: source, test, claim',
  right: ['land'],
  act: (me) => me.honest(),
});
