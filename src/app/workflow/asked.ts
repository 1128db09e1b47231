// Which step of a workflow one run is asked for, and how far it goes by itself: said with the run, in no file.
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { RUN_STYLES, type RunStyle } from '../../playbooks/workflow/file/state.ts';
import { STEPS, type NamedStep } from '../../playbooks/workflow/table/counters.ts';
import type { Target } from '../target.ts';

/** `style` null: the session's own. */
export const askedFor = (target: Target, step: NamedStep | null, style: RunStyle | null): Target => ({
  ...target,
  config: { ...target.config, workflow: { step, style } },
});

/** As typed; null: not given. Fails with `usage`. */
export function askedAs(target: Target, phase: string | null, style: string | null): Result<Target> {
  if (phase === null && style === null) return ok(target);
  const refused = (what: string, hint: string) => err(failure('usage', { what, hint }));
  if (target.config.playbook.machine !== 'workflow')
    return refused('--phase and --style are for a workflow', 'harness run');
  const step = STEPS.find((one) => one === phase) ?? null;
  if (phase !== null && step === null)
    return refused(`--phase wants one of ${STEPS.join(', ')}`, 'harness run --phase verify');
  const known = RUN_STYLES.find((one) => one === style) ?? null;
  if (style !== null && known === null)
    return refused(`--style wants one of ${RUN_STYLES.join(', ')}`, 'harness run --style phase');
  return ok(askedFor(target, step, known));
}
