// Whether a feature is small enough for one session. Flags and split advice as data.
import type { Params } from '../../model/failure.ts';
import { stepsOf, type Feature, type SizeEstimate } from './schema.ts';

export type SizeRules = { readonly maxSteps: number; readonly maxFiles: number; readonly maxLines: number };
export const DEFAULT_SIZE_RULES: SizeRules = { maxSteps: 7, maxFiles: 5, maxLines: 300 };

export type SizeFlagName =
  | 'too-many-steps'
  | 'too-many-files'
  | 'too-many-lines'
  | 'xlarge'
  | 'manages'
  | 'whole-area'
  | 'several-capabilities'
  | 'estimate-too-small';
/** `split`: it must not be started as it is · `note`: worth knowing. */
export type SizeFlag = {
  readonly flag: SizeFlagName;
  readonly weight: 'split' | 'note';
  readonly params: Params;
};
/** Parts to make of it. `steps`: groups of its own steps · `files`: groups by folder · else proposed descriptions. */
export type SplitAdvice = {
  readonly by: 'steps' | 'files' | 'operations' | 'capabilities';
  readonly parts: readonly (readonly string[])[];
};

const MOST_STEPS: { readonly [S in SizeEstimate]: number } = { small: 3, medium: 5, large: 7, xlarge: Infinity };
const MANAGES = /^(.*?\b)(?:manages?|administers?|crud(?: for| on)?)\s+(.+)$/i;
const AREA =
  /^(?:(?:the|an?|full|complete|entire)\s+)*(?:[\w-]+\s+){0,3}(?:dashboard|panel|portal|console|back-?office|cms|crud|system|module|section|area)\.?$/i;
const VERB =
  '(?:view|see|list|browse|search|filter|create|add|edit|update|change|delete|remove|upload|download|export|import|share|invite|disable|enable|archive|restore|publish)';
/** Verbs in a row: "create, edit and delete". */
const CAPABILITIES = new RegExp(`\\b${VERB}(?:(?:\\s*[,/]\\s*(?:and |or )?|\\s+(?:and|or|&)\\s+)${VERB})+\\b`, 'gi');
/** Descriptions are untrusted: only this many characters are read. */
const LOOKED_AT = 400;

/** Why a feature is too large. Empty, apart from notes, if the user accepted its size. */
export function sizeFlags(feature: Feature, rules: SizeRules = DEFAULT_SIZE_RULES): readonly SizeFlag[] {
  const flags: SizeFlag[] = [];
  const split = (flag: SizeFlagName, params: Params = {}): void => {
    if (feature.size_accepted !== true) flags.push({ flag, weight: 'split', params });
  };
  const steps = stepsOf(feature).length;
  const files = feature.files?.length ?? 0;
  const lines = feature.estimated_lines ?? 0;
  const text = feature.description.slice(0, LOOKED_AT).replace(/\s+/g, ' ').trim();
  if (steps > rules.maxSteps) split('too-many-steps', { steps, max: rules.maxSteps });
  if (files > rules.maxFiles) split('too-many-files', { files, max: rules.maxFiles });
  if (lines > rules.maxLines) split('too-many-lines', { lines, max: rules.maxLines });
  if (feature.size_estimate === 'xlarge') split('xlarge');
  if (MANAGES.test(text)) split('manages');
  else if (AREA.test(text)) split('whole-area');
  else {
    const verbs = capabilitiesIn(text);
    if (verbs.length > 2) split('several-capabilities', { count: verbs.length });
  }
  const estimate = feature.size_estimate;
  if (estimate && steps > MOST_STEPS[estimate]) {
    flags.push({ flag: 'estimate-too-small', weight: 'note', params: { estimate, steps, max: MOST_STEPS[estimate] } });
  }
  return flags;
}

export const mustSplit = (flags: readonly SizeFlag[]): boolean => flags.some((f) => f.weight === 'split');

/** How it could be split; empty: no proposal. */
export function splitAdvice(feature: Feature, rules: SizeRules = DEFAULT_SIZE_RULES): readonly SplitAdvice[] {
  const advice: SplitAdvice[] = [];
  const text = feature.description.slice(0, LOOKED_AT).replace(/\s+/g, ' ').trim();
  const managed = MANAGES.exec(text);
  if (managed !== null) {
    const [, who = '', what = ''] = managed;
    const parts = ['view', 'create', 'update', 'delete'].map((verb) => [`${who}${verb} ${what}`]);
    advice.push({ by: 'operations', parts });
  } else {
    const verbs = capabilitiesIn(text);
    if (verbs.length > 2) advice.push({ by: 'capabilities', parts: verbs.map((verb) => [verb]) });
  }
  const steps = stepsOf(feature);
  if (steps.length > rules.maxSteps) advice.push({ by: 'steps', parts: evenGroups(steps, rules.maxSteps) });
  const files = feature.files ?? [];
  if (files.length > rules.maxFiles) advice.push({ by: 'files', parts: byFolder(files) });
  return advice;
}

const capabilitiesIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(CAPABILITIES)].flatMap(([row]) =>
      row
        .toLowerCase()
        .split(/[^a-z]+/)
        .filter((word) => word !== 'and' && word !== 'or'),
    ),
  ),
];

/** As few groups as `max` allows, of sizes that differ by at most one. */
function evenGroups(items: readonly string[], max: number): string[][] {
  const count = Math.ceil(items.length / max);
  return Array.from({ length: count }, (_, i) =>
    items.slice(Math.floor((i * items.length) / count), Math.floor(((i + 1) * items.length) / count)),
  );
}

function byFolder(files: readonly string[]): string[][] {
  const groups = new Map<string, string[]>();
  for (const file of files) {
    const folder = file.split('/').slice(0, -1).join('/');
    const group = groups.get(folder);
    if (group === undefined) groups.set(folder, [file]);
    else group.push(file);
  }
  return [...groups.values()];
}
