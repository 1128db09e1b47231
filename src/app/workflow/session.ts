// The session of a workflow as it lies in the work tree: state.json, what stands beside it, and taking both away.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../host/files.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { failure } from '../../model/failure.ts';
import { startFactsOf } from '../../playbooks/workflow/repository-facts.ts';
import { OWN_FILES } from '../../playbooks/workflow/table/rules.ts';
import { readState, type FoundState } from '../../playbooks/workflow/file/read.ts';
import { NO_DOCUMENTS, type StartFacts } from '../../playbooks/workflow/table/resume.ts';
import { resolved, type WorkflowFile } from '../../playbooks/workflow/file/state.ts';
import { forgetLoop } from '../forget.ts';
import type { Target } from '../target.ts';

export type Found = {
  /** As it was read; null: there is none. */
  readonly text: string | null;
  readonly state: FoundState | null;
  readonly facts: StartFacts;
};

export const fileOf = (found: Found): WorkflowFile | null =>
  found.state?.kind === 'workflow' ? found.state.file : null;

/** Fails where state.json cannot be read: nothing is begun over it. */
export async function lookAtSession(target: Target): Promise<Result<Found>> {
  const name = target.config.paths.backlog;
  const text = readText(join(target.root, name));
  if (!text.ok)
    return err(failure(text.failure.reason, { ...text.failure.params, file: name }, { at: { file: name } }));
  if (text.value === null) return ok({ text: null, state: null, facts: nothing(target) });
  const state = readState(text.value, name);
  if (!state.ok) return state;
  const file = state.value.kind === 'workflow' ? state.value.file : null;
  const facts = file === null ? nothing(target) : await startFactsOf(target.world, resolved(file));
  return ok({ text: text.value, state: state.value, facts });
}

/** Nothing of a session is here. */
const nothing = ({ hasGit }: Target): StartFacts => ({ ...NO_DOCUMENTS, hasGit, isDocsPathValid: true });

const STATE = '.harness';

/** Under the lock. state.json goes last: whoever dies before that finds a session still. */
export async function clearSession(target: Target, why: string): Promise<Result<null>> {
  // Through a link something else would go.
  const folder = (await target.world.look(STATE)).is;
  if (folder !== 'folder' && folder !== 'absent')
    return err(failure('workflow-docs-path', { path: STATE, rule: 'path-link-itself', part: '' }));
  const forgotten = await forgetLoop(target, why);
  if (!forgotten.ok) return forgotten;
  const state = join(target.root, target.config.paths.backlog);
  for (const path of [...OWN_FILES.map((name) => join(target.root, STATE, name)), state])
    if (existsSync(path)) target.io.remove(path);
  return ok(null);
}
