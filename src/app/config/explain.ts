// What the schema found wrong → mistakes a person can act on. Loaded only when something is wrong.
import type * as z from 'zod/mini';
import { dotted, invalid, missing, type Mistake } from './mistake.ts';
import type { Path } from './read.ts';
import { configSchema } from './schema.ts';
import { allKeys, allowedBy, namesIn, schemaAt } from './shape.ts';
import type { Twice } from './spelling.ts';
import { nearest } from './suggest.ts';

/** More unknown keys than this in one place say that this is no configuration at all. */
const MOST_KEYS = 20;

/** One mistake for each path: what follows from a mistake is not another one. */
export function explain(issues: readonly z.core.$ZodIssue[], value: unknown): readonly Mistake[] {
  const found = new Map<string, Mistake>();
  for (const mistake of issues.flatMap((issue) => explainIssue(issue, value, [])))
    if (!found.has(dotted(mistake.path))) found.set(dotted(mistake.path), mistake);
  return [...found.values()];
}

export const explainTwice = ({ path, first, second }: Twice): Mistake => ({
  reason: 'config-key-twice',
  path,
  point: 'key',
  params: { key: dotted([...path.slice(0, -1), first]), first, second },
});

function explainIssue(issue: z.core.$ZodIssue, value: unknown, above: Path): readonly Mistake[] {
  const path = [...above, ...issue.path.map((name) => (typeof name === 'symbol' ? String(name) : name))];
  const schema = schemaAt(configSchema, path);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, MOST_KEYS).map((key) => unknownKey([...path, key], schema ?? configSchema));
  if (issue.code === 'invalid_key')
    return [
      {
        ...invalid(path, path.at(-1), 'name of letters, digits and _, no digit first'),
        point: 'key',
        params: nameParams(path),
      },
    ];
  if (issue.code === 'invalid_union') {
    // A map given where a map is one of the choices: what is wrong is inside of it.
    const deeper = issue.errors.find((errors) =>
      errors.some((inner) => inner.path.length > 0 || inner.code === 'unrecognized_keys'),
    );
    if (deeper !== undefined) return deeper.flatMap((inner) => explainIssue(inner, value, path));
  }
  const allowed = schema === null ? 'nothing' : allowedBy(schema);
  const got = valueOf(value, path);
  if (got === undefined) return [missing(path, allowed)];
  const mistake = invalid(path, got, allowed);
  const meant = typeof got === 'string' && allowed.includes(' | ') ? nearest(got, allowed.split(' | ')) : '';
  return [meant === '' ? mistake : { ...mistake, params: { ...mistake.params, suggestion: meant } }];
}

const nameParams = (path: Path) => ({
  key: dotted(path),
  got: JSON.stringify(path.at(-1)),
  allowed: 'name of letters, digits and _, no digit first',
});

function unknownKey(path: Path, schema: z.core.$ZodType): Mistake {
  const name = String(path.at(-1));
  const names = namesIn(schema);
  const suggestion = nearest(name, names) || elsewhere(name);
  return {
    reason: 'config-key-unknown',
    path,
    point: 'key',
    // All that is allowed helps only who has to look for it.
    params: { key: dotted(path), suggestion, allowed: suggestion === '' ? names.join(', ') : '' },
  };
}

/** A key that stands at the wrong place is found by its name, if the name has one place. */
function elsewhere(name: string): string {
  const places = allKeys(configSchema).filter(({ key }) => key.endsWith(`.${name}`));
  return places.length === 1 ? (places[0]?.key ?? '') : '';
}

function valueOf(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name)
        ? (at as Record<string | number, unknown>)[name]
        : undefined,
    value,
  );
}
