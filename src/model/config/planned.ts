// Sections for later versions, known by name only.
import * as z from 'zod/mini';
import { described, refused } from './values.ts';

const UNKNOWN = z.unknown();
const delivery = (description: string) => refused('product-checks', [], described(z.optional(UNKNOWN), description));
export const planned = {
  appPaths: delivery('Folders of the application.'),
  stateDir: delivery('The delivery playbook’s own folder for state; `paths.state_dir` is that of the harness.'),
  baseBranch: delivery('Branch that plans are merged into.'),
  e2e: delivery('End-to-end tests of a plan: command and folders of artifacts.'),
  devServer: delivery('The server for reviews of the user interface.'),
  budget: delivery('Token ceiling that only logs.'),
  fidelity: delivery('How often the product is compared with its specification.'),
  releaseGate: delivery('Where the acceptance criteria are.'),
};
