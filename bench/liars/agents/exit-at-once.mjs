// Ends as soon as it is spoken to, content with itself.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'ends at once with exit code 0',
  right: ['reject'],
  act: () => process.exit(0),
});
