// Where the state file of an item is with several lanes: each counts what became of its own item.
import { join } from 'node:path';
import type { ItemId } from '../model/item.ts';
import { fileName } from './token.ts';

/** It has the file at the path that it has in the repository. */
export const stateFolderOfItem = (workspaceDir: string, item: ItemId): string =>
  join(workspaceDir, 'ledgers', fileName(item));
