// What the loop and the machine of a workflow ask of the work tree. Each reads facts and decides nothing beyond what it read.
import { z } from 'zod';
import type { Survey } from '../../engine/playbook.ts';
import { failure, type Failure } from '../../model/failure.ts';
import type { Json } from '../../model/json.ts';
import type { Problem } from '../../model/verdict.ts';
import { languageAfter } from '../../model/spoken.ts';
import type { World } from '../../model/world.ts';
import { asJson } from '../session/surveys.ts';
import { isPatch, verdictOf } from './project/artifacts.ts';
import type { Judged } from './layers/auto-fix.ts';
import { conventionsFile, linesOf, type ConventionFacts } from './project/conventions.ts';
import { docsKind, idOf, promptOf, stateIn } from './listing.ts';
import { failingFiles } from './paths/named-files.ts';
import { judgedTargets, readPatch } from './paths/patch.ts';
import { judgePathIn } from './paths/paths.ts';
import type { Facts } from './table/resume.ts';
import { CONVENTIONS_FILE } from './table/rules.ts';
import { outOfBounds } from './paths/scope.ts';
import { resolved, type WorkflowState } from './file/state.ts';
import { newTodos } from './project/todos.ts';

const isFile = async (world: World, path: string): Promise<boolean> => (await world.stat(path))?.kind === 'file';

const nextInput = z.looseObject({ backlog: z.string(), stateDir: z.string(), only: z.string().nullable() });
/** The loop's question: NextFacts. There is one task at most. */
const next: Survey = async (world, input) => {
  const { backlog, stateDir, only } = nextInput.parse(input);
  const session = await freeSession(world, stateDir);
  const none = (f: Failure | null): Json => asJson({ next: null, remaining: 0, session, failure: f });
  const text = await world.read(backlog);
  if (text === null) return none(null);
  const state = stateIn(text, backlog);
  if (!state.ok) return none(state.failure);
  const { phase } = resolved(state.value);
  if (phase === null) return none(failure('workflow-unfinished', { file: backlog }));
  if (phase === 'completed') return none(null);
  const item = idOf(state.value);
  if (only !== null && only !== item) return none(failure('item-unknown', { item: only }));
  return asJson({ next: item, remaining: 1, session, failure: null, prompt: promptOf(state.value) });
};

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
    isDocsPathValid: (await ruleOf(world, docs)) === null,
  };
}

/** The rule that docs_path breaks; null: none. It is judged as it stands in the file. */
const ruleOf = async (world: World, docs: string): Promise<string | null> => {
  const verdict = await judgePathIn(world, docs, { kind: docsKind, docsPath: null, isInScope: () => true });
  return verdict.isAllowed ? null : verdict.rule;
};

const stateInput = z.looseObject({ state: z.looseObject({ docs_path: z.string() }), stateDir: z.string() });
/** `{facts, session}`: what lies there, and the number of the next session. */
const lies: Survey = async (world, input) => {
  const { state, stateDir } = stateInput.parse(input);
  const facts = await factsOf(world, state as unknown as WorkflowState);
  return asJson({ facts, session: await freeSession(world, stateDir) });
};

