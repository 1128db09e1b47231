// Finds out who hides failures in the run of all tests: every test is made to fail from outside (reports/failing.ts), and
// whatever is said to have passed then is a lie, unless it was said of the old source too.
import type { CheckSpec } from '../../model/action.ts';
import { ok, type Result } from '../../model/result.ts';
import type { Ran } from '../evidence.ts';
import { canFail, failingFor } from '../reports/failing.ts';
import { scriptsIn } from '../run-once.ts';
import { hiddenIn, saysOfFailing, type HiddenFailures } from './hiding.ts';
import { newWord } from './canary.ts';
import type { Lab } from './lab.ts';

export async function proveHidden(lab: Lab): Promise<Result<HiddenFailures | null>> {
  const { ask, files } = lab;
  const { full } = ask;
  if (full === null || !files.some(({ kind }) => kind !== 'docs')) return ok(null);
  const now = await allFailing(lab, full, ask.tree, 'told-to-fail');
  if (!now.ok) return now;
  if (now.value === null) {
    lab.tell('hidden', 'not-possible', null, { runner: full.runner ?? 'command' });
    return ok(null);
  }
  let hidden = hiddenIn(saysOfFailing(now.value), null);
  if (hidden !== 'none') {
    // How this project answers by itself: some of its tests may be out of reach.
    const before = await allFailing(lab, full, ask.since, 'told-to-fail-before');
    if (!before.ok) return before;
    hidden = hiddenIn(saysOfFailing(now.value), before.value === null ? null : saysOfFailing(before.value));
  }
  const came = hidden === 'none' ? 'held' : hidden === 'unknown' ? 'not-possible' : 'failed';
  lab.tell('hidden', came, now.value, {});
  return ok(typeof hidden === 'string' ? null : hidden);
}

/** null: the runner cannot be told. */
async function allFailing(lab: Lab, full: CheckSpec, tree: string, name: string): Promise<Result<Ran | null>> {
  if (!canFail(full.runner)) return ok(null);
  const copy = await lab.copy(tree, null);
  if (!copy.ok) return copy;
  const { root } = copy.value;
  const about = { command: full.command, word: newWord(), scripts: scriptsIn(root) };
  const failing = failingFor(full.runner, root, about);
  if (failing === null) return ok(null);
  copy.value.write(failing.file.path, failing.file.text);
  return ok(await lab.run(copy.value, { ...full, command: failing.command }, name, lab.ask.tookMs.full));
}
