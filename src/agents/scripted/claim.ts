// How a scripted agent claims a feature: `passes` of one entry in features.json, everything else as it was.
import { readFileSync, writeFileSync } from 'node:fs';

/** Sets `passes` of one feature. Throws an Error with the reason where the file or the feature is missing. */
export function setPasses(file: string, id: string, passes: boolean): { before: string; after: string } {
  const before = readFileSync(file, 'utf8');
  const content: unknown = JSON.parse(before);
  const features = typeof content === 'object' && content !== null && 'features' in content ? content.features : null;
  if (!Array.isArray(features)) throw new Error('no list of features in the file');
  const feature: unknown = features.find(
    (f: unknown) => typeof f === 'object' && f !== null && 'id' in f && String(f.id) === id,
  );
  if (typeof feature !== 'object' || feature === null) throw new Error(`no feature with id ${id}`);
  Object.assign(feature, { passes });
  const indent = /^\{\r?\n([ \t]+)/.exec(before)?.[1] ?? 2;
  const after = JSON.stringify(content, null, indent) + (before.endsWith('\n') ? '\n' : '');
  writeFileSync(file, after);
  return { before, after };
}
