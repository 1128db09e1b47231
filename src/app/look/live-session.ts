// What a session is doing now, from the end of its own event log in the private folder, in constant time.
import { join } from 'node:path';
import { aboutOf } from '../../host/run-events.ts';
import { tailOf } from '../../host/files.ts';
import { eventsIn, pointerOf, usedBy } from '../../loop/sessions.ts';

export type Step = {
  readonly at: string;
  readonly tool: string;
  readonly about: string;
  /** Null: it is still at work. */
  readonly ok: boolean | null;
};
export type LiveSession = {
  /** The last steps, oldest first. */
  readonly steps: readonly Step[];
  readonly said: string;
  /** Of finished turns, and the money of the running one as far as its agent says it. */
  readonly tokens: { readonly input: number; readonly output: number; readonly cached: number };
  readonly usd: number | null;
  readonly startedAt: string | null;
};

const TAIL_BYTES = 96 * 1_024;
const STEPS = 12;
const WORDS = 600;

const NONE = { input: 0, output: 0, cached: 0 };

export function liveSession(workspaceDir: string, session: number): LiveSession {
  const pointer = pointerOf(workspaceDir, session);
  if (pointer === null) return { steps: [], said: '', tokens: NONE, usd: null, startedAt: null };
  const steps = new Map<string, Step>();
  let [said, turnUsd]: [string, number | null] = ['', null];
  for (const event of eventsIn(tailOf(join(pointer.folder, 'events.jsonl'), TAIL_BYTES))) {
    if (event.t === 'tool-start')
      steps.set(event.id, { at: event.ts ?? '', tool: event.name, about: aboutOf(event.input), ok: null });
    else if (event.t === 'tool-end') {
      const step = steps.get(event.id);
      if (step !== undefined) steps.set(event.id, { ...step, ok: event.ok });
    } else if (event.t === 'text') said = event.text;
    else if (event.t === 'context') turnUsd = event.costUsd;
    else if (event.t === 'usage') turnUsd = null; // the turn has ended, and is counted there
  }
  const { usage: ended } = usedBy(workspaceDir, session);
  return {
    steps: [...steps.values()].slice(-STEPS),
    said: said.trim().slice(-WORDS),
    tokens: { input: ended.inputTokens, output: ended.outputTokens, cached: ended.cachedTokens },
    usd: ended.costUsd === null ? turnUsd : ended.costUsd + (turnUsd ?? 0),
    startedAt: pointer.startedAt,
  };
}
