// The mode that a session of an agent works in: one that asks before it acts, and one that only reads where nothing may be changed. Pure.
import { z } from 'zod';
import type { SessionSpec } from '../port.ts';

/** Modes in which the agent itself changes nothing. */
const READING = /^(plan|ask|read-?only|review)$/i;
/**
 * Modes in which the agent asks us before it acts, the best first. In others it decides by itself, by rules or by a model of its own, and some agents
 * begin in one of those.
 */
const ASKING = [/^default$/i, /^manual$/i, /^workspace-?write$/i];

const option = z.looseObject({ value: z.string() });
const select = z.looseObject({
  id: z.string(),
  category: z.string().nullish(),
  type: z.literal('select'),
  currentValue: z.string(),
  options: z.array(z.union([option, z.looseObject({ options: z.array(option) })])),
});
/** What an agent says of its modes when a session begins or continues. What cannot be read is as if it was not offered. */
export const offered = z.looseObject({
  modes: z
    .looseObject({ currentModeId: z.string(), availableModes: z.array(z.looseObject({ id: z.string() })) })
    .nullish()
    .catch(null),
  configOptions: z.array(z.unknown()).nullish().catch(null),
});
export type Offered = z.infer<typeof offered>;

/** A mode to set, by the method of its kind: `session/set_mode`, or `session/set_config_option` of agents that have modes only there. */
export type ModeChange = { readonly modeId: string } | { readonly configId: string; readonly value: string };

/** Null: the session stays in the mode that it is in. */
export function modeChange(mode: SessionSpec['mode'], { modes, configOptions }: Offered): ModeChange | null {
  if (modes !== null && modes !== undefined) {
    const wanted = best(
      mode,
      modes.availableModes.map(({ id }) => id),
    );
    return wanted === null || wanted === modes.currentModeId ? null : { modeId: wanted };
  }
  for (const one of configOptions ?? []) {
    const read = select.safeParse(one);
    if (!read.success || (read.data.category ?? read.data.id) !== 'mode') continue;
    const { id, currentValue, options } = read.data;
    const values = options
      .flatMap((entry) => ('value' in entry ? [entry] : entry.options))
      .map(({ value }) => String(value));
    const wanted = best(mode, values);
    return wanted === null || wanted === currentValue ? null : { configId: id, value: wanted };
  }
  return null;
}

function best(mode: SessionSpec['mode'], ids: readonly string[]): string | null {
  const kinds = mode === 'exec' ? ASKING : [READING];
  for (const kind of kinds) {
    const found = ids.find((id) => kind.test(id));
    if (found !== undefined) return found;
  }
  return null;
}
