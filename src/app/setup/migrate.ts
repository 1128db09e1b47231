// State of another schema version: older state is backed up and migrated, newer state is refused unless the configuration
// allows it. An interrupted migration is finished by the next run (run-blockers.ts keeps its note).
import { dirname, join } from 'node:path';
import { readText } from '../../host/files.ts';
import type { RunContext } from '../../loop/run-context.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { migrationOf, schemaOf } from '../../playbooks/session/session-state.ts';
import { STATE_FILE, STATE_SCHEMA } from '../look/state-summary.ts';
import type { Watcher } from '../open/run-context.ts';
import { withRunLock } from '../open/run-lock.ts';
import { isMigrationUnfinished, newerStateFile, migrationFile, readMigrationNote } from '../open/run-blockers.ts';
import { runName } from '../open/run-name.ts';
import { copyState, freeBackupName } from './state-backup.ts';
import type { Target } from '../open/target.ts';

export type MigrationReport = {
  /** The schema that was found; null: no state. */
  readonly from: number | null;
  readonly to: number;
  readonly steps: readonly { readonly from: number; readonly to: number }[];
  /** The backup next to the state folder; null: not needed or not wanted. */
  readonly backup: string | null;
  /** An interrupted migration was finished. */
  readonly isFinished: boolean;
};
type Reporter = Pick<RunContext, 'notify'>;

/** On request, whatever `compatibility.on_older_state` is. `backup` false: no backup. */
export async function migrate(
  target: Target,
  { backup, command }: { readonly backup: boolean; readonly command: string },
  watcher: Watcher,
): Promise<Result<MigrationReport>> {
  const nothing = readText(fileOf(target));
  if (nothing.ok && nothing.value === null && !isMigrationUnfinished(target.workspaceDir))
    return ok({ from: null, to: STATE_SCHEMA, steps: [], backup: null, isFinished: false });
  const wanted = backup && target.config.compatibility.backupBeforeMigrate;
  return withRunLock(target, runName(target.clock, 'c'), command, 'no-box', watcher, ({ context }) =>
    runMigration(target, wanted, context),
  );
}

/** Called under the lock before a run reads the state. */
export async function migrateBeforeRun(target: Target, context: Reporter): Promise<Result<MigrationReport | null>> {
  const isBegun = isMigrationUnfinished(target.workspaceDir);
  const text = readText(fileOf(target));
  if (!text.ok) return text;
  if (text.value === null && !isBegun) return ok(null);
  const schema = text.value === null ? ok(STATE_SCHEMA) : schemaOf(text.value, nameOf(target));
  if (!schema.ok) return schema;
  const found = schema.value;
  if (found > STATE_SCHEMA) return workOnNewer(target, found, context);
  if (found === STATE_SCHEMA && !isBegun) return ok(null);
  const refused = tooOld(target, found);
  return refused === null
    ? runMigration(target, target.config.compatibility.backupBeforeMigrate, context)
    : err(refused);
}

/** Why a run refuses state of this schema; null: it does not. An interrupted migration is always finished. */
export function tooOld(target: Target, schema: number | null): Failure | null {
  const isOlder = schema !== null && schema < STATE_SCHEMA;
  const { onOlderState } = target.config.compatibility;
  if (!isOlder || onOlderState !== 'abort' || isMigrationUnfinished(target.workspaceDir)) return null;
  return misfit('state-older', target, schema);
}

function misfit(reason: 'state-older' | 'state-newer', target: Target, found: number): Failure {
  const file = nameOf(target);
  const setting = `compatibility.on_${reason === 'state-older' ? 'older' : 'newer'}_state`;
  return failure(reason, { file, found, supported: STATE_SCHEMA, setting }, { at: { file } });
}

async function runMigration(
  target: Target,
  isBackupWanted: boolean,
  context: Reporter,
): Promise<Result<MigrationReport>> {
  const { io, workspaceDir } = target;
  const file = fileOf(target);
  const text = readText(file);
  if (!text.ok) return text;
  const steps = text.value === null ? ok([]) : migrationOf(text.value, nameOf(target));
  if (!steps.ok) return steps;
  const begun = readMigrationNote(migrationFile(workspaceDir));
  const from = steps.value[0]?.from ?? (text.value === null ? null : STATE_SCHEMA);
  if (begun === null && steps.value.length === 0)
    return ok({ from, to: STATE_SCHEMA, steps: [], backup: null, isFinished: false });
  const copied = await copyOnce(target, migrationFile(workspaceDir), {
    schema: from ?? STATE_SCHEMA,
    isWanted: isBackupWanted,
  });
  if (!copied.ok) return copied;
  for (const step of steps.value) {
    context.notify({ type: 'migrating', level: 'important', data: { from: step.from, to: step.to } });
    io.replace(file, step.text);
  }
  const done = steps.value.map(({ from: one, to }) => ({ from: one, to }));
  if (text.value !== null)
    context.notify({
      type: 'migrated',
      level: 'critical',
      data: { to: STATE_SCHEMA, backup: copied.value, steps: done },
    });
  io.remove(migrationFile(workspaceDir));
  return ok({ from, to: STATE_SCHEMA, steps: done, backup: copied.value, isFinished: begun !== null });
}

/** Stores the backup's name first, so that a later process makes no second copy. */
async function copyOnce(
  { io, stateDir, clock }: Target,
  file: string,
  { schema, isWanted }: { readonly schema: number; readonly isWanted: boolean },
): Promise<Result<string | null>> {
  const known = readMigrationNote(file);
  if (known?.copied === true) return ok(known.backup);
  const backup = isWanted ? (known?.backup ?? freeBackupName(stateDir, clock.iso())) : null;
  const note = (copied: boolean): void => io.replace(file, `${JSON.stringify({ schema, backup, copied })}\n`);
  if (backup !== null) {
    note(false);
    const copied = await copyState(io, stateDir, join(dirname(stateDir), backup));
    if (!copied.ok) return copied;
  }
  note(true);
  return ok(backup);
}

/** Newer state is backed up once; unknown fields are kept. */
async function workOnNewer(target: Target, found: number, context: Reporter): Promise<Result<null>> {
  if (target.config.compatibility.onNewerState === 'abort') return err(misfit('state-newer', target, found));
  const file = newerStateFile(target.workspaceDir);
  if ((readMigrationNote(file)?.schema ?? found) !== found) target.io.remove(file);
  const isWanted = target.config.compatibility.backupBeforeMigrate;
  const copied = await copyOnce(target, file, { schema: found, isWanted });
  if (!copied.ok) return copied;
  context.notify({
    type: 'state-newer',
    level: 'critical',
    data: { found, supported: STATE_SCHEMA, backup: copied.value ?? '' },
  });
  return ok(null);
}

const fileOf = ({ stateDir }: Target): string => join(stateDir, STATE_FILE);
/** The path as failures show it. */
const nameOf = ({ config }: Target): string => `${config.paths.stateDir}/${STATE_FILE}`;
