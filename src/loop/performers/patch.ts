// The diff that a person let through, brought into the work tree. Its paths were judged before; nothing else is touched.
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Actions, PatchOutcome } from '../../model/action.ts';
import { patchWorkTree } from '../../repos/patch.ts';
import type { RunHost, RunRepository } from '../run-context.ts';
import { repeatable } from './repeatable.ts';

export const patches = (context: RunRepository & RunHost): Performer<ActionOf<Actions, 'patch'>, PatchOutcome> => ({
  async perform({ checkpoint, diff, paths }, { token }) {
    const done = await patchWorkTree(context.git, { before: checkpoint, diff, paths, token });
    if (!done.ok) return { blocked: done.failure };
    return done.value.is === 'patched'
      ? { applied: true, why: '' }
      : { applied: false, why: context.redact(done.value.why) };
  },
  probe: repeatable,
});
