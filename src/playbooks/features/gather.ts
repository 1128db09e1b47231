// Gathers what the orientation summary says, reading through the World alone.
import { Bug } from '../../model/bug.ts';
import type { CommitFacts, World } from '../../model/world.ts';
import { indexById } from './graph.ts';
import type { OrientationInput } from './inputs.ts';
import type { OrientationFacts } from './orientation.ts';
import { entryOf, parseProgress, recentDecisions, type ParsedEntry } from './progress.ts';
import { readFeatures } from './read.ts';
import { dependenciesOf, stepsOf, verificationOf, type Feature } from './schema.ts';

const DECISION_SESSIONS = 3;
const COMMITS_READ = 60;
const COMMITS_COMPARED = 5;
const KEY_FILES = 8;

/** Throws a Bug where features.json cannot be read or lacks the item: preflight and selection came first. */
export async function gatherOrientation(world: World, input: OrientationInput): Promise<OrientationFacts> {
  const [featuresText, progressText, commits] = await Promise.all([
    world.read(input.backlog),
    world.read(input.progress),
    world.recentCommits(COMMITS_READ),
  ]);
  const read = readFeatures(featuresText ?? '', input.backlog, { requireTestFile: false });
  if (!read.ok) throw new Bug(`${input.backlog} cannot be read where it was read before`);
  const features = read.value.features;
  const byId = indexById(features);
  const feature = byId.get(Number(input.item));
  if (feature === undefined) throw new Bug(`no feature ${input.item}`);
  const entries = parseProgress(progressText).filter((entry) => entry.session < input.session);
  return {
    session: input.session,
    project: input.project || (read.value.project ?? ''),
    passing: features.reduce((sum, f) => sum + (f.passes ? 1 : 0), 0),
    total: features.length,
    health: input.health,
    last: lastSession(input, entries, commits, byId),
    task: {
      id: String(feature.id),
      title: feature.description,
      testFile: feature.test_file ?? null,
      steps: stepsOf(feature),
      verification: verificationOf(feature),
      dependencies: dependenciesOf(feature).map((id) => ({ id: String(id), passes: byId.get(id)?.passes === true })),
    },
    keyFiles: await keyFiles(world, input, feature, commits, entries),
    decisions: recentDecisions(progressText, DECISION_SESSIONS),
    failed: input.failed,
    continuing: await continuing(world, input, progressText),
  };
}

function lastSession(
  input: OrientationInput,
  entries: readonly ParsedEntry[],
  commits: readonly CommitFacts[],
  byId: ReadonlyMap<number, Feature>,
): OrientationFacts['last'] {
  const entry = input.last === null ? entries.at(-1) : entries.findLast((e) => e.session === input.last?.session);
  const session = input.last?.session ?? entry?.session;
  if (session === undefined) return null;
  const feature = entry?.feature ?? null;
  const completed = feature !== null && byId.get(Number(feature.id))?.passes === true;
  const own = commits.filter((c) => sessionOf(c, entries) === session);
  const ended = input.last?.status ?? (completed ? 'complete' : 'partial');
  const reason = input.last?.reason ?? null;
  return {
    session,
    feature,
    completed,
    commits: own.map((c) => c.id),
    status: reason === null || reason === ended ? ended : `${ended} (${reason})`,
  };
}

/** A commit's trailer says its session; without one, the item's newest entry in the log does. */
function sessionOf(commit: CommitFacts, entries: readonly ParsedEntry[]): number | null {
  const told = Number(commit.trailers['Harness-Session'] ?? NaN);
  if (Number.isSafeInteger(told)) return told;
  const item = commit.trailers['Harness-Item'];
  if (item === undefined) return null;
  return entries.findLast((entry) => entry.feature?.id === item)?.session ?? null;
}

/** Files the feature names itself, then files that recent sessions changed: those of its dependencies first. */
async function keyFiles(
  world: World,
  input: OrientationInput,
  feature: Feature,
  commits: readonly CommitFacts[],
  entries: readonly ParsedEntry[],
): Promise<OrientationFacts['keyFiles']> {
  const own = new Set([input.backlog, input.progress, feature.test_file ?? '', '.gitignore']);
  const wanted = new Set(dependenciesOf(feature).map(String));
  const compared = commits.filter((c) => c.trailers['Harness-Item'] !== undefined).slice(0, COMMITS_COMPARED);
  const changed = await world.changedBy(compared.map((c) => c.id));
  const seen = new Set<string>();
  const found: { path: string; session: number | null; near: boolean }[] = [];
  for (const [place, commit] of compared.entries()) {
    for (const path of changed[place] ?? []) {
      if (seen.has(path) || own.has(path)) continue;
      seen.add(path);
      const near = wanted.has(commit.trailers['Harness-Item'] ?? '');
      found.push({ path, session: sessionOf(commit, entries), near });
    }
  }
  const named = (feature.files ?? []).map((path) => ({
    path,
    session: found.find((f) => f.path === path)?.session ?? null,
    near: true,
  }));
  const names = new Set(named.map((f) => f.path));
  const others = found.filter((f) => !names.has(f.path));
  return [...named, ...others.filter((f) => f.near), ...others.filter((f) => !f.near)]
    .slice(0, KEY_FILES)
    .map(({ path, session }) => ({ path, session }));
}

async function continuing(
  world: World,
  input: OrientationInput,
  progressText: string | null,
): Promise<OrientationFacts['continuing']> {
  const partial = input.partial;
  if (partial === null) return null;
  const entry = entryOf(progressText, partial.session);
  const changed = partial.base === null ? [] : await world.changedSince(partial.base);
  const own = new Set([input.backlog, input.progress]);
  return {
    session: partial.session,
    reason: partial.reason,
    done: entry?.did ?? [],
    left: [...(entry?.state ?? []), ...(entry !== null && entry.next !== '' ? [entry.next] : [])],
    files: changed.filter((path) => !own.has(path)),
  };
}
