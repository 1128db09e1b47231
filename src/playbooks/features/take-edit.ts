// A features.json that a person edited while the harness changed it too: what a person describes is taken from the edit, what the harness knows
// (what passes, and what was decided) from the list as it is.
import { toJson, type Json } from '../../model/json.ts';
import { patchEntries, type Patch } from '../records/edit.ts';
import { addFeature } from './change.ts';
import { readFeatures } from './read.ts';
import type { Feature } from './schema.ts';

/** Results, and decisions that have commands of their own. */
const OWN: ReadonlySet<string> = new Set(['id', 'passes', 'failing', 'skipped', 'override', 'size_accepted']);
/** Fields that decide neither what is run nor what counts as proof. */
const HARMLESS: ReadonlySet<string> = new Set(['description', 'category', 'priority', 'depends_on', 'notes']);

/**
 * null: the edit is no list of features. `isSure`: a person asked for it; otherwise an agent may have written into the edit, and only new features
 * and harmless fields are taken. `isWhole`: nothing of the edit is left out. A feature that the edit lacks stays. Idempotent.
 */
export function takeEdit(
  text: string,
  edited: string,
  isSure: boolean,
): { readonly text: string; readonly isWhole: boolean } | null {
  const rules = { requireTestFile: false, allowCycles: true };
  const [now, then] = [readFeatures(text, '', rules), readFeatures(edited, '', rules)];
  if (!now.ok || !then.ok) return null;
  const known = new Map(now.value.features.map((feature) => [feature.id, feature]));
  const named = new Set(then.value.features.map(({ id }) => id));
  let isWhole = now.value.features.every(({ id }) => named.has(id));
  let after = text;
  for (const feature of then.value.features) {
    const before = known.get(feature.id);
    if (before === undefined) {
      after = addFeature(after, asNew(feature));
      continue;
    }
    const patch = patchOf(before, feature, isSure);
    isWhole &&= Object.keys(patchOf(before, feature, true)).length === Object.keys(patch).length;
    if (Object.keys(patch).length > 0) after = patchEntries(after, 'features', new Map([[String(feature.id), patch]]));
  }
  return { text: after, isWhole };
}

function patchOf(known: Feature, feature: Feature, isSure: boolean): Patch {
  const [was, is] = [
    new Map<string, unknown>(Object.entries(known)),
    new Map<string, unknown>(Object.entries(feature)),
  ];
  const jsonOf = (of: ReadonlyMap<string, unknown>, field: string): Json => toJson(of.get(field) ?? null);
  return Object.fromEntries(
    [...new Set([...was.keys(), ...is.keys()])].flatMap((field): [string, Json | undefined][] => {
      const isTaken = isSure ? !OWN.has(field) : HARMLESS.has(field);
      const isSame = JSON.stringify(jsonOf(was, field)) === JSON.stringify(jsonOf(is, field));
      return !isTaken || isSame ? [] : [[field, is.has(field) ? jsonOf(is, field) : undefined]];
    }),
  );
}

/** Whatever the edit says: nothing has proved it. */
const asNew = ({ failing: _f, override: _o, size_accepted: _s, ...feature }: Feature): object => ({
  ...feature,
  passes: false,
});
