// Whether a path that others give may be used (reference 004, Path Validator): the verdict, from the rules (path-rules.ts) and facts
// about the file system (path-walk.ts). Pure. The verdict holds for as long as the facts do: judge just before the path is used, and
// use the path of the verdict, not the one that was given.
import { NAME_RULES, PLACE_RULES, type PathContext, type PathKind, type PathRule, type Subject } from './path-rules.ts';
import { foldOf } from '../../../model/path-fact.ts';
import { walk, type Fact, type Facts } from './path-walk.ts';

export type PathVerdict =
  /** `real`: the same without links. */
  | { readonly isAllowed: true; readonly path: string; readonly real: string }
  /** `part`: what of it is wrong. */
  | { readonly isAllowed: false; readonly rule: string; readonly part: string };

const RULES: readonly PathRule[] = [...NAME_RULES, ...PLACE_RULES];

/** The first rule that refuses a path. With `unknown` it wants to know what lies at `part` first. */
export function judgePath(
  given: string,
  context: PathContext,
  facts: Facts,
  rules: readonly PathRule[] = RULES,
): PathVerdict {
  const subject = subjectOf(normal(given, context.kind), context, facts, rules);
  for (const { name, faultOf } of rules) {
    const part = faultOf(subject);
    if (part !== null) return { isAllowed: false, rule: name, part };
  }
  return { isAllowed: true, path: subject.path, real: subject.walk().real };
}

/** What a judge looks at. Like `World.stat`, but links are told and not followed, and paths are those of the work tree alone. */
export type PathWorld = { look(path: string): Promise<Fact> };

/** Judges, and looks for what it needs to know. */
export async function judgePathIn(world: PathWorld, given: string, context: PathContext): Promise<PathVerdict> {
  const facts = new Map<string, Fact>();
  for (;;) {
    const verdict = judgePath(given, context, facts);
    if (verdict.isAllowed || verdict.rule !== 'unknown') return verdict;
    facts.set(verdict.part, await world.look(verdict.part));
  }
}

/** The folder of a session's artifacts, by the rules for what is written and deleted there; judged as it stands. */
export const judgeDocsPath = (world: PathWorld, path: string): Promise<PathVerdict> =>
  judgePathIn(world, path, { kind: 'docs-path', docsPath: null, isInScope: () => true });

/** Reference, step 1. A diff is read by others, who normalise nothing. */
function normal(given: string, kind: PathKind): string {
  if (kind === 'diff-target') return given;
  const path = given.replaceAll('\\', '/').replace(/^(?:\.\/)+(?=[^/])/, '');
  return kind === 'file-reference' ? path : path.replace(/(?<=[^/])\/$/, '');
}

function subjectOf(path: string, context: PathContext, facts: Facts, rules: readonly PathRule[]): Subject {
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
