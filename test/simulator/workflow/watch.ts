// What was seen of a workflow: who was sent when, what the checks found, which texts of state.json are an agent's. And the questions as
// another program reads them: what counts is an answer of a person to the last one that was asked.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openGates } from '../../../src/gates/store.ts';
import { quickIo } from '../../support/quick-io.ts';
import { InvariantViolation } from '../invariant-violation.ts';
import type { Mission } from '../mission.ts';
import { PERSON } from '../people.ts';
import { STATE } from './desk.ts';

/** Milliseconds; 0: never. */
export type Watch = {
  /** Who writes the spec, the code, the fix was last at work. */
  spec: number;
  built: number;
  proposed: number;
  /** The last Layer 1. */
  verified: { readonly at: number; readonly holds: boolean } | null;
  /** The last judgement that was written down. */
  judged: { readonly at: number; readonly isGood: boolean } | null;
  /** Patches that went in, by token. */
  readonly patches: Set<string>;
  readonly forged: Set<string>;
};

const watches = new WeakMap<Mission, Watch>();
export function watchOf(mission: Mission): Watch {
  const known = watches.get(mission) ?? {
    spec: 0,
    built: 0,
    proposed: 0,
    verified: null,
    judged: null,
    patches: new Set(),
    forged: new Set(),
  };
  watches.set(mission, known);
  return known;
}

/** As questions tell it: whole milliseconds. */
export const nowMs = ({ time }: Pick<Mission, 'time'>): number => Date.parse(time.clock.iso());

export function stateText({ root }: Pick<Mission, 'root'>): string | null {
  const file = join(root, STATE);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/** state.json as an agent would like it, remembered as an agent's. `phase` null: it cannot be read. null: there is none to be changed. */
export function forges(mission: Mission, phase: string | null): string | null {
  const text = stateText(mission);
  if (text === null) return null;
  const made = phase === null ? text.slice(0, text.length / 2) : withPhase(text, phase);
  if (made !== null) watchOf(mission).forged.add(made);
  return made;
}

function withPhase(text: string, phase: string): string | null {
  try {
    const state = JSON.parse(text) as { readonly verify?: object };
    const verify = { ...state.verify, layer1_result: 'PASS' };
    return `${JSON.stringify({ ...state, phase, verify })}\n`;
  } catch {
    return null; // another process was here before
  }
}

type Answer = { readonly option: string; readonly sinceMs: number };
/** Of a person, to the last question of this subject; null: there is none. */
function lastAnswer({ privateDir, time }: Mission, subject: string): Answer | null {
  const gates = openGates({ dir: join(privateDir, 'gates'), io: quickIo(), clock: time.clock });
  const all = gates.list({ open: false });
  if (!all.ok) throw new InvariantViolation('state is legible', JSON.stringify(all.failure));
  const last = all.value.findLast(({ gate }) => gate.subject === subject);
  if (last?.closed?.how !== 'answered' || last.closed.by !== PERSON) return null;
  return { option: last.closed.option, sinceMs: Date.parse(last.gate.since) };
}

/** A person said one of these to a question that was asked at or after this moment, and to no later one anything else. */
export function isAllowed(mission: Mission, subject: string, options: readonly string[], sinceMs: number): boolean {
  const answer = lastAnswer(mission, subject);
  return answer !== null && options.includes(answer.option) && answer.sinceMs >= sinceMs;
}

/** How often a person said this. */
export function timesSaid({ privateDir, time }: Mission, subject: string, option: string): number {
  const all = openGates({ dir: join(privateDir, 'gates'), io: quickIo(), clock: time.clock }).list({ open: false });
  if (!all.ok) throw new InvariantViolation('state is legible', JSON.stringify(all.failure));
  return all.value.filter(
    ({ gate, closed }) =>
      gate.subject === subject && closed?.how === 'answered' && closed.option === option && closed.by === PERSON,
  ).length;
}
