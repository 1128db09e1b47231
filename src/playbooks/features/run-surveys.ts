// What the loop and preflight ask before any agent starts. Reads through the World, answers facts or a failure.
import { z } from 'zod';
import { leftByLast, stateInput, stateOf } from '../session/last.ts';
import { asJson } from '../session/surveys.ts';
import type { Survey } from '../../engine/playbook.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { CLEANUP } from '../../model/item.ts';
import { PROVISIONAL, provisionalOf } from '../../model/provisional.ts';
import type { Json } from '../../model/json.ts';
import { err, type Result } from '../../model/result.ts';
import { fileOfTest } from '../../model/report.ts';
import type { World } from '../../model/world.ts';
import { dependencyCycles, pathText } from './graph.ts';
import { DEFAULT_SIZE_RULES, sizeFlags } from './granularity.ts';
import { byHandOf } from './manual.ts';
import type { ItemFacts } from '../session/facts.ts';
import { readFeatures } from './read.ts';
import { dependentsOf, select } from './select.ts';
import type { Feature, FeaturesFile } from './schema.ts';

async function backlogOf(world: World, file: string): Promise<Result<FeaturesFile>> {
  const text = await world.read(file);
  return text === null ? err(failure('backlog-missing', { file }, { at: { file } })) : readFeatures(text, file);
}

const nextInput = z.object({
  backlog: z.string(),
  progress: z.string(),
  ...stateInput,
  only: z.string().nullable(),
});

/** Items that wait for each other, where nothing else is wrong with the backlog: somebody can say what becomes of them. */
async function circleOf(world: World, file: string): Promise<{ items: string[]; paths: string[] } | null> {
  const text = await world.read(file);
  const read = text === null ? null : readFeatures(text, file, { requireTestFile: true, allowCycles: true });
  if (!read?.ok) return null;
  const cycles = dependencyCycles(read.value.features);
  const items = [...new Set(cycles.flatMap(({ path }) => path))].sort((a, b) => a - b);
  return { items: items.map(String), paths: cycles.map(({ path }) => pathText(path)) };
}

/** How far back unfinished work is looked for: what is older was left there by somebody who knows. */
const COMMITS_READ = 200;

/** An item that is left out while work of its sessions stands on the branch; null: there is none. */
async function leftoverOf(world: World, features: readonly Feature[], own: readonly string[]): Promise<string | null> {
  const skipped = new Set(features.filter((f) => !f.passes && f.skipped).map(({ id }) => String(id)));
  if (skipped.size === 0) return null;
  const commits = await world.recentCommits(COMMITS_READ);
  const named = new Set(commits.map(({ trailers }) => trailers[PROVISIONAL] ?? '').filter((id) => skipped.has(id)));
  for (const item of named) {
    const changed = await world.changedBy(provisionalOf(commits, item).map(({ id }) => id));
    if (changed.flat().some((path) => !own.includes(path))) return item;
  }
  return null;
}

/** The loop's question: NextFacts. A partial feature is gone on with before any other. */
const next: Survey = async (world, input) => {
  const given = nextInput.parse(input);
  const none = (f: Failure, circle: object | null = null): Json =>
    asJson({ next: null, remaining: 0, session: 0, failure: f, ...(circle && { circle }) });
  const backlog = await backlogOf(world, given.backlog);
  if (!backlog.ok) return none(backlog.failure, await circleOf(world, given.backlog));
  const state = await stateOf(world, given);
  if (!state.ok) return none(state.failure);
  const { features } = backlog.value;
  const { current_feature: current, next_prompt: prompt, last_session: last } = state.value;
  const found = await leftoverOf(world, features, [given.backlog, given.progress]);
  const leftover = found === null ? {} : { leftover: found };
  const told = (item: string | null): Json =>
    asJson({ next: item, remaining, session: last + 1, failure: null, ...leftover });
  const { next: chosen, remaining } = select(features, prompt === 'continuation' ? Number(current) : null);
  const isCleanup = given.only === CLEANUP || (given.only === null && prompt === 'cleanup');
  if (isCleanup) return told(CLEANUP);
  if (given.only === null) return told(chosen === null ? null : String(chosen.id));
  const wanted = features.find((f) => String(f.id) === given.only);
  const isReady = wanted !== undefined && select([...features], wanted.id).next?.id === wanted.id;
  const why = wanted === undefined ? failure('item-unknown', { item: given.only }) : notReady(wanted, features);
  return isReady ? told(given.only) : none(why);
};

function notReady(f: Feature, features: readonly Feature[]): Failure {
  const passing = new Set(features.filter((o) => o.passes || o.skipped?.unblock === true).map((o) => o.id));
  const waits = (f.depends_on ?? []).filter((id) => !passing.has(id));
  const status = f.passes ? 'item-landed' : f.skipped ? 'item-skipped' : 'item-blocked';
  return failure('item-not-ready', { item: String(f.id), status, blockers: waits.join(', ') });
}

const featureInput = z.object({ backlog: z.string(), item: z.string(), ...stateInput, maxSteps: z.number() });
/** Only what can be counted stops a run for a question; guesses from the wording are for whoever writes the list. */
const COUNTED = new Set(['too-many-steps', 'too-many-files', 'too-many-lines', 'xlarge']);

