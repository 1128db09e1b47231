// features.json as a backlog: the codec that lets any machine work on it.
import type { Backlog, Listing } from '../../engine/playbook.ts';
import type { Subject } from '../../model/item.ts';
import type { Json } from '../../model/json.ts';
import { ok } from '../../model/result.ts';
import { draftFeature } from './add.ts';
import { changeFeatures } from './change.ts';
import { readFeatures } from './read.ts';
import { stepsOf, verificationOf, type Feature, type FeaturesFile } from './schema.ts';
import { dependentsOf, select, toItems } from './select.ts';

/** Whether a test file is required is the machine's question (its surveys know the configuration), not the codec's. */
const RULES = { requireTestFile: false };

export const backlog: Backlog = {
  read(text, file) {
    const read = readFeatures(text, file, RULES);
    return read.ok ? ok(listing(read.value)) : read;
  },
  change: changeFeatures,
  raw(text, id) {
    const read = readFeatures(text, '', RULES);
    const feature = read.ok ? read.value.features.find((f) => String(f.id) === id) : undefined;
    return (feature ?? null) as Json;
  },
  draft: draftFeature,
};

const listing = ({ project, features }: FeaturesFile): Listing => ({
  items: toItems(features),
  ...(project === undefined ? {} : { project }),
  next({ prefer = null, taken = new Set() } = {}) {
    const free = taken.size === 0 ? features : features.filter((f) => !taken.has(String(f.id)));
    const { next } = select(free, prefer === null ? null : Number(prefer));
    return next === null ? null : String(next.id);
  },
  subject(id) {
    const feature = features.find((f) => String(f.id) === id);
    return feature === undefined ? null : subjectOf(feature, features);
  },
});

const subjectOf = (f: Feature, features: readonly Feature[]): Subject => ({
  id: String(f.id),
  title: f.description,
  testFile: f.test_file ?? null,
  steps: stepsOf(f),
  verification: verificationOf(f),
  manualChecks: f.manual_checks ?? [],
  files: f.files ?? [],
  passes: f.passes,
  skipped: f.skipped ?? null,
  override: f.override ?? null,
  failing: f.failing ?? null,
  dependents: dependentsOf(features, f.id).map(String),
});
