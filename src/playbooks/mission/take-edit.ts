// A list of a mission that a person edited while the harness changed it too.
import { takeListed, type EditableList } from '../records/take-edit.ts';
import { addFeature } from './change.ts';
import { MEMBER, readMission, type MissionFeature } from './schema.ts';

const LIST: EditableList<MissionFeature> = {
  member: MEMBER,
  read(text) {
    const read = readMission(text, '', { allowCycles: true });
    return read.ok ? read.value.features : null;
  },
  own: new Set(['id', 'status', 'attempts', 'failing', 'skipped', 'override', 'fixes']),
  harmless: new Set(['title', 'priority', 'depends_on', 'notes']),
  add(text, { failing: _f, override: _o, ...feature }) {
    return addFeature(text, { ...feature, status: 'pending', attempts: 0 });
  },
};

export const takeEdit = (text: string, edited: string, isSure: boolean) => takeListed(LIST, text, edited, isSure);
