// The spending so far, from `costs.yaml`, for display. Spending limits read the file with its schema.
import { readText } from '../../host/files.ts';
import { readPlainCosts } from '../../model/costs-text.ts';
import type { ItemId } from '../../model/item.ts';
import { recordPath, type RecordFolders } from '../../repos/records.ts';
import { asPlain, numberAt, type Plain } from '../open/loose-json.ts';

export type Spending = {
  /** US dollars, an estimate; null: tokens were used and their price is unknown. */
  readonly usd: number | null;
  readonly tokens: { readonly input: number; readonly output: number; readonly cached: number };
  readonly last: { readonly session: number; readonly usd: number | null } | null;
  readonly byItem: ReadonlyMap<ItemId, { readonly usd: number; readonly sessions: number }>;
};

/** A missing or unreadable file counts as no spending. */
export async function readSpending(folders: RecordFolders): Promise<Spending> {
  const text = readText(recordPath(folders, 'costs.yaml'));
  const file = text.ok && text.value !== null ? await parsed(text.value) : null;
  const all = asPlain(file?.['cumulative']);
  const last = asPlain(file?.['current_session']);
  const session = numberAt(last, 'session_id');
  const items = all?.['by_feature'];
  return {
    ...moneyOf(all, 'total_cost_usd', 'total_tokens'),
    last: session === null ? null : { session, usd: moneyOf(last, 'cost_usd', 'tokens').usd },
    byItem: new Map(
      (Array.isArray(items) ? items : []).flatMap((one) => {
        const entry = asPlain(one);
        const id = entry?.['feature_id'];
        if (typeof id !== 'string' && typeof id !== 'number') return [];
        return [[String(id), { usd: numberAt(entry, 'cost_usd') ?? 0, sessions: numberAt(entry, 'sessions') ?? 0 }]];
      }),
    ),
  };
}

async function parsed(text: string): Promise<Plain | null> {
  const plain = readPlainCosts(text);
  if (plain !== null) return asPlain(plain);
  const { parse } = await import('yaml');
  try {
    return asPlain(parse(text));
  } catch {
    return null;
  }
}

/** The file has 0 for an unknown price: 0 for tokens that were used means unknown. */
function moneyOf(map: Plain | null, usdKey: string, tokensKey: string): Pick<Spending, 'usd' | 'tokens'> {
  const used = asPlain(map?.[tokensKey]);
  const tokens = {
    input: numberAt(used, 'input') ?? 0,
    output: numberAt(used, 'output') ?? 0,
    cached: numberAt(used, 'cached') ?? 0,
  };
  const usd = numberAt(map, usdKey) ?? 0;
  return { usd: usd === 0 && tokens.input + tokens.output > 0 ? null : usd, tokens };
}

export const spendingJson = ({ usd, tokens }: Pick<Spending, 'usd' | 'tokens'>) => ({
  usd,
  tokens: { ...tokens },
});
