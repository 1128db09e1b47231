// Keys of the delivery playbook: where plans are, and how long a review may take.
import { count, path, section } from './values.ts';

export const delivery = {
  planDir: path('Folder of plan files, `NNNN-slug.md`.', 'docs/plans'),
  completedDir: path('Folder that a plan file is moved to once its work is merged.', 'docs/plans/completed'),
  contextDir: path('Folder of notes for agents: `<phase>.md` is shown to the role of that phase.', 'docs/context'),
  agent: section('What holds for all agents of a delivery.', {
    maxReviewPasses: count('Reviews of a plan before a user is asked.', [1, 50], 5),
  }),
};
