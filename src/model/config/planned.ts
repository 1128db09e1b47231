// Sections for later versions, known by name only.
import * as z from 'zod/mini';
import { described, refused } from './values.ts';

const UNKNOWN = z.unknown();
const delivery = (description: string) => refused('product-checks', [], described(z.optional(UNKNOWN), description));
export const planned = {
  stateDir: delivery('The delivery playbook’s own folder for state; `paths.state_dir` is that of the harness.'),
  baseBranch: delivery('Branch that plans are merged into.'),
};
