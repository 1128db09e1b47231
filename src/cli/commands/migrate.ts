// `harness migrate`: migrates state of an older version, with a backup.
import { migrate as migrateTarget, type MigrationReport } from '../../app/setup/migrate.ts';
import { NO_WATCHER } from '../../app/open/run-context.ts';
import { openTarget, type Target } from '../../app/open/target.ts';
import { ok } from '../../model/result.ts';
import type { Caller, CommandSpec } from '../command.ts';
import { EXIT } from '../exit-codes.ts';

export const migrate: CommandSpec = {
  name: 'migrate',
  args: '',
  options: [{ flags: '--no-backup', about: 'make no backup of the old state' }],
  examples: ['harness version', 'harness migrate'],
  async run({ caller, options }) {
    const target = await openTarget(caller);
    if (!target.ok) return target;
    const backup = options['backup'] !== false;
    const migrated = await migrateTarget(target.value, { backup, command: 'harness migrate' }, NO_WATCHER);
    if (!migrated.ok) return migrated;
    const { from, to, steps, backup: copy, isFinished } = migrated.value;
    return ok({
      exit: EXIT.done,
      json: { from, to, steps: steps.map((step) => ({ ...step })), backup: copy, finished: isFinished },
      lines: linesOf(migrated.value, { target: target.value, isAsked: !backup, caller }),
    });
  },
};

function linesOf(
  { from, to, steps, backup, isFinished }: MigrationReport,
  { target, isAsked, caller }: { readonly target: Target; readonly isAsked: boolean; readonly caller: Caller },
): readonly string[] {
  const { text } = caller.catalogue;
  if (from === null) return [text('migrate.none')];
  if (steps.length === 0 && !isFinished) return [text('migrate.fits', { schema: to })];
  const without = isAsked ? 'migrate.without' : 'migrate.without-configured';
  return [
    ...(isFinished ? [text('migrate.finished')] : []),
    backup === null
      ? caller.tint('yellow', text(without))
      : text('migrate.copied', { folder: target.config.paths.stateDir, backup }),
    ...steps.map((step) => text('migrate.step', step)),
    text('migrate.done', { schema: to }),
  ];
}