/** `{facts: ItemFacts, failure}`: the feature, and what its last session left behind. */
const feature: Survey = async (world, input) => {
  const given = featureInput.parse(input);
  const backlog = await backlogOf(world, given.backlog);
  if (!backlog.ok) return asJson({ facts: null, failure: backlog.failure });
  const state = await stateOf(world, given);
  if (!state.ok) return asJson({ facts: null, failure: state.failure });
  const f = backlog.value.features.find((o) => String(o.id) === given.item);
  if (f === undefined) return asJson({ facts: null, failure: failure('item-unknown', { item: given.item }) });
  const { stuck_count: stuck, current_feature: current } = state.value;
  const byHand = byHandOf(f);
  const left = await leftByLast(world, state.value, given);
  const facts: ItemFacts = {
    id: String(f.id),
    title: f.description,
    category: f.category ?? '',
    testFile: f.test_file ?? null,
    mayChangeTests: f.may_change_tests === true,
    ...left,
    oversized: sizeFlags(f, { ...DEFAULT_SIZE_RULES, maxSteps: given.maxSteps })
      .filter((flag) => flag.weight === 'split' && COUNTED.has(flag.flag))
      .map(({ flag, params }) => ({ flag, params })),
    attempt: current === f.id ? stuck + 1 : 1,
    ...(f.failing ? { isFailing: true as const } : {}),
    ...(byHand === null ? {} : { byHand }),
  };
  return asJson({ facts, failure: null });
};

const ownersInput = z.object({ backlog: z.string(), tests: z.array(z.string()) });

/** Which passing features own these tests, by the file in the id: `{owners: [{id, testFile, dependents}]}`. */
const owners: Survey = async (world, input) => {
  const given = ownersInput.parse(input);
  const backlog = await backlogOf(world, given.backlog);
  if (!backlog.ok) return asJson({ owners: [] });
  const files = [...new Set(given.tests.map((id) => plainPath(fileOfTest(id))))].filter((file) => file !== '');
  const { features } = backlog.value;
  const passing = features.filter((f) => f.passes && typeof f.test_file === 'string');
  const found = passing.filter((f) => files.some((file) => covers(f.test_file ?? '', file)));
  return asJson({
    owners: found
      .slice(0, 10)
      .map((f) => ({ id: String(f.id), testFile: f.test_file, dependents: dependentsOf(features, f.id).map(String) })),
  });
};

/** Of how many items the tests are run one by one, at most: it is asked when something is broken, and each costs a run. */
const MOST_TESTED = 100;

/** Passing features with a test of their own, the newest first, without those a person vouches for: `{items: [{id, testFile}]}`. */
const tested: Survey = async (world, input) => {
  const { backlog: file } = z.object({ backlog: z.string() }).parse(input);
  const backlog = await backlogOf(world, file);
  if (!backlog.ok) return asJson({ items: [] });
  const isProved = (f: Feature): boolean => f.passes && typeof f.test_file === 'string' && f.override?.passes !== true;
  const passing = backlog.value.features.filter(isProved);
  return asJson({
    items: passing
      .slice(-MOST_TESTED)
      .reverse()
      .map((f) => ({ id: String(f.id), testFile: f.test_file })),
  });
};

/** Files longer than the limit, the longest first, by the last count: `{largeFiles: [{path, lines}]}`. */
const largeFiles: Survey = async (world, input) => {
  const { stateDir, max } = z.object({ stateDir: z.string(), max: z.number() }).parse(input);
  const sizes = z.looseObject({ files: z.record(z.string(), z.looseObject({ lines: z.number() })) });
  const text = await world.read(`${stateDir}/file_sizes.json`);
  const read = sizes.safeParse(parsedOrNull(text));
  const files = read.success ? Object.entries(read.data.files) : [];
  const large = files.filter(([, { lines }]) => lines > max).sort((a, b) => b[1].lines - a[1].lines);
  return asJson({ largeFiles: large.slice(0, 30).map(([path, { lines }]) => ({ path, lines })) });
};

function parsedOrNull(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null; // counted anew at the next landing
  }
}

const dueInput = z.object({ backlog: z.string(), interval: z.number() });
/** Whether the landing of an item makes a cleanup due: after every so many that pass. `{isDue}` */
const cleanupDue: Survey = async (world, input) => {
  const { backlog: file, interval } = dueInput.parse(input);
  const backlog = await backlogOf(world, file);
  const passing = backlog.ok ? backlog.value.features.filter((f) => f.passes).length : 0;
  return asJson({ isDue: interval > 0 && passing > 0 && passing % interval === 0 });
};

/** A test file may be a folder of tests, one test of a file (`a.py::TestC`), or named from a folder the command enters. */
function covers(testFile: string, file: string): boolean {
  const wanted = plainPath(testFile.replace(/::.*$/s, ''));
  if (wanted === '') return false;
  return file === wanted || file.startsWith(`${wanted}/`) || (wanted.includes('/') && file.endsWith(`/${wanted}`));
}

/** As ids write it: composed characters, forward slashes, from the top of the repository. */
const plainPath = (path: string): string =>
  path
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\/{2,}/g, '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/$/, '');

export const runSurveys = {
  next,
  item: feature,
  owners,
  tested,
  'large-files': largeFiles,
  'cleanup-due': cleanupDue,
} as const satisfies {
  readonly [name: string]: Survey;
};
