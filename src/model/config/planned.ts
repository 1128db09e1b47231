// Sections for later versions. Keys of the features playbook are validated fully, so that a file that is valid today stays
// valid; those of other playbooks are known by name only.
import * as z from 'zod/mini';
import { choice, described, flag, ignored, refused, text } from './values.ts';

const optional = <T extends z.core.$ZodLooseShape>(description: string, shape: T) =>
  described(z.optional(z.strictObject(shape)), description);
const UNKNOWN = z.unknown();
const delivery = (description: string) => refused('product-checks', [], described(z.optional(UNKNOWN), description));
export const planned = {
  github: ignored(
    'github-mirror',
    [],
    optional('Issues on GitHub as a mirror of the features.', {
      repo: text('`owner/name`.'),
      syncMode: choice('`none`: no mirror.', ['mirror', 'none'], 'mirror'),
      syncOnSessionEnd: flag('Mirror after each successful session.', true),
      createMissingIssues: flag('Create issues for features without one.', true),
      closeOnVerify: flag('Close the issue when its feature passes.', true),
      onSyncFailure: choice('`warn`: continue. `fail`: stop.', ['warn', 'fail'], 'warn'),
    }),
    { key: 'github.syncMode', in: ['none'] },
  ),
  stateDir: delivery('The delivery playbook’s own folder for state; `paths.state_dir` is that of the harness.'),
  baseBranch: delivery('Branch that plans are merged into.'),
  e2e: delivery('End-to-end tests of a plan: command and folders of artifacts.'),
  devServer: delivery('The server for reviews of the user interface.'),
};
