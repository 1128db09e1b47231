// What keeps a run from starting: a pause, a freeze, a handoff, and an init, abort or migration that was interrupted. Each is one file in
// the private folder, because it applies while no process runs.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../host/clock.ts';
import { readText } from '../../host/files.ts';
import type { Io } from '../../host/io.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { ItemId } from '../../model/item.ts';
import { numberAt, plainObject, textAt } from './loose-json.ts';

type Private = { readonly workspaceDir: string };
/** `stateDir`: `.harness/` of the work tree. */
type Shown = Private & { readonly stateDir: string };
type Writable = Private & { readonly io: Io };

/** Null: a run may start. With `work` false (read only, or applying requested changes) a pause, a freeze and a handoff do not block. */
export function blockerOf(target: Shown, { work }: { readonly work: boolean }): Failure | null {
  if (isInitUnfinished(target)) return failure('init-unfinished');
  if (isAbortUnfinished(target)) return failure('abort-unfinished');
  if (work && isFrozen(target)) return failure('frozen');
  if (work && isHandedOff(target)) return failure('handed-off');
  return work && isPaused(target) ? failure('paused') : null;
}

const pauseFile = ({ workspaceDir }: Private): string => join(workspaceDir, 'paused.json');
export const isPaused = (target: Private): boolean => existsSync(pauseFile(target));
export const setPaused = (target: Writable & { readonly clock: Clock }): void =>
  target.io.replace(pauseFile(target), `${JSON.stringify({ since: target.clock.iso() })}\n`);
export const clearPaused = (target: Writable): void => target.io.remove(pauseFile(target));

/**
 * A freeze refuses every run until it is lifted, and stops a live one; unlike a pause, `resume` and an answer do not lift it. `FROZEN` in the state
 * folder shows it, and a user may also make that file by hand.
 */
const freezeFile = ({ workspaceDir }: Private): string => join(workspaceDir, 'frozen.json');
export const frozenSign = ({ stateDir }: Shown): string => join(stateDir, 'FROZEN');
export const isFrozen = (target: Shown): boolean => existsSync(freezeFile(target)) || existsSync(frozenSign(target));
export function setFrozen(target: Shown & Writable & { readonly clock: Clock }): void {
  const text = `${JSON.stringify({ since: target.clock.iso() })}\n`;
  target.io.replaceAll([
    { path: freezeFile(target), text },
    { path: frozenSign(target), text },
  ]);
}
export function clearFrozen(target: Shown & Writable): void {
  target.io.remove(frozenSign(target));
  target.io.remove(freezeFile(target));
}

/** The journal of session 0: it exists exactly while session 0 is unfinished. */
export const initJournal = (workspaceDir: string): string => join(workspaceDir, 'init.jsonl');
export const isInitUnfinished = ({ workspaceDir }: Private): boolean => existsSync(initJournal(workspaceDir));

const abortFile = ({ workspaceDir }: Private): string => join(workspaceDir, 'abort.json');
export const isAbortUnfinished = (target: Private): boolean => existsSync(abortFile(target));
export const beginAbort = (target: Writable & { readonly clock: Clock }): void =>
  target.io.replace(abortFile(target), `${JSON.stringify({ at: target.clock.iso() })}\n`);
export const finishAbort = (target: Writable): void => target.io.remove(abortFile(target));

export type Handoff = {
  readonly since: string;
  readonly by: string;
  /** HEAD and branch at the handoff; '' before the first commit, or on no branch. */
  readonly head: string;
  readonly branch: string;
  /** It was paused before: taking back does not resume it. */
  readonly wasPaused: boolean;
  /** No session is active any more; false while one is still being ended. */
  readonly settled: boolean;
  /** The item in progress and its session; null: none. */
  readonly item: ItemId | null;
  readonly session: number | null;
};

const handoffFile = ({ workspaceDir }: Private): string => join(workspaceDir, 'handoff.json');
export const isHandedOff = (target: Private): boolean => existsSync(handoffFile(target));

/** Null: not handed off. A file that cannot be parsed still counts as a handoff. */
export function readHandoff(target: Private): Handoff | null {
  if (!isHandedOff(target)) return null;
  const text = readText(handoffFile(target));
  const note = plainObject(text.ok ? text.value : null);
  return {
    since: textAt(note, 'since') ?? '',
    by: textAt(note, 'by') ?? '',
    head: textAt(note, 'head') ?? '',
    branch: textAt(note, 'branch') ?? '',
    wasPaused: note?.['wasPaused'] === true,
    settled: note?.['settled'] === true,
    item: textAt(note, 'item'),
    session: numberAt(note, 'session'),
  };
}

export const keepHandoff = (target: Writable, note: Handoff): void =>
  target.io.replace(handoffFile(target), `${JSON.stringify(note)}\n`);
export const dropHandoff = (target: Writable): void => target.io.remove(handoffFile(target));

/** `copied`: the backup is complete and the state may be partly migrated; until then the state is untouched. */
export type MigrationNote = { readonly backup: string | null; readonly copied: boolean; readonly schema: number };

/** Exists from before the first change of a migration until after the last. */
export const migrationFile = (workspaceDir: string): string => join(workspaceDir, 'migration.json');
/** The schema of newer state that was backed up, where the user allows working on newer state. */
export const newerStateFile = (workspaceDir: string): string => join(workspaceDir, 'newer-state.json');
export const isMigrationUnfinished = (workspaceDir: string): boolean => existsSync(migrationFile(workspaceDir));

/** Null too where the file cannot be parsed: only this program writes it, so it was never complete. */
export function readMigrationNote(file: string): MigrationNote | null {
  const text = readText(file);
  const note = plainObject(text.ok ? text.value : null);
  if (note === null) return null;
  return { backup: textAt(note, 'backup'), copied: note['copied'] === true, schema: numberAt(note, 'schema') ?? 0 };
}
