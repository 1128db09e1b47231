// Finds the gate that a user means.
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import type { Gates } from './store.ts';

/**
 * `g-12`, `G-12`, `12` and `#12` name exactly that gate, open or not: a number is never completed, or `2` would answer
 * g-21. Anything else is a prefix of the id, or of a word of the subject, of one open gate: `g`, `feat`, `regression`, `spec`.
 */
export function resolveGate(text: string, gates: Pick<Gates, 'find' | 'list'>): Result<string> {
  const typed = text.trim().toLowerCase();
  const number = /^(?:g-?|#)?0*(\d+)$/.exec(typed)?.[1];
  const open = gates.list({ open: true });
  if (!open.ok) return open;
  const unknown = failure('gate-unknown', { gate: text, open: open.value.map((r) => r.gate.id).join(', ') });
  if (typed === '') return err(unknown);
  if (number !== undefined) {
    const record = gates.find(`g-${number}`);
    if (!record.ok) return record;
    return record.value === null ? err(unknown) : ok(record.value.gate.id);
  }
  const matches = open.value
    .map((r) => r.gate)
    .filter(({ id, subject }) => id.startsWith(typed) || `-${subject}`.includes(`-${typed}`));
  const [match] = matches;
  if (match === undefined) return err(unknown);
  if (matches.length === 1) return ok(match.id);
  return err(failure('gate-ambiguous', { gate: text, matches: matches.map((g) => g.id).join(', ') }));
}
