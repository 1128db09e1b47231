// Detects whether a run of all tests hides failures: every test is made to fail from outside, and a test that is still reported as
// passed has a hidden failure, unless that was so with the old source too.
import { join } from 'node:path';
import type { CheckSpec } from '../../model/action.ts';
import { ok, type Result } from '../../model/result.ts';
import type { Ran } from '../evidence.ts';
import { runnerNamed } from '../runners/all.ts';
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
    // The result with the old source: some tests may not be reachable.
    const before = await allFailing(lab, full, ask.since, 'told-to-fail-before');
    if (!before.ok) return before;
    hidden = hiddenIn(saysOfFailing(now.value), before.value === null ? null : saysOfFailing(before.value));
  }
  const came = hidden === 'none' ? 'held' : hidden === 'unknown' ? 'not-possible' : 'failed';
  lab.tell('hidden', came, now.value, {});
  return ok(typeof hidden === 'string' ? null : hidden);
}

/** null: the runner cannot be made to fail every test. */
async function allFailing(lab: Lab, full: CheckSpec, tree: string, name: string): Promise<Result<Ran | null>> {
  const runner = runnerNamed(full.runner);
  if (runner?.failEveryTest === undefined) return ok(null);
  const copy = await lab.copy(tree, null);
  if (!copy.ok) return copy;
  const { root } = copy.value;
  const word = newWord();
  const folder = `.${word}`;
  const setup = { command: full.command, folder: join(root, folder), word, scripts: scriptsIn(root) };
  const failing = runner.failEveryTest(setup);
  if (failing === null) return ok(null);
  copy.value.write(`${folder}/${failing.name}`, failing.text);
  return ok(await lab.run(copy.value, { ...full, command: failing.command }, name, lab.ask.tookMs.full));
}
