// Keys of issues: where items come from, and the issues that mirror them.
import * as z from 'zod/mini';
import { choice, described, flag, list, text } from './values.ts';

export const backlogSource = choice(
  '`list`: items are those of the list. `github`: open issues with the labels of `github.labels` become items of it too.',
  ['list', 'github'],
  'list',
);

const keys = z.strictObject({
  repo: text('`owner/name`. Without it: the repository of `forge`.'),
  labels: list('Labels of issues that are items. Those that mirror an item get them.', ['harness']),
  syncMode: choice('`none`: no mirror.', ['mirror', 'none'], 'mirror'),
  syncOnSessionEnd: flag('Mirror after each session; otherwise only with `harness github sync`.', true),
  createMissingIssues: flag('Create issues for open items without one.', true),
  closeOnVerify: flag('Close the issue when its item has landed.', true),
  onSyncFailure: choice('`warn`: continue. `fail`: stop.', ['warn', 'fail'], 'warn'),
});

/** `isGiven`: the section is written, which turns the mirror on. */
export const github = described(
  z.pipe(
    z.optional(keys),
    z.transform((written) => ({ ...(written ?? keys.parse({})), isGiven: written !== undefined })),
  ),
  'Issues of the repository as a mirror of the items; on if the section is there.',
);
