// Whether GitHub Actions runs a workflow for a pull request, by the file of the workflow. Pure. What is not understood counts as run: its check is then
// waited for, and nothing is merged unchecked.
import { parse } from 'yaml';

/** The branch that a pull request goes to, its own, and the files that it changes. */
export type ProposedChange = { readonly base: string; readonly head: string; readonly paths: readonly string[] };

export const WORKFLOWS = '.github/workflows';
export const isWorkflow = (path: string): boolean => /^\.github\/workflows\/[^/]+\.ya?ml$/.test(path);

export function runsFor(text: string, { base, head, paths }: ProposedChange): boolean {
  let workflow: unknown;
  try {
    workflow = parse(text);
  } catch {
    return true;
  }
  const on = memberOf(workflow, 'on');
  if (on === undefined) return true;
  const names = typeof on === 'string' ? [on] : Array.isArray(on) ? on.map(String) : Object.keys(Object(on));
  return names.some((name) => {
    const filter = Array.isArray(on) || typeof on === 'string' ? null : memberOf(on, name);
    switch (name) {
      case 'pull_request':
      case 'pull_request_target':
        return isForTypes(filter) && isFor(filter, 'branches', [base]) && isFor(filter, 'paths', paths);
      case 'push': {
        // With filters for tags alone, no branch counts.
        const isOfTags = has(filter, 'tags') && !has(filter, 'branches');
        return !isOfTags && isFor(filter, 'branches', [head]) && isFor(filter, 'paths', paths);
      }
      default:
        return false;
    }
  });
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
const textsOf = (value: unknown): readonly string[] | null =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.map(String) : null;

/** Of a filter or of what it leaves out. */
const has = (filter: unknown, name: string): boolean =>
  memberOf(filter, name) !== undefined || memberOf(filter, `${name}-ignore`) !== undefined;

/** Opened, or brought up to date: those are the usual types. */
function isForTypes(filter: unknown): boolean {
  const types = textsOf(memberOf(filter, 'types'));
  return types === null || types.some((type) => ['opened', 'synchronize', 'reopened'].includes(type));
}

/** One of the names is let pass by the filter; with `-ignore`, one is not left out. */
function isFor(filter: unknown, what: 'branches' | 'paths', names: readonly string[]): boolean {
  const wanted = textsOf(memberOf(filter, what));
  const ignored = textsOf(memberOf(filter, `${what}-ignore`));
  return (
    (wanted === null || names.some((name) => isMatch(name, wanted))) &&
    (ignored === null || names.some((name) => !isMatch(name, ignored)))
  );
}

/** The last pattern that fits decides; `!` before it leaves out. */
function isMatch(name: string, patterns: readonly string[]): boolean {
  let isIn = false;
  for (const pattern of patterns) {
    const isOut = pattern.startsWith('!');
    if (expressionOf(isOut ? pattern.slice(1) : pattern).test(name)) isIn = !isOut;
  }
  return isIn;
}

/** `**` any characters, `*` those of one name, `?` and `+` repeat what is before them, `[]` is a set. One that is no pattern fits everything. */
function expressionOf(pattern: string): RegExp {
  const source = pattern.replace(/\*\*\/?|\*|[.^$(){}|]|\\(.)/g, (part, escaped: string | undefined) => {
    if (escaped !== undefined) return `\\${escaped}`;
    if (part === '**/') return '(?:.*/)?';
    if (part === '**') return '.*';
    return part === '*' ? '[^/]*' : `\\${part}`;
  });
  try {
    return new RegExp(`^(?:${source})$`);
  } catch {
    return /^/;
  }
}
