// Facts about the repository that decide what is next and where a run continues. Nothing is decided here.
import { z } from 'zod';
import { defineSurvey } from '../../engine/definitions.ts';
import { nextFacts, nextInput, type NextFacts } from '../../engine/playbook.ts';
import { failure, failureSchema, type Failure } from '../../model/failure.ts';
import type { RepositoryView } from '../../model/repository-view.ts';
import { idOf, promptOf, stateIn } from './backlog.ts';
import { resolved, workflowFileSchema, type WorkflowState } from './file/state.ts';
import { judgeDocsPath } from './paths/paths.ts';
import { conventionsFile } from './project/conventions.ts';
import { isPatch, verdictOf } from './project/reports.ts';
import { startFactsSchema, type StartFacts } from './table/resume.ts';

/** The task, unless it is completed. */
export const next = defineSurvey({
  id: 'workflow.next',
  input: nextInput,
  facts: nextFacts,
  async read({ view, config: { paths } }, { only, taken }) {
    const session = await freeSession(view, paths.stateDir);
    // The one task waits for an answer, whatever its phase is.
    if (taken.length > 0) return { next: null, remaining: 1, session, failure: null };
    const none = (why: Failure | null): NextFacts => ({ next: null, remaining: 0, session, failure: why });
    const text = await view.read(paths.backlog);
    if (text === null) return none(null);
    const state = stateIn(text, paths.backlog);
    if (!state.ok) return none(state.failure);
    const { phase } = resolved(state.value);
    if (phase === null) return none(failure('workflow-unfinished', { file: paths.backlog }));
    if (phase === 'completed') return none(await uncommittedWork(view, paths.backlog));
    const item = idOf(state.value);
    if (only !== null && only !== item) return none(failure('item-unknown', { item: only }));
    return { next: item, remaining: 1, session, failure: null, prompt: promptOf(state.value) };
  },
});

/** A completed task whose last question was withdrawn, or whose phase was written manually: its work has not landed. */
async function uncommittedWork(view: RepositoryView, file: string): Promise<Failure | null> {
  const { dirty } = view.hasGit ? await view.head() : { dirty: [] };
  const [path] = dirty;
  return path === undefined ? null : failure('workflow-uncommitted', { file, path, count: dirty.length });
}

/** Parallel sessions that a crash may have left without a record. */
const MAX_GAP = 4;
/** The first number after all sessions: those begun here, and those that only `.harness/` knows, found by bisection. */
async function freeSession(view: RepositoryView, stateDir: string): Promise<number> {
  const isTaken = async (n: number): Promise<boolean> => (await view.stat(`${stateDir}/sessions/${n}`)) !== null;
  const anyTaken = async (from: number): Promise<boolean> => {
    for (let n = from; n < from + MAX_GAP; n += 1) if (await isTaken(n)) return true;
    return false;
  };
  let [low, high] = [0, 1];
  while (await anyTaken(high)) [low, high] = [high, high * 2];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await anyTaken(middle)) low = middle;
    else high = middle;
  }
  return Math.max(high, (await view.lastSession()) + 1);
}

/** For the resume table. */
export async function startFactsOf(view: RepositoryView, state: WorkflowState): Promise<StartFacts> {
  const docs = state.docs_path;
  const isFile = async (path: string): Promise<boolean> => (await view.stat(path))?.kind === 'file';
  const report = await view.read(`${docs}qa_report.md`);
  const patch = state.autofix === null ? null : await view.read(state.autofix.last_patch_path);
  const conventions = conventionsFile(state.conventions);
  return {
    spec: await isFile(`${docs}spec.md`),
    changes: await isFile(`${docs}changes.md`),
    verifyReport: await isFile(`${docs}verify_report.md`),
    report: report !== null && verdictOf(report) !== 'verdict: none',
    conventions: conventions !== null && (await isFile(conventions)),
    patch: patch !== null && isPatch(patch),
    hasGit: view.hasGit,
    isDocsPathValid: (await judgeDocsPath(view, docs)).isAllowed,
  };
}

/** `session`: the number of the next session. */
export const startFacts = defineSurvey({
  id: 'workflow.start-facts',
  input: z.object({ file: workflowFileSchema }),
  facts: z.object({ facts: startFactsSchema, session: z.number() }),
  read: async ({ view, config }, { file }) => ({
    facts: await startFactsOf(view, resolved(file)),
    session: await freeSession(view, config.paths.stateDir),
  }),
});

/**
 * Whether the task's branch is checked out, with no git operation under way. Uncommitted work is the task's own. null: without git. With `land: branch`
 * the branch is that of the run, and nothing is checked out for it.
 */
export const branchState = defineSurvey({
  id: 'workflow.branch',
  input: z.object({ branch: z.string().nullable() }),
  facts: z.object({ failure: failureSchema.nullable() }),
  async read({ view, config }, { branch: wanted }) {
    if (wanted === null || config.land === 'branch') return { failure: null };
    const { branch, operation } = await view.head();
    if (operation !== null) return { failure: failure('git-operation-open', { operation }) };
    if (branch === null) return { failure: failure('detached-head') };
    return { failure: branch === wanted ? null : failure('workflow-branch', { branch: wanted, at: branch }) };
  },
});
