// Reading the schema itself: what a key allows, in a notation that needs no translation, and the list of all keys.
// For errors and for the reference; a good configuration never comes here.
import { globalRegistry, type core } from 'zod/mini';

const defOf = (schema: core.$ZodType) => (schema as core.$ZodTypes)._zod.def;
const metaOf = (schema: core.$ZodType) => globalRegistry.get(schema) ?? {};

/** The schema without what only says that it may be left out; with whether null is one of its values. */
export function bare(schema: core.$ZodType): { readonly schema: core.$ZodType; readonly nullable: boolean } {
  const def = defOf(schema);
  if (def.type === 'optional' || def.type === 'default' || def.type === 'prefault') return bare(def.innerType);
  if (def.type === 'nullable') return { ...bare(def.innerType), nullable: true };
  return { schema, nullable: false };
}

/** `true | false`, `refuse | stash`, `integer 0…20`, `number > 0`, `text`, `[text, …]`, `{ … }`. */
export function allowedBy(outer: core.$ZodType): string {
  const { schema, nullable } = bare(outer);
  const allowed = metaOf(schema).allowed;
  const base = typeof allowed === 'string' ? allowed : kindOf(schema);
  return nullable ? `${base} | null` : base;
}

function kindOf(schema: core.$ZodType): string {
  const def = defOf(schema);
  switch (def.type) {
    case 'enum':
      return Object.values(def.entries).join(' | ');
    case 'boolean':
      return 'true | false';
    case 'string':
      return 'text';
    case 'number':
      return numberKind(def);
    case 'array':
      return `[${allowedBy(def.element)}, …]`;
    case 'record':
      return `{ name: ${allowedBy(def.valueType)} }`;
    case 'union':
      return def.options.map((option) => allowedBy(option)).join(' | ');
    case 'object':
      return `{ ${Object.keys(def.shape).slice(0, 3).join(', ')}${Object.keys(def.shape).length > 3 ? ', …' : ''} }`;
    default:
      return 'anything';
  }
}

function numberKind(def: core.$ZodNumberDef): string {
  const limits = (def.checks ?? []).map((check) => (check as core.$ZodChecks)._zod.def);
  const word = 'format' in def ? 'integer' : 'number';
  const low = limits.find((limit) => limit.check === 'greater_than');
  const high = limits.find((limit) => limit.check === 'less_than');
  if (low?.inclusive === true && high?.inclusive === true) return `${word} ${Number(low.value)}…${Number(high.value)}`;
  const from = low === undefined ? '' : ` ${low.inclusive ? '≥' : '>'} ${Number(low.value)}`;
  const to = high === undefined ? '' : `${from === '' ? '' : ','} ${high.inclusive ? '≤' : '<'} ${Number(high.value)}`;
  return `${word}${from}${to}`;
}

/** The schema of a path, as far as the path is known; union members are tried in order. */
export function schemaAt(root: core.$ZodType, path: readonly (string | number)[]): core.$ZodType | null {
  const [name, ...rest] = path;
  if (name === undefined) return root;
  const def = defOf(bare(root).schema);
  if (def.type === 'object') {
    const inner = def.shape[String(name)];
    return inner === undefined ? null : schemaAt(inner, rest);
  }
  if (def.type === 'record') return schemaAt(def.valueType, rest);
  if (def.type === 'array') return schemaAt(def.element, rest);
  if (def.type === 'union')
    return def.options.map((option) => schemaAt(option, path)).find((found) => found !== null) ?? null;
  return null;
}

/** The names a map may have, or none where names are free. */
export function namesIn(schema: core.$ZodType): readonly string[] {
  const def = defOf(bare(schema).schema);
  if (def.type === 'object') return Object.keys(def.shape);
  return def.type === 'union' ? def.options.flatMap((option) => namesIn(option)) : [];
}

export type KeyShape = {
  readonly key: string;
  readonly allowed: string;
  readonly describe: string;
  readonly standard: unknown;
  readonly isSection: boolean;
};

/** Every key of the schema, sections before what is in them; `*` stands for a free name, `[]` for an entry of a list. */
export function allKeys(root: core.$ZodType, prefix = ''): readonly KeyShape[] {
  const { schema } = bare(root);
  const def = defOf(schema);
  const at = (name: string): string => (prefix === '' ? name : `${prefix}.${name}`);
  if (def.type === 'object') return Object.entries(def.shape).flatMap(([name, inner]) => entry(at(name), inner));
  if (def.type === 'record') return allKeys(def.valueType, at('*'));
  if (def.type === 'array') return allKeys(def.element, `${prefix}[]`);
  if (def.type === 'union') return def.options.flatMap((option) => allKeys(option, prefix));
  return [];
}

function entry(key: string, schema: core.$ZodType): readonly KeyShape[] {
  const def = defOf(schema);
  const inside = allKeys(schema, key);
  const standard = def.type === 'default' ? def.defaultValue : undefined;
  const describe = metaOf(schema).description ?? metaOf(bare(schema).schema).description ?? '';
  return [{ key, allowed: allowedBy(schema), describe, standard, isSection: inside.length > 0 }, ...inside];
}
