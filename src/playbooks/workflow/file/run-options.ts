// What the command line may ask of one run of a workflow. Names alone: every command that reads a configuration loads them.
import type { Config } from '../../../model/config.ts';

export const STEPS = ['plan', 'generate', 'verify', 'evaluate'] as const;
/** A step that the command names: no other step is run. */
export type NamedStep = (typeof STEPS)[number];

export const RUN_STYLES = ['auto', 'phase', 'step'] as const;
export type RunStyle = (typeof RUN_STYLES)[number];

/** null: the session decides. */
export function runOptionsOf({ runOptions }: Pick<Config, 'runOptions'>): {
  readonly step: NamedStep | null;
  readonly style: RunStyle | null;
} {
  const { phase, style } = runOptions;
  return { step: STEPS.find((one) => one === phase) ?? null, style: RUN_STYLES.find((one) => one === style) ?? null };
}
