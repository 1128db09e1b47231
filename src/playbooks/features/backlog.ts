// features.json as a backlog: the codec that lets any machine work on it.
import type { Backlog } from '../../engine/playbook.ts';
import type { Json } from '../../model/json.ts';
import { ok } from '../../model/result.ts';
import { changeFeatures } from './change.ts';
import { readFeatures } from './read.ts';
import { select, toItems } from './select.ts';

/** Whether a test file is required is the machine's question (its surveys know the configuration), not the codec's. */
const RULES = { requireTestFile: false };

export const backlog: Backlog = {
  file: (config) => config.paths.backlog,
  items(text, file) {
    const read = readFeatures(text, file, RULES);
    return read.ok ? ok(toItems(read.value.features)) : read;
  },
  next(text, file) {
    const read = readFeatures(text, file, RULES);
    if (!read.ok) return read;
    const { next, remaining } = select(read.value.features);
    return ok({ next: next === null ? null : String(next.id), remaining });
  },
  change: changeFeatures,
  raw(text, id) {
    const read = readFeatures(text, '', RULES);
    const feature = read.ok ? read.value.features.find((f) => String(f.id) === id) : undefined;
    return (feature ?? null) as Json;
  },
};
