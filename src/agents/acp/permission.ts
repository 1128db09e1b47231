// The response to a permission request: the policy decides, and one of the agent's options expresses the decision.
// A permanent permission is never given: without an option for this one time the call is refused.

export type PermissionOption = { readonly optionId: string; readonly kind: string };
export type PermissionOutcome = { outcome: { outcome: 'selected'; optionId: string } | { outcome: 'cancelled' } };

export function answerPermission(
  options: readonly PermissionOption[],
  allow: boolean,
): PermissionOutcome & { allowed: boolean } {
  const of = (kind: string): PermissionOption | undefined => options.find((option) => option.kind === kind);
  const yes = allow ? of('allow_once') : undefined;
  const chosen = yes ?? of('reject_once') ?? of('reject_always');
  return {
    allowed: yes !== undefined,
    outcome: chosen === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: chosen.optionId },
  };
}
