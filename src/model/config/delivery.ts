// Keys of the delivery playbook: where plans are, how long a review may take, what is tried in a browser, and what the daemon does between
// plans.
import * as z from 'zod/mini';
import { SERVER_LINE, served } from './server.ts';
import { count, described, minutesOr, path, pathList, pathOrNone, section, textNeeded, tokenBudget } from './values.ts';

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
    'Files and folders of the application: a change below one of them is a change of the user interface, and they are compared with the specification. Empty: all are.',
  ),
  e2e: described(
    z._default(z.nullable(e2e), null),
    'End-to-end tests that a plan has to pass before its pull request and before its merge; `null`: none.',
  ),
  devServer: described(
    z._default(z.nullable(devServer), null),
    'A role judges what a browser shows of a plan that changes the user interface; `null`: none does.',
  ),
  daemon: section('How the daemon works on a list by itself.', {
    pollSeconds: count('How often the base branch is looked at while nothing can be done.', [1, 86_400], 60),
    rateLimitBackoffMs: count(
      'After a run has given up waiting for an agent, it is tried again after so long. Milliseconds.',
      [1, 7 * 86_400_000],
      900_000,
    ),
    maxRateLimitRetries: count('How often, in a row; then a user is asked.', [0, 1_000], 20),
  }),
  budget: section('Tokens of all sessions together.', {
    ceilingTokens: tokenBudget(
      'Reaching it is logged once (`budget_ceiling_reached`) and stops nothing; `null`: none.',
    ),
  }),
  fidelity: section('How far the product may be from its specification.', {
    everyNPlans: count(
      'The daemon compares them after so many merged plans. 0: only `harness fidelity` does.',
      [0, 10_000],
      0,
    ),
    threshold: count('From 0 (as specified) to 100. Above it the daemon pauses.', [0, 100], 30),
    specPath: pathOrNone('The specification; `null`: that of `releaseGate`.'),
  }),
  releaseGate: section('Which acceptance criteria must be covered before a release.', {
    specPath: pathOrNone(
      'The specification: `docs/spec.md` has its criteria in `docs/spec.acceptance.md`. `null`: there is none.',
    ),
  }),
};
