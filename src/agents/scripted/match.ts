// Which scripted session a prompt selects, and the values of the prompt that a script can use: its Runtime context block.
import { mapStrings } from '../host/recorder.ts';
import type { Scenario, ScriptedSession, When } from './scenario.ts';

/** The `KEY=value` lines at the end of a prompt. */
export type Context = { readonly [key: string]: string };

/** Reads the last `Runtime context` block; a prompt without one has an empty context. */
export function readContext(prompt: string): Context {
  const lines = prompt.split(/\r?\n/);
  const heading = lines.findLastIndex((line) => /^[#*\s]*runtime context[*:\s]*$/i.test(line));
  if (heading < 0) return {};
  const pairs = lines.slice(heading + 1).flatMap((line) => {
    const match = /^\s*([A-Z][A-Z0-9_]*)=(.*)$/.exec(line);
    return match === null ? [] : [[match[1] ?? '', (match[2] ?? '').trim()] as const];
  });
  return Object.fromEntries(pairs);
}

/** The first session whose every condition holds; null: the scenario has none for this prompt. */
export function findSession(scenario: Scenario, context: Context): ScriptedSession | null {
  return scenario.sessions.find((session) => holds(session.when, context)) ?? null;
}

function holds(when: When, context: Context): boolean {
  const { ITEM, FEATURE_ID } = context;
  return (
    among(when.playbook, [context['PLAYBOOK']]) &&
    among(when.role, [context['ROLE']]) &&
    among(when.item, [ITEM, FEATURE_ID]) &&
    among(when.attempt, [context['ATTEMPT']]) &&
    among(when.session, [context['SESSION']])
  );
}

/** `2+` means two or more; everything else is compared literally. */
function among(wanted: readonly string[] | undefined, values: readonly (string | undefined)[]): boolean {
  if (wanted === undefined) return true;
  return values.some((value) =>
    wanted.some((want) => {
      if (value === undefined) return false;
      const atLeast = /^(\d+)\+$/.exec(want);
      return atLeast === null ? want === value : /^\d+$/.test(value) && Number(value) >= Number(atLeast[1]);
    }),
  );
}

/** Replaces every `{{KEY}}` that is a key of the context; other braces are text. */
export const fill = <T>(value: T, context: Context): T =>
  mapStrings(value, (text) =>
    text.replace(/\{\{([A-Z][A-Z0-9_]*)\}\}/g, (whole, key: string) => context[key] ?? whole),
  );
