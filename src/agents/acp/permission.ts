// The answer to a permission request: the policy decides, an option of the agent carries it.
// A standing permission is never given: without an option for this one time the call is refused.

export type Option = { readonly optionId: string; readonly kind: string };
export type PermissionAnswer = { outcome: { outcome: 'selected'; optionId: string } | { outcome: 'cancelled' } };

export function answerPermission(options: readonly Option[], allow: boolean): PermissionAnswer & { allowed: boolean } {
  const of = (kind: string): Option | undefined => options.find((option) => option.kind === kind);
  const yes = allow ? of('allow_once') : undefined;
  const chosen = yes ?? of('reject_once') ?? of('reject_always');
  return {
    allowed: yes !== undefined,
    outcome: chosen === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: chosen.optionId },
  };
}
