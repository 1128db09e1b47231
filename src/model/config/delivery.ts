// Keys of the delivery playbook: where plans are, how long a review may take, and what is tried in a browser.
import * as z from 'zod/mini';
import { SERVER_LINE, served } from './server.ts';
import { count, described, minutesOr, path, pathList, section, textNeeded } from './values.ts';

const e2e = z.strictObject({
  command: textNeeded('Shell line of the end-to-end tests; it succeeds with exit code 0.'),
  artifactDirs: pathList('Folders in which they leave reports and pictures, which are kept.'),
  timeoutMinutes: minutesOr(30, 'How long they may take.'),
});
const devServer = z.strictObject({ command: textNeeded(SERVER_LINE), ...served });

export const delivery = {
  planDir: path('Folder of plan files, `NNNN-slug.md`.', 'docs/plans'),
  completedDir: path('Folder that a plan file is moved to once its work is merged.', 'docs/plans/completed'),
  contextDir: path('Folder of notes for agents: `<phase>.md` is shown to the role of that phase.', 'docs/context'),
  agent: section('What holds for all agents of a delivery.', {
    maxReviewPasses: count('Reviews of a plan before a user is asked.', [1, 50], 5),
  }),
  appPaths: pathList(
    'Folders of the application: a change below one of them is a change of the user interface. Empty: each change is.',
  ),
  e2e: described(
    z._default(z.nullable(e2e), null),
    'End-to-end tests that a plan has to pass before its pull request and before its merge; `null`: none.',
  ),
  devServer: described(
    z._default(z.nullable(devServer), null),
    'A role judges what a browser shows of a plan that changes the user interface; `null`: none does.',
  ),
};
