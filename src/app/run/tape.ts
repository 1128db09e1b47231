// Recording and replaying a run: where the cassette is, how a later process of the same run finds it, and the comparison with
// the recording at the end.
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { packageVersion } from '../../host/package-root.ts';
import type { ItemReport } from '../../loop/records/reports.ts';
import { endPlaying, openPlaying, openRecording, type RecordedEnd, type Tape } from '../../loop/tape.ts';
import type { Json } from '../../model/json.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { parseJsonFile } from '../../model/own-files.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { RunMode } from '../../model/run.ts';
import type { Target } from '../open/target.ts';

/** `file`: the absolute path to record to; null: below `.harness/`. */
export type TapeRequest = { readonly record: boolean; readonly file: string | null };
export const NO_TAPE: TapeRequest = { record: false, file: null };

/** The recording grows where no agent can write, and is copied to the requested file when the run ends. */
const growingFile = (target: Target): string => join(target.workspaceDir, 'recording.jsonl');
/** Records the requested file for later processes of the run. */
const pointerFile = (target: Target): string => join(target.workspaceDir, 'recording.json');
/** Exists while the run waits at a gate: after the answer it continues with the same tape. */
const waitingFile = (target: Target): string => join(target.workspaceDir, 'tape-waits');
const playedFile = (target: Target): string => join(target.workspaceDir, 'replayed.txt');

/** `isInterrupted`: this process resumes a session of an earlier one. */
export async function openTape(
  target: Target,
  ask: TapeRequest,
  about: { readonly run: string; readonly mode: RunMode; readonly isInterrupted: boolean },
): Promise<Result<Tape | null>> {
  const isContinued = about.isInterrupted || existsSync(waitingFile(target));
  target.io.remove(waitingFile(target));
  const { provider, scenario } = target.config.agents.default;
  const tree = await headTree(target);
  if (!tree.ok) return tree;
  if (provider === 'replay') {
    if (ask.record) return err(usage('a replay cannot be recorded', 'harness run --provider replay --cassette FILE'));
    const began = isContinued ? null : tree.value;
    return openPlaying(target.io, resolve(target.root, scenario ?? ''), { file: playedFile(target), began });
  }
  const pointer = pointerFile(target);
  if (isContinued && existsSync(pointer)) {
    const begun = parseJsonFile(readFileSync(pointer, 'utf8'), pointer, z.object({ file: z.string() }));
    return begun.ok ? openRecording(target.io, { growing: growingFile(target), file: begun.value.file }, null) : begun;
  }
  if (existsSync(pointer)) target.io.remove(pointer);
  if (!ask.record) return ok(null);
  if (about.isInterrupted)
    return err(usage('a recording starts with its run, but a session was interrupted', 'harness run'));
  const file = ask.file ?? join(target.stateDir, 'cassettes', `${about.run}.jsonl`);
  if (existsSync(file)) return err(failure('file-exists', { file }));
  if (wouldBeCommitted(target, file))
    return err(usage(`${file} is in the work tree and would be committed`, 'harness run --record --cassette ../FILE'));
  const opened = openRecording(
    target.io,
    { growing: growingFile(target), file },
    {
      t: 'cassette',
      schema: 1,
      harness: packageVersion(),
      playbook: target.machine.name,
      command: commandOf(about.mode),
      tree: tree.value,
    },
  );
  if (opened.ok) target.io.replace(pointer, `${JSON.stringify({ file })}\n`);
  return opened;
}

/** The run pauses: the recording so far is copied to its file. */
export function restTape(target: Target, tape: Tape, isWaiting: boolean): void {
  if (tape.is === 'recording') tape.keep();
  if (isWaiting) target.io.replace(waitingFile(target), '');
}

type Ended = { readonly result: string; readonly reason: string; readonly items: readonly ItemReport[] };

/** The run has its verdict: it is recorded, or compared with the recorded one. */
export async function endTape(target: Target, tape: Tape, report: Ended): Promise<Result<Failure | null>> {
  const tree = await headTree(target);
  if (!tree.ok) return tree;
  const items = report.items.map(({ id, session, result, reason }) => ({ id, session, result, reason }));
  const { result, reason } = report;
  const now: RecordedEnd = { t: 'end', result, reason, items, tree: tree.value, resumed: tape.isResumed };
  if (tape.is === 'recording') {
    tape.add(now);
    tape.keep();
    target.io.remove(pointerFile(target));
    target.io.remove(growingFile(target));
    return ok(null);
  }
  return ok(endPlaying(target.io, tape, now));
}

/** `turns`: how many were recorded or replayed. */
export type TapeReport =
  | { readonly replay: { readonly cassette: string; readonly turns: number } }
  | { readonly recording: { readonly cassette: string; readonly turns: number; readonly unplayable: Json } };

/** For the end of a run: the cassette, and the turns that cannot be replayed. */
export function tapeReport(target: Target, tape: Tape): TapeReport {
  const file = (path: string): string => {
    const inside = relative(target.root, path);
    return inside.startsWith('..') || isAbsolute(inside) ? path : inside;
  };
  if (tape.is === 'playing')
    return { replay: { cassette: file(tape.cassette.file), turns: tape.cassette.turns.length } };
  const turns = tape.turns();
  const unplayable = turns.flatMap(({ session, turn, unplayable: why }) =>
    why === null ? [] : [{ session, turn, why }],
  );
  return { recording: { cassette: file(tape.file), turns: turns.length, unplayable } };
}

async function headTree({ git }: Target): Promise<Result<string>> {
  const read = await git.run(['rev-parse', 'HEAD^{tree}']);
  return read.ok ? ok(read.value.trim()) : read;
}

/** Everything in the work tree except the state folder would be committed. */
function wouldBeCommitted({ root, stateDir }: Target, file: string): boolean {
  const isIn = (folder: string): boolean => !relative(folder, file).startsWith('..');
  return isIn(root) && !isIn(stateDir);
}

const commandOf = ({ only, untilDone, maxSessions, maxItems }: RunMode): string =>
  [
    'harness run',
    ...(only === null ? [] : [only]),
    ...(untilDone ? ['--until-done'] : []),
    ...(maxSessions === null ? [] : [`--max-sessions ${maxSessions}`]),
    ...(maxItems === null ? [] : [`--max-items ${maxItems}`]),
  ].join(' ');

const usage = (what: string, hint: string): Failure => failure('usage', { what, hint });
