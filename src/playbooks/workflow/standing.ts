// Where a workflow stands: what is next, what lies there when a life begins, whether the place is its own. Facts alone, nothing is decided.
import { z } from 'zod';
import type { Survey } from '../../engine/playbook.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { Json } from '../../model/json.ts';
import { languageAfter } from '../../model/spoken.ts';
import type { World } from '../../model/world.ts';
import { asJson } from '../session/surveys.ts';
import { isPatch, verdictOf } from './project/artifacts.ts';
import { conventionsFile, linesOf, type ConventionFacts } from './project/conventions.ts';
import { idOf, promptOf, stateIn } from './listing.ts';
import { judgeDocsPath } from './paths/paths.ts';
import type { Facts } from './table/resume.ts';
import { CONVENTIONS_FILE } from './table/rules.ts';
import { resolved, type WorkflowState } from './file/state.ts';

export const isFile = async (world: World, path: string): Promise<boolean> => (await world.stat(path))?.kind === 'file';

const nextInput = z.looseObject({ backlog: z.string(), stateDir: z.string(), only: z.string().nullable() });
/** The loop's question: NextFacts. There is one task at most. */
export const next: Survey = async (world, input) => {
  const { backlog, stateDir, only } = nextInput.parse(input);
  const session = await freeSession(world, stateDir);
  const none = (f: Failure | null): Json => asJson({ next: null, remaining: 0, session, failure: f });
  const text = await world.read(backlog);
  if (text === null) return none(null);
  const state = stateIn(text, backlog);
  if (!state.ok) return none(state.failure);
  const { phase } = resolved(state.value);
  if (phase === null) return none(failure('workflow-unfinished', { file: backlog }));
  // No session is under way (reference 004, Session Recovery); what it made may lie there all the same.
  if (phase === 'completed') return none(await leftBehind(world, backlog));
  const item = idOf(state.value);
  if (only !== null && only !== item) return none(failure('item-unknown', { item: only }));
  return asJson({ next: item, remaining: 1, session, failure: null, prompt: promptOf(state.value) });
};

/** Its last question was withdrawn, or somebody wrote the phase by hand: that all has landed would not be true. */
async function leftBehind(world: World, file: string): Promise<Failure | null> {
  const { dirty } = world.hasGit ? await world.head() : { dirty: [] };
  const [path] = dirty;
  return path === undefined ? null : failure('workflow-uncommitted', { file, path, count: dirty.length });
}

/** Sessions are numbered without gaps, but for those that a crash left unrecorded: looked for in steps that double. */
async function freeSession(world: World, stateDir: string): Promise<number> {
  const isTaken = async (n: number): Promise<boolean> => (await world.stat(`${stateDir}/sessions/${n}`)) !== null;
  const anyTaken = async (from: number): Promise<boolean> => {
    for (let n = from; n < from + MOST_GAPS; n += 1) if (await isTaken(n)) return true;
    return false;
  };
  let [low, high] = [0, 1];
  while (await anyTaken(high)) [low, high] = [high, high * 2];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await anyTaken(middle)) low = middle;
    else high = middle;
  }
  return high;
}
/** Sessions side by side that a crash may have left without a record. */
const MOST_GAPS = 4;

/** For the resume table: what lies there. */
export async function factsOf(world: World, state: WorkflowState): Promise<Facts> {
  const docs = state.docs_path;
  const report = await world.read(`${docs}qa_report.md`);
  const patch = state.autofix === null ? null : await world.read(state.autofix.last_patch_path);
  const conventions = conventionsFile(state.conventions);
  return {
    spec: await isFile(world, `${docs}spec.md`),
    changes: await isFile(world, `${docs}changes.md`),
    verifyReport: await isFile(world, `${docs}verify_report.md`),
    report: report !== null && verdictOf(report) !== 'verdict: none',
    conventions: conventions !== null && (await isFile(world, conventions)),
    patch: patch !== null && isPatch(patch),
    hasGit: world.hasGit,
    isDocsPathValid: (await judgeDocsPath(world, docs)).isAllowed,
  };
}

const stateInput = z.looseObject({ state: z.looseObject({ docs_path: z.string() }), stateDir: z.string() });
/** `{facts, session}`: what lies there, and the number of the next session. */
export const lies: Survey = async (world, input) => {
  const { state, stateDir } = stateInput.parse(input);
  const facts = await factsOf(world, state as unknown as WorkflowState);
  return asJson({ facts, session: await freeSession(world, stateDir) });
};

const conventionInput = z.object({ value: z.string().nullable(), docs: z.string() });
/** ConventionFacts, and the texts that may be copied. */
export const conventions: Survey = async (world, input) => {
  const { value, docs } = conventionInput.parse(input);
  const live = conventionsFile(value) ?? CONVENTIONS_FILE;
  const [persisted, claude] = [await world.read(`${docs}conventions.md`), await world.read('CLAUDE.md')];
  const facts: ConventionFacts = {
    value,
    live: await isFile(world, live),
    persisted: persisted !== null,
    claudeLines: claude === null ? null : linesOf(claude),
  };
  return asJson({ facts });
};

const docsInput = z.object({ docs: z.string() });
/** `{rule}`: the one that docs_path breaks; null: none. */
export const docsPath: Survey = async (world, input) => {
  const verdict = await judgeDocsPath(world, docsInput.parse(input).docs);
  return { rule: verdict.isAllowed ? null : verdict.rule };
};

const placeInput = z.object({ branch: z.string().nullable() });
/** `{failure}`: a person is in the middle of something, or on another branch. Work that is not committed is the workflow's own. */
export const place: Survey = async (world, input) => {
  const wanted = placeInput.parse(input).branch;
  if (wanted === null) return asJson({ failure: null });
  const { branch, operation } = await world.head();
  if (operation !== null) return asJson({ failure: failure('git-operation-open', { operation }) });
  if (branch === null) return asJson({ failure: failure('detached-head') });
  if (branch !== wanted) return asJson({ failure: failure('workflow-branch', { branch: wanted, at: branch }) });
  return asJson({ failure: null });
};

const languageInput = z.object({ current: z.string(), text: z.string() });
/** `{language}`: what a person writes in, by what they wrote last. */
export const language: Survey = async (_, input) => {
  const { current, text } = languageInput.parse(input);
  return { language: await languageAfter(current, text) };
};
