// `.harness/features.json` as a backlog: the codec that lets any machine work on it.
import type { Backlog, Listing } from '../../engine/backlog.ts';
import type { Subject } from '../../model/item.ts';
import { toJson } from '../../model/json.ts';
import { ok } from '../../model/result.ts';
import { dependencyCycles, pathText } from '../records/graph.ts';
import { draftFeature, insertFeature } from './add.ts';
import { changeFeature } from './change.ts';
import { claims } from './claims.ts';
import { isPassing, readMission, type MissionFeature, type MissionFile } from './schema.ts';
import { canStart, dependentsOf, nextFeature, toItems } from './select.ts';
import { takeEdit } from './take-edit.ts';

export const backlog: Backlog = {
  read(text, file, { allowCycles = false } = {}) {
    const read = readMission(text, file, { allowCycles });
    return read.ok ? ok(listing(read.value)) : read;
  },
  change: changeFeature,
  insert: insertFeature,
  raw(text, id) {
    const read = readMission(text, '', { allowCycles: true });
    const feature = read.ok ? read.value.features.find((one) => one.id === id) : undefined;
    return feature === undefined ? null : toJson(feature);
  },
  draft: draftFeature,
  prompts: ['test-file', 'number', 'depends-on'],
  takeEdit,
  cycle(text) {
    const read = readMission(text, '', { allowCycles: true });
    const cycles = read.ok ? dependencyCycles(read.value.features) : [];
    if (cycles.length === 0) return null;
    return {
      items: [...new Set(cycles.flatMap(({ path }) => path))].sort(),
      paths: cycles.map(({ path }) => pathText(path)),
    };
  },
  claims,
};

function listing({ mission, features }: MissionFile): Listing {
  const byId = new Map(features.map((feature) => [feature.id, feature]));
  return {
    items: toItems(features),
    ...(mission === undefined ? {} : { project: mission }),
    next: ({ prefer = null, taken = new Set<string>() } = {}) => nextFeature(features, { prefer, taken })?.id ?? null,
    canStart: (id) => canStart(features, id),
    subject(id) {
      const feature = byId.get(id);
      return feature === undefined ? null : subjectOf(feature, features);
    },
  };
}

const subjectOf = (feature: MissionFeature, features: readonly MissionFeature[]): Subject => ({
  id: feature.id,
  title: feature.title,
  category: areaOf(feature),
  testFile: feature.test_file ?? null,
  mayChangeTests: openedBy(feature),
  oversized: [],
  byHand: null,
  steps: feature.claims,
  verification: 'automated',
  manualChecks: [],
  passes: isPassing(feature),
  skipped: feature.skipped ?? null,
  override: feature.override ?? null,
  failing: feature.failing ?? null,
  get dependents() {
    return dependentsOf(features, feature.id);
  },
});

/** AUTH of VAL-AUTH-001: what most of its claims are about. */
function areaOf({ claims }: MissionFeature): string {
  const [first = ''] = claims;
  return first.replace(/^VAL-/, '').replace(/-\d+$/, '').toLowerCase();
}

/** A fix adds a test to the file that let the issue through. */
const openedBy = (feature: MissionFeature): readonly string[] => [
  ...new Set([...(feature.fixes && feature.test_file ? [feature.test_file] : []), ...(feature.may_change_tests ?? [])]),
];
