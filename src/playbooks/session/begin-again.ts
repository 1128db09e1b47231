// A person took the unfinished work of an item back: the record of sessions says that none is under way, so that the next one begins from the start.
import { z } from 'zod';
import { defineEdit, type ReadContext, type Texts } from '../../engine/definitions.ts';
import { ok, type Result } from '../../model/result.ts';
import { NOTHING_UNDER_WAY, readSessionState } from './session-state.ts';

/** The record of sessions without the unfinished one of this item; without a path where it has none. */
export async function forgotten({ view, config }: ReadContext, item: string): Promise<Result<Texts>> {
  const file = `${config.paths.stateDir}/session_state.json`;
  const text = await view.read(file);
  if (text === null) return ok({});
  const state = readSessionState(text, file, config.compatibility.onNewerState);
  if (!state.ok) return state;
  const { current_feature: current, status } = state.value;
  if (status !== 'partial' || current === null || String(current) !== item) return ok({});
  return ok({ [file]: `${JSON.stringify({ ...state.value, ...NOTHING_UNDER_WAY }, null, 2)}\n` });
}

/** For a machine that keeps nothing else of an unfinished item. */
export const beginAgain = defineEdit({
  id: 'session.begin-again',
  input: z.object({ item: z.string() }),
  texts: (context, { item }) => forgotten(context, item),
});
