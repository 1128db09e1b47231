// Reads features.json: every mistake at once, each with feature, field, line, column and what is allowed.
// JSON.parse alone on the good path; offsets are looked for only when something is wrong.
import { failure, type Failure, type Params } from '../../model/failure.ts';
import type { Reason } from '../../model/reasons.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { dependencyCycles, missingDependencies, pathText } from './graph.ts';
import { syntaxFault } from '../../model/json-syntax.ts';
import { elements, memberOf, positions, skipSpace, type Span } from '../../model/json-text.ts';
import { dependenciesOf, FEATURE_FIELDS, FILE_FIELDS, verificationOf } from './schema.ts';
import type { Feature, FeaturesFile, FieldRule } from './schema.ts';

export type ReadRules = {
  readonly requireTestFile: boolean;
  /** For whoever asks about circles, or ends them. */
  readonly allowCycles?: true;
};

/** A mistake before anyone looked where it stands. `index` null: the file itself; `place`: an element of the field. */
type Mistake = {
  readonly reason: Reason;
  readonly params: Params;
  readonly index: number | null;
  readonly field: string;
  readonly place?: number;
};

const RULES: ReadonlyMap<string, FieldRule> = new Map(FEATURE_FIELDS.map((rule) => [rule.name, rule]));
const REQUIRED = FEATURE_FIELDS.filter((rule) => rule.required);

/** More mistakes than this are counted, not listed. */
const MAX_LISTED = 500;

/** Failure: `backlog-invalid` with `count` and one cause per mistake. */
export function readFeatures(
  text: string,
  file: string,
  rules: ReadRules = { requireTestFile: true },
): Result<FeaturesFile> {
  const syntax = parsed(text, file);
  if (!syntax.ok) return syntax;
  const value = syntax.value;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return refuse(text, file, [
      {
        reason: 'backlog-field-invalid',
        params: { field: '', allowed: '{ "features": feature[] }', got: shown(value) },
        index: null,
        field: '',
      },
    ]);
  }
  const mistakes = fileMistakes(value as { [key: string]: unknown });
  const list = (value as { features?: unknown }).features;
  if (Array.isArray(list)) {
    for (const [index, f] of list.entries()) featureMistakes(f, index, rules, mistakes);
    const sound = mistakes.length === 0;
    idMistakes(list, mistakes);
    if (sound) graphMistakes(list as Feature[], rules, mistakes);
    else graphMistakes(list.filter(hasGraphShape), rules, mistakes, list);
  }
  return mistakes.length === 0 ? ok(value as FeaturesFile) : refuse(text, file, mistakes);
}

function parsed(text: string, file: string): Result<unknown> {
  try {
    return ok(JSON.parse(text));
  } catch {
    const fault = syntaxFault(text) ?? { mistake: 'unexpected-character' as const, offset: 0 };
    const at = { file, ...positions(text)(fault.offset) };
    // Where a sign is named by the mistake already, or cannot be seen, showing it again helps nobody.
    const isTelling = fault.mistake === 'unexpected-character' || fault.mistake === 'missing-comma';
    const got = isTelling ? shown(text.slice(fault.offset, fault.offset + 1)) : '';
    return err(
      failure(
        'backlog-invalid',
        { file, count: 1 },
        { at, causes: [failure('backlog-syntax', { mistake: fault.mistake, got }, { at })] },
      ),
    );
  }
}

function fileMistakes(value: { readonly [key: string]: unknown }): Mistake[] {
  const mistakes: Mistake[] = [];
  for (const rule of FILE_FIELDS) {
    const got = value[rule.name];
    if (got === undefined || (got === null && !rule.required)) {
      if (!rule.required) continue;
      mistakes.push({
        reason: 'backlog-field-missing',
        params: { field: rule.name, allowed: rule.allowed },
        index: null,
        field: '',
      });
    } else if (!rule.fits(got)) {
      mistakes.push({
        reason: 'backlog-field-invalid',
        params: { field: rule.name, allowed: rule.allowed, got: shown(got) },
        index: null,
        field: rule.name,
      });
    }
  }
  return mistakes;
}

function featureMistakes(feature: unknown, index: number, rules: ReadRules, into: Mistake[]): void {
  if (typeof feature !== 'object' || feature === null || Array.isArray(feature)) {
    const params = { feature: `[${index}]`, field: '', allowed: '{ … }', got: shown(feature) };
    into.push({ reason: 'feature-field-invalid', params, index, field: '' });
    return;
  }
  const fields = feature as { readonly [key: string]: unknown };
  for (const name of Object.keys(fields)) {
    const rule = RULES.get(name);
    const got = fields[name];
    if (rule === undefined || (got === null && !rule.required) || rule.fits(got)) continue;
    into.push(invalid(fields, index, rule, got));
  }
  for (const rule of REQUIRED) if (!Object.hasOwn(fields, rule.name)) into.push(missing(fields, index, rule));
  const test = fields['test_file'];
  if ((test === undefined || test === null) && rules.requireTestFile && isAutomated(fields)) {
    for (const rule of FEATURE_FIELDS) if (rule.name === 'test_file') into.push(missing(fields, index, rule));
  }
}

const isAutomated = (fields: { readonly [key: string]: unknown }): boolean =>
  verificationOf(fields as Feature) === 'automated';

