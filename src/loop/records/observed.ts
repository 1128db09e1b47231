// What was observed of the agent of a session, from the private records of its turns, and how far that fits what it showed.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/mini';
import { textOrEmpty } from '../../host/files.ts';
import type { BundleAsk } from '../../model/action.ts';
import type { AgentEvent } from '../../model/event.ts';
import type { Problem } from '../../model/verdict.ts';
import { mismatches, seenCommands, type SeenCommand } from '../../verify/shown.ts';
import type { RunContext } from '../run-context.ts';
import { eventsIn } from '../sessions.ts';

export type Observed = {
  readonly prompts: { turn: number; sha256: string }[];
  /** The last of them. */
  readonly commands: readonly SeenCommand[];
  readonly mismatches: readonly Problem[];
};
type Ask = { readonly item: string; readonly session: number; readonly bundle: BundleAsk };

const MOST_COMMANDS = 200;

export function observed(context: Pick<RunContext, 'sessions' | 'config'>, { item, session, bundle }: Ask): Observed {
  const pointer = context.sessions.pointer(session);
  if (pointer === null) return { prompts: [], commands: [], mismatches: [] };
  const events = eventsIn(textOrEmpty(join(pointer.folder, 'events.jsonl')));
  const seen = seenCommands(
    events,
    bundle.verdict.checks.map(({ command }) => command),
    [context.config.paths.backlog, context.config.paths.progress],
  );
  const { verdict } = bundle;
  const found =
    context.config.verification.requireEvidence && bundle.claims !== false
      ? mismatches({ item, said: allText(events, bundle.said), seen, tests: verdict.tests })
      : [];
  return { prompts: promptsIn(pointer.folder), commands: seen.slice(-MOST_COMMANDS), mismatches: found };
}

/** Everything it said in the session; the end alone where its words were not kept. */
function allText(events: readonly AgentEvent[], said: string): string {
  const text = events.map((event) => (event.t === 'text' ? event.text : '')).join('');
  return text === '' ? said : text;
}

const begun = z.object({ prompt: z._default(z.string(), '') });

function promptsIn(folder: string): { turn: number; sha256: string }[] {
  const found: { turn: number; sha256: string }[] = [];
  for (let turn = 1; existsSync(join(folder, `turn-${turn}.begun.json`)); turn += 1) {
    const { prompt } = begun.parse(JSON.parse(readFileSync(join(folder, `turn-${turn}.begun.json`), 'utf8')));
    found.push({ turn, sha256: prompt });
  }
  return found;
}
