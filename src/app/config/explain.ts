// Turns schema issues into mistakes the user can fix. Loaded only if there are any.
import type * as z from 'zod/mini';
import { allKeys, allowedBy, describeConfig, locate, namesIn, type KeyDescription } from './describe.ts';
import { dotted, invalid, missing, type ConfigMistake, type Path } from './mistake.ts';
import { nearest } from '../../model/nearest.ts';
import { valueAt, type Duplicate } from './written.ts';

/** With more unknown keys in one place the file is probably not a configuration; the rest is left out. */
const MAX_KEYS = 20;

/** `written`: the checked value. One mistake per path: a mistake may cause further issues. */
export function explain(issues: readonly z.core.$ZodIssue[], written: unknown): readonly ConfigMistake[] {
  const found = new Map<string, ConfigMistake>();
  for (const mistake of issues.flatMap((issue) => explainIssue(issue, written, [])))
    if (!found.has(dotted(mistake.path))) found.set(dotted(mistake.path), mistake);
  return [...found.values()];
}

export const explainDuplicate = ({ path, first, second }: Duplicate): ConfigMistake => ({
  reason: 'config-key-twice',
  path,
  point: 'key',
  params: { key: dotted([...path.slice(0, -1), first]), first, second },
});

function explainIssue(issue: z.core.$ZodIssue, written: unknown, above: Path): readonly ConfigMistake[] {
  const inSchema = [...above, ...issue.path.map((name) => (typeof name === 'symbol' ? String(name) : name))];
  const { node, path } = locate(inSchema);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.slice(0, MAX_KEYS).map((key) => unknownKey([...path, key], node ?? describeConfig()));
  if (issue.code === 'invalid_key') {
    const allowed = 'name of letters, digits and _, no digit first';
    const params = { key: dotted(path), got: JSON.stringify(path.at(-1)), allowed };
    return [{ ...invalid(path, path.at(-1), allowed), point: 'key', params }];
  }
  if (issue.code === 'invalid_union') {
    // A map where one member of the union is a map: the mistake is inside it.
    const deeper = issue.errors.find((errors) =>
      errors.some((inner) => inner.path.length > 0 || inner.code === 'unrecognized_keys'),
    );
    if (deeper !== undefined) return deeper.flatMap((inner) => explainIssue(inner, written, inSchema));
  }
  const allowed = node === null ? 'nothing' : allowedBy(node);
  const got = valueAt(written, inSchema);
  if (got === undefined) return [missing(path, allowed)];
  const mistake = invalid(path, got, allowed);
  const suggestion = typeof got === 'string' && allowed.includes(' | ') ? nearest(got, allowed.split(' | ')) : '';
  return [suggestion === '' ? mistake : { ...mistake, params: { ...mistake.params, suggestion } }];
}

function unknownKey(path: Path, node: KeyDescription): ConfigMistake {
  const name = String(path.at(-1));
  const names = namesIn(node);
  const suggestion = nearest(name, names) || elsewhere(name);
  return {
    reason: 'config-key-unknown',
    path,
    point: 'key',
    // The list of names is only useful without a suggestion.
    params: { key: dotted(path), suggestion, allowed: suggestion === '' ? names.join(', ') : '' },
  };
}

/** Finds a key of another section by its name, if only one section has it. */
function elsewhere(name: string): string {
  const [only, ...more] = allKeys().filter(({ key }) => key.endsWith(`.${name}`));
  return only === undefined || more.length > 0 ? '' : only.key;
}
