// The session of a workflow in the work tree: state.json, the documents beside it, and removing both.
import type { StartEffects, StartHost } from '../../../engine/start.ts';
import { failure } from '../../../model/failure.ts';
import { err, ok, type Result } from '../../../model/result.ts';
import { readState, type FoundState } from '../file/read.ts';
import { resolved, type WorkflowFile } from '../file/state.ts';
import { startFactsOf } from '../repository-facts.ts';
import { NO_DOCUMENTS, type StartFacts } from '../table/resume.ts';
import { OWN_FILES } from '../table/rules.ts';

export type FoundSession = {
  /** As it was read; null: there is none. */
  readonly text: string | null;
  readonly state: FoundState | null;
  readonly facts: StartFacts;
};

export const fileOf = ({ state }: FoundSession): WorkflowFile | null =>
  state?.kind === 'workflow' ? state.file : null;

/** Fails where state.json cannot be read: nothing is started over it. */
export async function findSession({ view, config, hasGit, readList }: StartHost): Promise<Result<FoundSession>> {
  const name = config.paths.backlog;
  const nothing: StartFacts = { ...NO_DOCUMENTS, hasGit, isDocsPathValid: true };
  const text = readList();
  if (!text.ok) return text;
  if (text.value === null) return ok({ text: null, state: null, facts: nothing });
  const state = readState(text.value, name);
  if (!state.ok) return state;
  const file = state.value.kind === 'workflow' ? state.value.file : null;
  const facts = file === null ? nothing : await startFactsOf(view, resolved(file));
  return ok({ text: text.value, state: state.value, facts });
}

const FOLDER = '.harness';

/** state.json goes last: after a crash before that the session is still found. */
export async function removeSession(
  { view, config }: StartHost,
  effects: StartEffects,
  why: string,
): Promise<Result<null>> {
  // Through a link other files would be removed.
  const folder = (await view.look(FOLDER)).is;
  if (folder !== 'folder' && folder !== 'absent')
    return err(failure('workflow-docs-path', { path: FOLDER, rule: 'path-link-itself', part: '' }));
  const forgotten = await effects.forgetLoop(why);
  if (!forgotten.ok) return forgotten;
  for (const path of [...OWN_FILES.map((name) => `${FOLDER}/${name}`), config.paths.backlog]) effects.remove(path);
  return ok(null);
}