const conventionInput = z.object({ value: z.string().nullable(), docs: z.string() });
/** ConventionFacts, and the texts that may be copied. */
const conventions: Survey = async (world, input) => {
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

const leftInput = z.object({
  role: z.string(),
  output: z.string(),
  since: z.string(),
  scope: z.string(),
  maxFiles: z.number(),
  docs: z.string(),
});
/** What a session should have left and has not, and where a generator went beyond its bounds: `{problems}`. */
const left: Survey = async (world, input) => {
  const { role, output, scope, maxFiles, docs } = leftInput.parse(input);
  const text = output === '' ? null : await world.read(output);
  const isMissing = output !== '' && (text === null || text.trim() === '');
  const missing: readonly Problem[] = isMissing ? [{ code: 'output-missing', params: { file: output, role } }] : [];
  if (role !== 'generator') return asJson({ problems: missing });
  // All that is not committed yet is this task's: bounds are for the whole of it.
  const changed = await world.changedSince('HEAD');
  return asJson({ problems: [...missing, ...outOfBounds({ changed, scope, maxFiles, own: [docs, '.harness/'] })] });
};

const strayedInput = z.object({
  roles: z.array(z.string()),
  outputs: z.array(z.string()),
  since: z.string(),
  head: z.string(),
  branch: z.string(),
  docs: z.string(),
});
/** `{paths, isMoved}`: what sessions changed that were sent for one file each; whether somebody committed or switched the branch. */
const strayed: Survey = async (world, input) => {
  const { roles, outputs, since, head, branch, docs } = strayedInput.parse(input);
  const now = await world.head();
  const isMoved = now.commit !== head || (now.branch ?? '') !== branch;
  if (isMoved) return asJson({ paths: [], isMoved });
  const isGenerator = roles.includes('generator');
  const mine = new Set(outputs);
  const changed = await world.changedSince(since);
  // A generator may change code; of the papers of the others only its own is its business.
  const paths = changed.filter((path) => !mine.has(path) && (!isGenerator || path.startsWith(docs)));
  return asJson({ paths, isMoved });
};

const todoInput = z.object({ docs: z.string() });
const todos: Survey = async (world, input) => {
  const { docs } = todoInput.parse(input);
  const changed = (await world.changedSince('HEAD')).filter((path) => !path.startsWith(docs));
  return asJson({ todos: await newTodos(world, changed, 'HEAD'), at: world.now });
};

const failingInput = z.object({ report: z.string(), docs: z.string(), root: z.string() });
const failing: Survey = async (world, input) => {
  const { report, docs, root } = failingInput.parse(input);
  const text = (await world.read(report)) ?? '';
  const found = await failingFiles(world, text, { docsPath: docs, repoPath: root });
  return asJson({ files: found.files, dropped: found.dropped });
};

const patchInput = z.object({ file: z.string(), docs: z.string(), scope: z.string() });
/** Judged: what of the proposer's file may be applied. */
const patch: Survey = async (world, input) => {
  const { file, docs, scope } = patchInput.parse(input);
  const read = readPatch((await world.read(file)) ?? '');
  if (read.isEmpty) {
    const why = read.part === '' ? read.why : `${read.why}: ${read.part}`;
    return asJson({ diff: null, targets: [], refused: null, why } satisfies Judged);
  }
  const { diff, targets } = read;
  const judged = await judgedTargets(world, targets, { scope, docsPath: docs });
  const refused = judged.isAllowed ? null : { path: judged.path, rule: judged.rule };
  return asJson({ diff, targets, refused, why: '' } satisfies Judged);
};

const docsInput = z.object({ docs: z.string() });
const docsPath: Survey = async (world, input) => asJson({ rule: await ruleOf(world, docsInput.parse(input).docs) });

const ignoredInput = z.object({ paths: z.array(z.string()), at: z.string() });
/** `{isIgnored}`: of these papers some are there, and the checkpoint has none of them. */
const ignored: Survey = async (world, input) => {
  const { paths, at } = ignoredInput.parse(input);
  const there = await Promise.all(paths.map((path) => isFile(world, path)));
  const papers = paths.filter((_, n) => there[n]);
  const kept = await Promise.all(papers.map((path) => world.readAt(at, path)));
  return asJson({ isIgnored: papers.length > 0 && kept.every((text) => text === null) });
};

const verdictInput = z.object({ report: z.string() });
/** `{on}`: an event of the table. */
const verdict: Survey = async (world, input) => {
  const report = (await world.read(verdictInput.parse(input).report)) ?? '';
  return asJson({ on: verdictOf(report) });
};

const placeInput = z.object({ branch: z.string().nullable() });
/** `{failure}`: a person is in the middle of something, or on another branch. Work that is not committed is the workflow's own. */
const place: Survey = async (world, input) => {
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
const language: Survey = async (_, input) => {
  const { current, text } = languageInput.parse(input);
  return { language: await languageAfter(current, text) };
};

const nothing: Survey = () => Promise.resolve({});

export const surveys = {
  next,
  lies,
  conventions,
  left,
  strayed,
  todos,
  'failing-files': failing,
  patch,
  'docs-path': docsPath,
  ignored,
  verdict,
  place,
  language,
  nothing,
} as const satisfies { readonly [name: string]: Survey };
