// `harness health`: the health of the project as one number, with its parts.
import { healthJson, readHealth } from '../../app/look/health.ts';
import { openTarget } from '../../app/open/target.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { showHealth } from '../show/health.ts';

export const health: CommandSpec = {
  name: 'health',
  args: '',
  options: [],
  examples: ['harness health', 'harness health --json | jq .overall'],
  async run({ caller }) {
    const target = await openTarget(caller);
    if (!target.ok) return target;
    const found = await readHealth(target.value, caller);
    if (!found.ok) return found;
    const lines = caller.json ? [] : showHealth(found.value, caller, Date.now());
    return ok({ exit: EXIT.done, json: healthJson(found.value), lines });
  },
};