const nameOf = (fields: { readonly [key: string]: unknown }, index: number): string =>
  Number.isSafeInteger(fields['id']) ? String(fields['id']) : `[${index}]`;

function missing(fields: { readonly [key: string]: unknown }, index: number, rule: FieldRule): Mistake {
  const params = { feature: nameOf(fields, index), field: rule.name, allowed: rule.allowed };
  return { reason: 'feature-field-missing', params, index, field: '' };
}

function invalid(fields: { readonly [key: string]: unknown }, index: number, rule: FieldRule, value: unknown): Mistake {
  const bad = Array.isArray(value) ? value.findIndex((one) => !rule.fits([one])) : -1;
  const got = Array.isArray(value) && bad >= 0 ? value[bad] : value;
  const params = { feature: nameOf(fields, index), field: rule.name, allowed: rule.allowed, got: shown(got) };
  return {
    reason: 'feature-field-invalid',
    params,
    index,
    field: rule.name,
    ...(bad >= 0 ? { place: bad } : {}),
  };
}

function idMistakes(list: readonly unknown[], into: Mistake[]): void {
  const first = new Map<number, number>();
  for (const [index, f] of list.entries()) {
    const id = (f as { id?: unknown } | null)?.id;
    if (typeof id !== 'number') continue;
    const earlier = first.get(id);
    if (earlier === undefined) first.set(id, index);
    else {
      const params = { feature: String(id), first: `features[${earlier}]` };
      into.push({ reason: 'feature-id-duplicate', params, index, field: 'id' });
    }
  }
}

const hasGraphShape = (f: unknown): f is Feature => {
  if (typeof f !== 'object' || f === null || Array.isArray(f)) return false;
  const { id, depends_on: on } = f as Feature;
  return RULES.get('id')?.fits(id) === true && ((on ?? null) === null || RULES.get('depends_on')?.fits(on) === true);
};

/** `all`: the list that indexes speak of, where some of its features could not be read. */
function graphMistakes(
  features: readonly Feature[],
  rules: ReadRules,
  into: Mistake[],
  all: readonly unknown[] = features,
): void {
  const indexOf = new Map<number, number>();
  for (const [index, f] of all.entries()) {
    const id = (f as Feature | null)?.id;
    if (typeof id === 'number') indexOf.set(id, index);
  }
  const at = (id: number, place: number) => ({ index: indexOf.get(id) ?? null, field: 'depends_on', place });
  for (const { from, to, place } of missingDependencies(features)) {
    if (indexOf.has(to)) continue; // it is there, only broken, and says so itself
    const params = { feature: String(from), dependency: String(to) };
    into.push({ reason: 'dependency-missing', params, ...at(from, place) });
  }
  for (const f of features) {
    const place = dependenciesOf(f).indexOf(f.id);
    if (place >= 0) into.push({ reason: 'dependency-self', params: { feature: String(f.id) }, ...at(f.id, place) });
  }
  for (const { path, edge } of rules.allowCycles ? [] : dependencyCycles(features)) {
    const params = { feature: String(edge.from), path: pathText(path) };
    into.push({ reason: 'dependency-cycle', params, ...at(edge.from, edge.place) });
  }
}

function refuse(text: string, file: string, mistakes: readonly Mistake[]): Result<never> {
  const placeOf = places(text, mistakes);
  const causes: Failure[] = mistakes
    .slice(0, MAX_LISTED)
    .map((m) => failure(m.reason, m.params, { at: { file, ...placeOf(m), key: keyOf(m) } }));
  causes.sort((a, b) => (a.at?.line ?? 0) - (b.at?.line ?? 0) || (a.at?.column ?? 0) - (b.at?.column ?? 0));
  const at = causes[0]?.at ?? { file };
  return err(failure('backlog-invalid', { file, count: mistakes.length }, { at, causes }));
}

function keyOf(m: Mistake): string {
  const field = m.field === '' ? String(m.params['field'] ?? '') : m.field;
  if (m.index === null) return field;
  return `features[${m.index}]${field === '' ? '' : `.${field}`}${m.place === undefined ? '' : `[${m.place}]`}`;
}

/** One walk over the text finds the features that have mistakes; inside each only the field is looked for. */
function places(text: string, mistakes: readonly Mistake[]): (m: Mistake) => { line: number; column: number } {
  const root = skipSpace(text, 0);
  const wanted = new Set(mistakes.map((m) => m.index));
  const spans = new Map<number, Span>();
  const list = memberOf(text, root, 'features');
  let index = 0;
  if (list !== null)
    for (const span of elements(text, list.value.start)) if (wanted.has(index++)) spans.set(index - 1, span);
  const position = positions(text);
  return (m) => {
    const parent = m.index === null ? root : (spans.get(m.index)?.start ?? root);
    if (m.field === '') return position(parent);
    const member = memberOf(text, parent, m.field);
    if (member === null) return position(parent);
    let start = member.value.start;
    if (m.place !== undefined) {
      let place = 0;
      for (const one of elements(text, start)) if (place++ === m.place) start = one.start;
    }
    return position(start);
  };
}

/** A value as an error shows it: short, on one line. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return '[…]';
  if (typeof value === 'object' && value !== null) return '{…}';
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : String(value);
  return text.slice(0, 70);
}
