// The screen of `run --dry-run`.
import type { DryRun } from '../../app/run/dry-run.ts';
import type { Caller } from '../command.ts';

export function showDryRun(plan: DryRun, caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  if (plan.item === null) return [text('dry.nothing')];
  return [
    text('dry.would', { session: plan.session }),
    `  ${text('dry.role')}: ${plan.role}`,
    `  ${text('dry.item')}: #${plan.item} ${plan.title}`,
    ...(plan.testFile === null ? [] : [`  ${text('dry.test')}: ${plan.testFile}`]),
    '',
    text('dry.prompt'),
    '',
    plan.prompt.trimEnd(),
    '',
    text('dry.unchanged'),
  ];
}
