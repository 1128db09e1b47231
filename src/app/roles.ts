// Roles are looked at before a session begins: one that is found broken in the middle of it would leave the session open,
// and the commit that mends it would be taken for the agent's.
import type { RunContext } from '../loop/run-context.ts';
import { ok, type Result } from '../model/result.ts';

/** Fails as the first of the roles that cannot be loaded. */
export async function usableRoles(lane: RunContext, roles: readonly string[]): Promise<Result<null>> {
  for (const role of roles) {
    const loaded = await lane.roles.load(lane.machine.name, role);
    if (!loaded.ok) return loaded;
  }
  return ok(null);
}
