// Gates as people meet them: the list, one of them, the answer. Takes no lock: the store lets exactly one answer win.
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
import { identityOf, readSettings } from '../../repos/settings.ts';
import type { View } from '../open/view.ts';

const gatesOf = (view: View): Gates =>
  openGates({ dir: join(view.privateDir, 'gates'), io: realIo(), clock: systemClock });

/** Oldest first. */
export const listGates = (view: View, which: { readonly open: boolean }): Result<readonly GateRecord[]> =>
  gatesOf(view).list(which);

/** `word`: `g-12`, `12`, or the beginning of an open gate's id or subject. Fails with `gate-unknown`, `gate-ambiguous`. */
export function findGate(view: View, word: string): Result<GateRecord> {
  const gates = gatesOf(view);
  const id = resolveGate(word, gates);
  if (!id.ok) return id;
  const record = gates.find(id.value);
  if (!record.ok) return record;
  return record.value === null ? err(failure('gate-unknown', { gate: word, open: '' })) : ok(record.value);
}

const MOST_BYTES = 128 * 1024;

/** The paper that is read before the answer, as it lies there now; null: there is none, or it is too long to be shown. */
export function paperOf({ root }: View, { gate }: GateRecord): string | null {
  if (gate.paper === undefined) return null;
  const file = readRegular(join(root, gate.paper), MOST_BYTES);
  return file.kind === 'file' ? file.bytes.toString('utf8') : null;
}

/** `choice`: an option's id, in any case; or `recommended`. */
export type Reply = { readonly choice: string | { readonly recommended: true }; readonly note: string };
export type Replied = { readonly record: GateRecord; readonly answer: GateAnswer };

/** Fails as `findGate` and as the store's `answer`. */
export async function answerGate(view: View, word: string, { choice, note }: Reply): Promise<Result<Replied>> {
  const found = findGate(view, word);
  if (!found.ok) return found;
  const { gate } = found.value;
  const option = typeof choice === 'string' ? choice.trim().toLowerCase() : gate.recommended;
  const by = await answerer(view);
  if (!by.ok) return by;
  const answer = await gatesOf(view).answer(gate.id, { option, note, by: by.value });
  return answer.ok ? ok({ record: found.value, answer: answer.value }) : answer;
}

/** The person as their commits name them. */
async function answerer(view: View): Promise<Result<string>> {
  const token = `${view.privateDir}#answer-${process.pid}`;
  const git = createGit({ root: view.root, env: wholeEnvironment(), token });
  const settings = await readSettings(git);
  return settings.ok ? ok(identityOf(git, settings.value).name) : settings;
}
