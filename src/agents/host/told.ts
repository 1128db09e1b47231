// The policy with its reasons in words: what an agent is told about a call that was refused.
import type { Catalogue } from '../../host/catalogue.ts';
import type { ToolPolicy } from '../port.ts';

export const told =
  (policy: ToolPolicy, { text }: Pick<Catalogue, 'text'>): ToolPolicy =>
  (call) => {
    const verdict = policy(call);
    if (verdict.allow) return verdict;
    const why = text(`tool.${verdict.why}`, verdict.params);
    return { ...verdict, say: text('tool.refused', { rule: verdict.why, why }) };
  };
