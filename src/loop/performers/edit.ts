// What a playbook's edit comes to.
import type { Edit } from '../../engine/playbook.ts';
import { Impossible } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';

/** An edit that cannot be made is somebody's to mend, not a bug. */
export async function written(edit: ReturnType<Edit>): Promise<Result<Awaited<ReturnType<Edit>>>> {
  try {
    return ok(await edit);
  } catch (error) {
    if (error instanceof Impossible) return err(error.failure);
    throw error;
  }
}
