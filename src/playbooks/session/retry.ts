// Attempts are given back: sessions that ended without an item count no more.
import { z } from 'zod';
import { defineEdit, type ReadContext, type Texts } from '../../engine/definitions.ts';
import { ok, type Result } from '../../model/result.ts';
import { readSessionState } from './session-state.ts';

/** The record of sessions with those of these items counted from zero; without a path where none is counted. */
export async function uncounted({ view, config }: ReadContext, items: readonly string[]): Promise<Result<Texts>> {
  const file = `${config.paths.stateDir}/session_state.json`;
  const text = await view.read(file);
  if (text === null) return ok({});
  const state = readSessionState(text, file, config.compatibility.onNewerState);
  if (!state.ok) return state;
  const { current_feature: current, stuck_count: stuck } = state.value;
  if (stuck === 0 || current === null || !items.includes(String(current))) return ok({});
  return ok({ [file]: `${JSON.stringify({ ...state.value, stuck_count: 0, timeout_count: 0 }, null, 2)}\n` });
}

/** For a list that keeps no attempts of its own. */
export const retryEdit = (id: string) =>
  defineEdit({
    id,
    input: z.object({ items: z.array(z.string()) }),
    texts: (context, { items }) => uncounted(context, items),
  });
