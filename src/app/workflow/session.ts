// The session of a workflow as it lies in the work tree: state.json, what stands beside it, and taking both away.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../../host/files.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { failure } from '../../model/failure.ts';
import { verdictOf } from '../../playbooks/workflow/project/artifacts.ts';
import { conventionsFile } from '../../playbooks/workflow/project/conventions.ts';
import { judgePathIn, type PathVerdict } from '../../playbooks/workflow/paths/paths.ts';
import { readState, type FoundState } from '../../playbooks/workflow/file/read.ts';
import type { Facts } from '../../playbooks/workflow/table/resume.ts';
import { resolved, type WorkflowFile } from '../../playbooks/workflow/file/state.ts';
import { forgetLoop } from '../forget.ts';
import type { Target } from '../target.ts';

export type Found = {
  /** As it was read; null: there is none. */
  readonly text: string | null;
  readonly state: FoundState | null;
  readonly facts: Facts;
};

export const fileOf = (found: Found): WorkflowFile | null =>
  found.state?.kind === 'workflow' ? found.state.file : null;

/** Fails where state.json cannot be read: nothing is begun over it. */
export async function lookAtSession(target: Target): Promise<Result<Found>> {
  const name = target.config.paths.backlog;
  const text = readText(join(target.root, name));
  if (!text.ok)
    return err(failure(text.failure.reason, { ...text.failure.params, file: name }, { at: { file: name } }));
  if (text.value === null) return ok({ text: null, state: null, facts: await factsOf(target, null) });
  const state = readState(text.value, name);
  if (!state.ok) return state;
  const file = state.value.kind === 'workflow' ? state.value.file : null;
  return ok({ text: text.value, state: state.value, facts: await factsOf(target, file) });
}

async function factsOf(target: Target, file: WorkflowFile | null): Promise<Facts> {
  const none = { spec: false, changes: false, verifyReport: false, report: false, conventions: false, patch: false };
  const hasGitNow = target.hasGit;
  if (file === null) return { ...none, hasGit: hasGitNow, isDocsPathValid: true };
  const { docs_path: docs, conventions, autofix } = resolved(file);
  const { world } = target;
  const isFile = async (path: string): Promise<boolean> => (await world.stat(path))?.kind === 'file';
  const live = conventionsFile(conventions);
  const patch = autofix === null ? null : await world.read(autofix.last_patch_path);
  return {
    spec: await isFile(`${docs}spec.md`),
    changes: await isFile(`${docs}changes.md`),
    verifyReport: await isFile(`${docs}verify_report.md`),
    // Of which round it is only the machine knows; here it decides nothing but whether there is one.
    report: verdictOf((await world.read(`${docs}qa_report.md`)) ?? '') !== 'verdict: none',
    conventions: live !== null && (await isFile(live)),
    patch: (patch ?? '').trim() !== '',
    hasGit: hasGitNow,
    // What is there of it is found all the same: nothing outside is looked at, and whoever is refused is told the right thing.
    isDocsPathValid: (await judged(target, docs)).isAllowed,
  };
}

/** The folder of a session's artifacts, by the rules for what is written and deleted there. */
export const judged = ({ world }: Target, path: string): Promise<PathVerdict> =>
  judgePathIn(world, path, { kind: 'docs-path', docsPath: null, isInScope: () => true });

/** The workflow's own in `.harness/`; sessions, logs and costs are the harness's, and stay. */
const STATE = '.harness';
const OWN = ['planner', 'generator', 'conventions.md', 'autofix_pre_apply'];

/** Under the lock. state.json goes last: whoever dies before that finds a session still. */
export async function clearSession(target: Target, why: string): Promise<Result<null>> {
  // Through a link something else would go.
  const folder = (await target.world.look(STATE)).is;
  if (folder !== 'folder' && folder !== 'absent')
    return err(failure('workflow-docs-path', { path: STATE, rule: 'path-link-itself', part: '' }));
  const forgotten = await forgetLoop(target, why);
  if (!forgotten.ok) return forgotten;
  const state = join(target.root, target.config.paths.backlog);
  for (const path of [...OWN.map((name) => join(target.root, STATE, name)), state])
    if (existsSync(path)) target.io.remove(path);
  return ok(null);
}
