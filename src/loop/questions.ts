// Questions about an item whose answers do not count any more.
import type { RunContext } from './run-context.ts';
import { ok, type Result } from '../model/result.ts';

/** `why`: code of the catalogue. */
export async function withdrawQuestions(
  context: Pick<RunContext, 'gates'>,
  item: string | null,
  why: string,
): Promise<Result<null>> {
  if (item === null) return ok(null);
  const open = context.gates.list({ open: true, own: true });
  if (!open.ok) return open;
  for (const { gate } of open.value) {
    if (gate.item !== item) continue;
    const withdrawn = await context.gates.withdraw(gate.id, why);
    if (!withdrawn.ok && withdrawn.failure.reason !== 'gate-already-answered') return withdrawn;
  }
  return ok(null);
}
