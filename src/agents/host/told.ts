// What an agent is told in words: why a call was refused, and what its session's limits ask of it.
import type { Catalogue } from '../../host/catalogue.ts';
import type { Params } from '../../model/failure.ts';
import type { Advice } from '../monitor/rules.ts';
import type { ToolPolicy } from '../port.ts';

export const told =
  (policy: ToolPolicy, { text }: Pick<Catalogue, 'text'>): ToolPolicy =>
  (call) => {
    const verdict = policy(call);
    if (verdict.allow) return verdict;
    const why = text(`tool.${verdict.why}`, verdict.params);
    return { ...verdict, say: text('tool.refused', { rule: verdict.why, why }) };
  };

export const advice =
  ({ text }: Pick<Catalogue, 'text'>) =>
  (say: Advice, params: Params): string =>
    text('limit.from-harness', { words: text(`limit.${say}`, params) });
