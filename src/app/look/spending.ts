// What was spent so far, as `.harness/costs.yaml` has it: for showing. Deciding about money reads it with its schema.
import { join } from 'node:path';
import { readText } from '../../host/files.ts';
import type { ItemId } from '../../model/item.ts';
import type { Json } from '../../model/json.ts';
import { asPlain, numberAt, type Plain } from '../open/loose-json.ts';

export type Spent = {
  /** US dollars, an estimate; null: tokens were used and nobody knows what they cost. */
  readonly usd: number | null;
  readonly tokens: { readonly input: number; readonly output: number; readonly cached: number };
  readonly last: { readonly session: number; readonly usd: number | null } | null;
  readonly byItem: ReadonlyMap<ItemId, { readonly usd: number; readonly sessions: number }>;
};

/** A file that is not there, or that cannot be read, tells of nothing. */
export async function readSpent(stateDir: string): Promise<Spent> {
  const text = readText(join(stateDir, 'costs.yaml'));
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
  const { parse } = await import('yaml');
  try {
    return asPlain(parse(text));
  } catch {
    return null;
  }
}

/** The file says 0 where no price is known: 0 for tokens that were used is no price. */
function moneyOf(map: Plain | null, usdKey: string, tokensKey: string): Pick<Spent, 'usd' | 'tokens'> {
  const used = asPlain(map?.[tokensKey]);
  const tokens = {
    input: numberAt(used, 'input') ?? 0,
    output: numberAt(used, 'output') ?? 0,
    cached: numberAt(used, 'cached') ?? 0,
  };
  const usd = numberAt(map, usdKey) ?? 0;
  return { usd: usd === 0 && tokens.input + tokens.output > 0 ? null : usd, tokens };
}

export const spentJson = ({ usd, tokens }: Pick<Spent, 'usd' | 'tokens'>): Json => ({ usd, tokens: { ...tokens } });
