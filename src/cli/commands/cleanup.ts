// `harness cleanup`: one session that tidies the code and changes no behaviour.
import { openTarget } from '../../app/open/target.ts';
import { failure } from '../../model/failure.ts';
import { CLEANUP } from '../../model/item.ts';
import { err } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { drive } from './run.ts';

export const cleanup: CommandSpec = {
  name: 'cleanup',
  args: '',
  options: [],
  examples: ['harness cleanup'],
  async run({ caller }) {
    const target = await openTarget(caller);
    if (!target.ok) return target;
    const { name, oneTask } = target.value.playbook;
    if (oneTask !== undefined)
      return err(failure('usage', { what: `the playbook ${name} has no cleanup sessions`, hint: 'harness run' }));
    const mode = { work: true, only: CLEANUP, untilDone: false, maxSessions: null, maxItems: null };
    return drive(target.value, mode, 'harness cleanup', caller);
  },
};
