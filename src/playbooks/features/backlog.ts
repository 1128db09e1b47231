// features.json as a backlog: the codec that lets any machine work on it.
import type { Backlog, Listing } from '../../engine/backlog.ts';
import type { ByHand, Subject } from '../../model/item.ts';
import { toJson } from '../../model/json.ts';
import { ok } from '../../model/result.ts';
import { looksLikeTest } from '../../model/test-names.ts';
import { draftFeature, insertFeature } from './add.ts';
import { changeFeatures } from './change.ts';
import { checkClaim } from './claim.ts';
import { dependencyCycles, indexById, pathText } from '../records/graph.ts';
import { DEFAULT_SIZE_RULES, sizeFlags } from './granularity.ts';
import { readFeatures } from './read.ts';
import { stepsOf, verificationOf, type Feature, type FeaturesFile } from './schema.ts';
import { takeEdit } from './take-edit.ts';
import { blockedBy, dependentsOf, select, toItems } from './select.ts';

export const backlog: Backlog = {
  read(text, file, { requireTestFile = false, allowCycles = false, maxSteps = DEFAULT_SIZE_RULES.maxSteps } = {}) {
    const read = readFeatures(text, file, { requireTestFile, allowCycles });
    return read.ok ? ok(listingOf(read.value, maxSteps)) : read;
  },
  change: changeFeatures,
  insert: insertFeature,
  raw(text, id) {
    const read = readFeatures(text, '', { requireTestFile: false });
    const feature = read.ok ? read.value.features.find((f) => String(f.id) === id) : undefined;
    return feature === undefined ? null : toJson(feature);
  },
  draft: draftFeature,
  prompts: ['test-file', 'number', 'depends-on'],
  cycle(text) {
    const read = readFeatures(text, '', { requireTestFile: true, allowCycles: true });
    if (!read.ok) return null;
    const cycles = dependencyCycles(read.value.features);
    if (cycles.length === 0) return null;
    const items = [...new Set(cycles.flatMap(({ path }) => path))].sort((a, b) => a - b);
    return { items: items.map(String), paths: cycles.map(({ path }) => pathText(path)) };
  },
  takeEdit,
  claim: (before, after, item) => checkClaim(before, after, item).problems,
};

/** The same file is asked for many times between two changes of it. */
const listings = new WeakMap<FeaturesFile, { readonly maxSteps: number; readonly listing: Listing }>();
function listingOf(file: FeaturesFile, maxSteps: number): Listing {
  const known = listings.get(file);
  if (known?.maxSteps === maxSteps) return known.listing;
  const made = listing(file, maxSteps);
  listings.set(file, { maxSteps, listing: made });
  return made;
}

function listing({ project, features }: FeaturesFile, maxSteps: number): Listing {
  const byId = indexById(features);
  const find = (id: string): Feature | undefined => {
    const feature = byId.get(Number(id));
    return feature !== undefined && String(feature.id) === id ? feature : undefined;
  };
  return {
    items: toItems(features),
    ...(project === undefined ? {} : { project }),
    next({ prefer = null, taken = new Set() } = {}) {
      const free = taken.size === 0 ? features : features.filter((f) => !taken.has(String(f.id)));
      const { next } = select(free, prefer === null ? null : Number(prefer));
      return next === null ? null : String(next.id);
    },
    canStart(id) {
      const feature = find(id);
      return feature !== undefined && !feature.passes && !feature.skipped && blockedBy(feature, byId).length === 0;
    },
    subject(id) {
      const feature = find(id);
      return feature === undefined ? null : subjectOf(feature, features, maxSteps);
    },
  };
}

/** Only counted figures stop a run for a question; guesses from the wording are shown to the author of the list. */
const COUNTED = new Set(['too-many-steps', 'too-many-files', 'too-many-lines', 'xlarge']);

const subjectOf = (f: Feature, features: readonly Feature[], maxSteps: number): Subject => ({
  id: String(f.id),
  title: f.description,
  category: f.category ?? '',
  testFile: f.test_file ?? null,
  mayChangeTests: openedBy(f),
  get oversized() {
    return sizeFlags(f, { ...DEFAULT_SIZE_RULES, maxSteps })
      .filter((flag) => flag.weight === 'split' && COUNTED.has(flag.flag))
      .map(({ flag, params }) => ({ flag, params }));
  },
  byHand: byHandOf(f),
  steps: stepsOf(f),
  verification: verificationOf(f),
  manualChecks: f.manual_checks ?? [],
  files: f.files ?? [],
  ...(typeof f['notes'] === 'string' ? { notes: f['notes'] } : {}),
  passes: f.passes,
  skipped: f.skipped ?? null,
  override: f.override ?? null,
  failing: f.failing ?? null,
  get dependents() {
    return dependentsOf(features, f.id).map(String);
  },
});

/** `true`: its own test file, and those among the files that it names. A list: its own and these. */
function openedBy({ may_change_tests: may, test_file: own, files }: Feature): readonly string[] {
  if (may !== true && !Array.isArray(may)) return [];
  const named: readonly string[] = may === true ? (files ?? []).filter(looksLikeTest) : may;
  const plain = [...(typeof own === 'string' ? [own] : []), ...named].map((path) => path.replace(/^(?:\.\/)+/, ''));
  return [...new Set(plain)];
}

/** A check that starts like a terminal line is a command; any other is a sentence, which the feature's test covers. */
const COMMAND = /^\$\s+(\S.*)$/;

/** null: a test proves it all. */
function byHandOf(f: Feature): ByHand | null {
  const kind = verificationOf(f);
  if (kind === 'automated') return null;
  const visual = f.visual_verification?.enabled === true ? (f.visual_verification.steps ?? []) : [];
  const commands = (f.automated_checks ?? []).flatMap((check) => COMMAND.exec(check)?.[1] ?? []);
  return { kind, checks: f.manual_checks ?? [], steps: [...stepsOf(f), ...visual], commands };
}
