// The role of the next session, as session_state.json has it for the item that the last session was on.
import type { ItemId } from '../../model/item.ts';
import { gitFolders } from '../../repos/folders.ts';
import type { StateSummary } from './state-summary.ts';

/** Another item is continued only where it has unfinished work. Mostly the next one is that of the last session, and nothing is read for it. */
export async function promptFor(
  { root }: { readonly root: string },
  { prompt, current }: Pick<StateSummary, 'prompt' | 'current'>,
  item: ItemId | null,
): Promise<string> {
  if (prompt !== 'continuation' || item === null || item === current) return prompt;
  const { hasWip } = await import('../../repos/wip.ts');
  return hasWip(gitFolders(root), item) ? prompt : 'coding';
}
