// An item's id as records have it: features have numbers, which people read as such. A number with zeros before it, as plans have, would be another one.
import type { ItemId } from '../../model/item.ts';

export const storedId = (item: ItemId): number | string => (/^(?:0|[1-9]\d*)$/.test(item) ? Number(item) : item);
