// Gates for commands: list, find, answer. Takes no lock: the store accepts exactly one answer.
import { join } from 'node:path';
import { resolveGate } from '../../gates/resolve.ts';
import { openGates, type GateRecord, type Gates } from '../../gates/store.ts';
import { systemClock } from '../../host/clock.ts';
import { wholeEnvironment } from '../../host/environment.ts';
import { realIo } from '../../host/io.ts';
import { readRegular } from '../../host/files.ts';
import type { GateAnswer } from '../../model/gate.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { createGit } from '../../repos/git.ts';
import { rootOfSessions } from '../../repos/work-trees.ts';
import { identityOf, readSettings } from '../../repos/settings.ts';
import type { ProjectView } from '../open/project-view.ts';

const gatesOf = (view: ProjectView): Gates =>
  openGates({ dir: join(view.privateDir, 'gates'), io: realIo(), clock: systemClock });

/** Oldest first. */
export const listGates = (view: ProjectView, which: { readonly open: boolean }): Result<readonly GateRecord[]> =>
  gatesOf(view).list(which);

/** `word`: `g-12`, `12`, or a prefix of an open gate's id or subject. Fails with `gate-unknown`, `gate-ambiguous`. */
export function findGate(view: ProjectView, word: string): Result<GateRecord> {
  const gates = gatesOf(view);
  const id = resolveGate(word, gates);
  if (!id.ok) return id;
  const record = gates.find(id.value);
  if (!record.ok) return record;
  return record.value === null ? err(failure('gate-unknown', { gate: word, open: '' })) : ok(record.value);
}

const MOST_BYTES = 128 * 1024;

/** The document to read before answering, in its current state; null: none, or too long to show. */
export function gateDocument({ root, workspaceDir }: ProjectView, { gate }: GateRecord): string | null {
  if (gate.paper === undefined) return null;
  const file = readRegular(join(rootOfSessions(root, workspaceDir), gate.paper), MOST_BYTES);
  return file.kind === 'file' ? file.bytes.toString('utf8') : null;
}

/** `choice`: an option's id, case-insensitive; or the recommended one. */
export type Reply = { readonly choice: string | { readonly recommended: true }; readonly note: string };
export type Replied = { readonly record: GateRecord; readonly answer: GateAnswer };

/** Fails as `findGate` and as the store's `answer`. */
export async function answerGate(view: ProjectView, word: string, { choice, note }: Reply): Promise<Result<Replied>> {
  const found = findGate(view, word);
  if (!found.ok) return found;
  const { gate } = found.value;
  const option = typeof choice === 'string' ? choice.trim().toLowerCase() : gate.recommended;
  const by = await answerer(view);
  if (!by.ok) return by;
  const answer = await gatesOf(view).answer(gate.id, { option, note, by: by.value });
  return answer.ok ? ok({ record: found.value, answer: answer.value }) : answer;
}

/** The user's name as in their commits. */
async function answerer(view: ProjectView): Promise<Result<string>> {
  const token = `${view.privateDir}#answer-${process.pid}`;
  const git = createGit({ root: view.root, env: wholeEnvironment(), token });
  const settings = await readSettings(git);
  return settings.ok ? ok(identityOf(git, settings.value).name) : settings;
}
