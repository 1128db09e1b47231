// Choosing the next feature: the rule alone, on a list that is loaded and checked already; and what the loading costs.
import { readFeatures } from '../src/playbooks/features/read.ts';
import { select } from '../src/playbooks/features/select.ts';
import { featuresText } from './project.ts';
import { median } from './spans.ts';

export type Choice = {
  readonly features: number;
  /** The longest wait: everything but the last feature passes, each depends on the one before. */
  readonly selectMs: number;
  readonly loadMs: number;
};

export function measureChoice(count: number, rounds: number): Choice {
  const text = featuresText(count);
  const read = () => {
    const found = readFeatures(text, 'features.json');
    if (!found.ok) throw new Error(JSON.stringify(found.failure));
    return found.value.features;
  };
  const features = read().map((feature, at) => ({ ...feature, passes: at < count - 1 }));
  const timed = (work: () => unknown): number => {
    const from = performance.now();
    work();
    return performance.now() - from;
  };
  const selects = Array.from({ length: rounds }, () => timed(() => select(features)));
  const loads = Array.from({ length: Math.max(3, rounds >> 2) }, () => timed(read));
  return { features: count, selectMs: median(selects), loadMs: median(loads) };
}
