// The one attempt to mend by a patch (reference 004, Step 5): a proposer writes a diff, a person decides, the harness applies what was
// judged, whole or not at all.
import type { Run } from '../../../engine/types.ts';
import type { Actions } from '../../../model/action.ts';
import type { Config } from '../../../model/config.ts';
import { ask } from '../../session/asks.ts';
import type { Came } from '../table/came.ts';
import { cameOf } from '../sessions/dispatch.ts';
import type { Dispatch } from '../sessions/one-session.ts';
import { PATCH_FILE } from '../table/rules.ts';

type R = Run<Actions>;

export async function proposeFix(run: R, input: Dispatch, config: Config): Promise<Came> {
  const { state } = input;
  const { files } = await ask<{ readonly files: readonly string[] }>(run, 'failing-files', {
    report: `${state.docs_path}verify_report.md`,
    docs: state.docs_path,
    root: state.repo_path,
  });
  return cameOf(run, { ...input, files }, config, async ({ returned: [said] }) => {
    const { diff, targets, why, summary } = await ask<Judged>(run, 'patch', patchAsk(state));
    if (diff === null || diff.length > MOST_CHARS) return { on: 'patch: empty', line: why, paths: [], diff: null };
    // What the file says to the person who decides; where it says nothing, what its writer returned.
    const line = summary === '' ? (said?.line ?? '') : summary;
    const confidence = said?.confidence ?? 'Unknown';
    return { on: 'patch: written', line, confidence, paths: targets, diff };
  });
}

const patchAsk = ({ docs_path: docs, scope }: Dispatch['state']) => ({ file: PATCH_FILE, docs, scope });

/** It is kept beside the question, and a minimal fix is short. */
const MOST_CHARS = 100_000;

/** What the survey `patch` makes of the file. `diff` null: there is none that may be applied. */
export type Judged = {
  readonly diff: string | null;
  readonly targets: readonly string[];
  readonly refused: { readonly path: string; readonly rule: string } | null;
  readonly why: string;
  /** What it is, in one line; '': it does not say. */
  readonly summary: string;
};

export async function applyFix(
  run: R,
  { item, session, state, shown }: Pick<Dispatch, 'item' | 'session' | 'state'> & { readonly shown: string | null },
): Promise<Came> {
  const { diff, targets, refused, why } = await ask<Judged>(run, 'patch', patchAsk(state));
  if (diff === null || refused !== null)
    return { on: 'patch: refused', line: refused === null ? why : `${refused.path}: ${refused.rule}` };
  // Between the question and the answer somebody wrote another one: that is not what was agreed to.
  if (shown !== null && shown !== diff)
    return { on: 'patch: refused', line: 'the patch is not the one that was shown' };
  const checkpoint = await run.do('snapshot', { kind: 'checkpoint', session, item, why: 'pre_auto_fix' });
  const done = await run.do('apply', { kind: 'patch', checkpoint, diff, paths: targets });
  return done.applied ? { on: 'patch: applied' } : { on: 'patch: refused', line: done.why };
}
