// The path validator: whether a path that a user or an agent gives may be used, by the rules (path-rules.ts) and facts about the file system
// (path-walk.ts). A verdict holds for as long as the facts do: judge just before the path is used, and use the path of the verdict.
import { z } from 'zod';
import { defineSurvey } from '../../../engine/definitions.ts';
import { foldOf, type PathFact } from '../../../model/path-fact.ts';
import type { RepositoryView } from '../../../model/repository-view.ts';
import {
  NAME_RULES,
  PLACE_RULES,
  type PathContext,
  type PathKind,
  type PathRule,
  type PathSubject,
} from './path-rules.ts';
import { walk, type PathFacts } from './path-walk.ts';

export type PathVerdict =
  /** `real`: the same without links. */
  | { readonly isAllowed: true; readonly path: string; readonly real: string }
  /** `part`: the part that is wrong. */
  | { readonly isAllowed: false; readonly rule: string; readonly part: string };

const RULES: readonly PathRule[] = [...NAME_RULES, ...PLACE_RULES];

/** The first rule that refuses a path decides. With the rule `unknown`, the fact about `part` is needed first. */
export function judgePath(
  given: string,
  context: PathContext,
  facts: PathFacts,
  rules: readonly PathRule[] = RULES,
): PathVerdict {
  const subject = subjectOf(normal(given, context.kind), context, facts, rules);
  for (const { name, faultOf } of rules) {
    const part = faultOf(subject);
    if (part !== null) return { isAllowed: false, rule: name, part };
  }
  return { isAllowed: true, path: subject.path, real: subject.walk().real };
}

export type PathReader = Pick<RepositoryView, 'look'>;

/** Judges a path, and reads the facts that this needs. */
export async function judgePathIn(view: PathReader, given: string, context: PathContext): Promise<PathVerdict> {
  const facts = new Map<string, PathFact>();
  for (;;) {
    const verdict = judgePath(given, context, facts);
    if (verdict.isAllowed || verdict.rule !== 'unknown') return verdict;
    facts.set(verdict.part, await view.look(verdict.part));
  }
}

/** The folder of a session's documents, by the rules for a folder that is written to and deleted. */
export const judgeDocsPath = (view: PathReader, path: string): Promise<PathVerdict> =>
  judgePathIn(view, path, { kind: 'docs-path', docsPath: null, isInScope: () => true });

/** The rule that docs_path breaks; null: none. */
export const docsPathRule = defineSurvey({
  id: 'workflow.docs-path',
  input: z.object({ docs: z.string() }),
  facts: z.object({ rule: z.string().nullable() }),
  async read({ view }, { docs }) {
    const verdict = await judgeDocsPath(view, docs);
    return { rule: verdict.isAllowed ? null : verdict.rule };
  },
});

/** A diff is read by git, which normalises nothing. */
function normal(given: string, kind: PathKind): string {
  if (kind === 'diff-target') return given;
  const path = given.replaceAll('\\', '/').replace(/^(?:\.\/)+(?=[^/])/, '');
  return kind === 'file-reference' ? path : path.replace(/(?<=[^/])\/$/, '');
}

function subjectOf(path: string, context: PathContext, facts: PathFacts, rules: readonly PathRule[]): PathSubject {
  const segments = path.split('/');
  let walked: ReturnType<typeof walk> | null = null;
  return {
    ...context,
    path,
    segments,
    folded: segments.map(foldOf),
    walk: () => (walked ??= walk(path, facts)),
    refusedName: (real) => {
      const subject = subjectOf(real, context, facts, rules);
      return rules.some((rule) => NAME_RULES.includes(rule) && rule.faultOf(subject) !== null) ? real : null;
    },
  };
}
