// Letting go of what the loop was at: its position, the journals of items and procedures, the questions that they asked.
// What people asked for and nobody has made yet is kept. Done twice it is done once.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openGates } from '../../gates/store.ts';
import { readText } from '../../host/files.ts';
import { loopFile, type ListChange } from '../../loop/run-file.ts';
import { ok, type Result } from '../../model/result.ts';
import { waiting, type Message } from './inbox.ts';
import type { Target } from '../open/target.ts';

/** Answers the questions that were withdrawn. */
export async function forgetLoop(target: Target, why: string): Promise<Result<readonly string[]>> {
  const { io, privateDir, clock } = target;
  keepAsked(target);
  const gates = openGates({ dir: join(privateDir, 'gates'), io, clock });
  const open = gates.list({ open: true });
  if (!open.ok) return open;
  for (const { gate } of open.value) {
    const withdrawn = await gates.withdraw(gate.id, why);
    // Somebody was quicker with an answer: it passes nothing any more.
    if (!withdrawn.ok && withdrawn.failure.reason !== 'gate-already-answered') return withdrawn;
  }
  // What is under way by the loop's own file first: whoever comes after a death in between finds nothing to end.
  for (const name of ['loop.json', 'loop.jsonl', 'items', 'procedures']) {
    const path = join(privateDir, name);
    if (existsSync(path)) io.remove(path);
  }
  return ok(open.value.map(({ gate }) => gate.id));
}

/** Changes that the loop has taken from the inbox and not made yet go back there, under the names they had. */
function keepAsked({ io, privateDir }: Target): void {
  const text = readText(join(privateDir, 'loop.json'));
  const inbox = new Set(waiting(privateDir).map(({ id }) => id));
  for (const { id, item, subject, edit } of pendingIn(text.ok ? text.value : null)) {
    const message: Message = { type: 'change', item, subject, edit };
    if (!inbox.has(id)) io.replace(join(privateDir, 'inbox', `${id}.json`), `${JSON.stringify(message)}\n`);
  }
}

function pendingIn(text: string | null): readonly ListChange[] {
  try {
    return loopFile.parse(JSON.parse(text ?? '{}')).pending;
  } catch {
    return []; // a file that is broken asks for nothing
  }
}
