// A features.json that a person edited while the harness changed it too.
import { takeListed, type EditableList } from '../records/take-edit.ts';
import { addFeature } from './change.ts';
import { readFeatures } from './read.ts';
import type { Feature } from './schema.ts';

const LIST: EditableList<Feature> = {
  member: 'features',
  read(text) {
    const read = readFeatures(text, '', { requireTestFile: false, allowCycles: true });
    return read.ok ? read.value.features : null;
  },
  own: new Set(['id', 'passes', 'failing', 'skipped', 'override', 'size_accepted']),
  harmless: new Set(['description', 'category', 'priority', 'depends_on', 'notes']),
  add: (text, { failing: _f, override: _o, size_accepted: _s, ...feature }) =>
    addFeature(text, { ...feature, passes: false }),
};

export const takeEdit = (text: string, edited: string, isSure: boolean) => takeListed(LIST, text, edited, isSure);
