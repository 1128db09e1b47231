// What follows a merge: whether the release is ready, and what a comparison with the specification came to.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../host/files.ts';
import { isReady } from '../../model/release.ts';
import { readDrift } from '../look/drift.ts';
import { clearPaused, isPaused, setPaused } from '../open/run-blockers.ts';
import type { Target } from '../open/target.ts';
import { gatesOf } from './look.ts';
import { isoOf, noted, type TickRecord } from './record.ts';

const readyFile = ({ stateDir }: Target): string => join(stateDir, 'RELEASE_READY');
export const isReleaseReady = (target: Target): boolean => existsSync(readyFile(target));

/** Silent while it is not ready: that is the usual case. Ready, it is marked, and the daemon pauses, once. */
export async function releaseGate(target: Target, record: TickRecord): Promise<TickRecord> {
  const { playbook, view, config, io, clock } = target;
  const release = (await playbook.tick?.release({ view, config })) ?? null;
  if (release === null) return record;
  const file = readyFile(target);
  if (!isReady(release)) {
    if (existsSync(file)) io.remove(file);
    return record;
  }
  const at = clock.iso();
  const entry = { at, event: READY, criteria: release.criteria.length };
  // Where the daemon was killed after it had marked it, the user is not paused again.
  if (existsSync(file)) return record.history.some(({ event }) => event === READY) ? record : noted(record, entry);
  setPaused(target);
  const tags = release.criteria.map(({ tag }) => tag);
  io.replace(file, `${JSON.stringify({ at, file: release.file, criteria: tags }, null, 2)}\n`);
  return noted(record, entry);
}
const READY = 'release_ready';

/** What the comparison that has ended found; above the threshold the daemon pauses. `since`: when it was started. */
export function afterFidelity(target: Target, record: TickRecord, { since, gates }: AfterFidelity): TickRecord {
  const text = readText(join(target.stateDir, 'fidelity.json'));
  const drift = readDrift(text.ok ? text.value : null);
  const counted = { ...record, sinceFidelity: 0 };
  const at = target.clock.iso();
  if (drift === null || Date.parse(drift.at) < Date.parse(since)) return counted;
  const { score, threshold } = drift;
  if (score <= threshold) return noted(counted, { at, event: 'fidelity_checked', score, threshold });
  setPaused(target);
  return noted({ ...counted, driftGate: gates[0] ?? null }, { at, event: 'fidelity_blocked', score, threshold });
}
type AfterFidelity = { readonly since: string; readonly gates: readonly string[] };

/** The question of a comparison and the pause that came with it end together. */
export async function settleDrift(target: Target, record: TickRecord): Promise<TickRecord> {
  const { driftGate } = record;
  if (driftGate === null) return record;
  const gates = gatesOf(target);
  const found = gates.find(driftGate);
  if (!found.ok) return record;
  const isOpen = found.value?.closed === null;
  if (isOpen && isPaused(target)) return record;
  if (isOpen) await gates.answer(driftGate, { option: 'continue', note: '', by: 'harness resume' });
  else clearPaused(target);
  const at = isoOf(target.clock.now());
  return noted({ ...record, driftGate: null }, { at, event: 'fidelity_settled' });
}
