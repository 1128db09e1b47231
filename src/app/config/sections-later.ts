// Sections whose parts of the program come later. Keys of the features reference are checked in full, so that a file
// written today holds tomorrow; those of other playbooks are only known by name.
import * as z from 'zod/mini';
import { choice, flag, list, text, told } from './words.ts';

const section = <T extends z.core.$ZodLooseShape>(description: string, shape: T) =>
  told(z.optional(z.strictObject(shape)), description);
const UNKNOWN = z.unknown();
const known = (description: string) => told(z.optional(UNKNOWN), description);

const checkpointType = z.strictObject({ name: text('Its name.'), trigger_on: text('After which step.') });

export const laterSections = {
  lanes: told(z.optional(z.int().check(z.gte(1), z.lte(64))), 'Items worked on at the same time.'),
  lanes_share: list('Ignored paths that are linked into a new worktree.'),
  recovery: told(z.optional(z.enum(['restore', 'checked', 'literal'])), 'What happens to work that a crash cut off.'),
  github: section('Issues on GitHub as a mirror of the features.', {
    repo: text('`owner/name`.'),
    sync_mode: choice('`none`: no mirror.', ['mirror', 'none'], 'mirror'),
    sync_on_session_end: flag('Mirror after each successful session.', true),
    create_missing_issues: flag('Create issues for features without one.', true),
    close_on_verify: flag('Close the issue when its feature passes.', true),
    on_sync_failure: choice('`warn`: go on. `fail`: stop.', ['warn', 'fail'], 'warn'),
  }),
  forge: section('Where code is reviewed.', {
    kind: choice('`none`: nowhere.', ['none', 'local', 'github'], 'none'),
    remote: text('Name of the git remote.'),
    base_branch: text('Branch that pull requests go to.'),
    ci: text('Shell line that stands for the checks of a local forge.'),
  }),
  checkpoints: section('Points of a mission at which a person is asked.', {
    types: told(z._default(z.array(checkpointType), []), 'One entry per point.'),
  }),
  plan_dir: known('Folder of plan files.'),
  completed_dir: known('Folder of plan files that are merged.'),
  context_dir: known('Folder of notes for agents, by phase.'),
  app_paths: known('Folders of the application.'),
  state_dir: known('The delivery playbook’s own folder for state; `paths.state_dir` is that of the harness.'),
  base_branch: known('Branch that plans are merged into.'),
  e2e: known('End-to-end tests of a plan: command and folders of artifacts.'),
  dev_server: known('The server that reviews of a user interface look at.'),
  budget: known('Token ceiling that only logs.'),
  fidelity: known('How often the product is compared with its specification.'),
  release_gate: known('Where the acceptance criteria are.'),
  agent: known('Settings of all agents, such as review passes.'),
  branch_isolation: known('A branch for each feature.'),
  use_worktrees: known('A worktree for each lane.'),
};
