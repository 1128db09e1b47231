// Combines the proofs of a change: what rejects it, what a user must decide, what is only reported. Pure.
import type { StrengthAsk } from '../../model/action.ts';
import { fileOfTest, type TestCase, type TestId } from '../../model/report.ts';
import type { Problem } from '../../model/verdict.ts';
import { UNLOADED } from '../runners/cases.ts';
import type { CheckRun } from '../evidence.ts';
import { compareAssertions, demandsOf, type AssertionChanges, type Demands, type Disabling } from './assertions.ts';
import type { TestCanaryResult } from './canary.ts';
import type { FileKind } from './files.ts';
import { isExplained, type TextChange } from './guarded.ts';
import type { HiddenFailures } from './hiding.ts';

export type ClassifiedFile = TextChange & { readonly kind: FileKind };

/** Result of the item's test without the new source. `crash`: it failed before any assertion. */
export type Red = 'red' | 'crash' | 'green';
export type MutantEnd = 'noticed' | 'crashed' | 'unnoticed';
export type Proofs = {
  /** null: not requested, or not possible. */
  readonly canary: TestCanaryResult | null;
  /** Whether the item's test passes in a copy of the checked tree; null: no copy was made. */
  readonly copyHolds: boolean | null;
  /** Whether it still passes with a comment added to the changed source; null: not tried. */
  readonly isAboutBehaviour: boolean | null;
  readonly red: Red | null;
  readonly mutants: readonly MutantEnd[];
  /** Changed installed files that the change does not explain. */
  readonly installed: readonly string[];
  /** Failures hidden by the run in which every test was made to fail; null: none, or it could not be tested. */
  readonly hidden: HiddenFailures | null;
  /** Ids that passed before and fail with the old tests and the old configuration; null: nothing to run. */
  readonly frozen: { readonly holds: boolean; readonly ids: readonly TestId[] } | null;
};
export type Judged = {
  readonly problems: readonly Problem[];
  readonly doubts: readonly Problem[];
  readonly warnings: readonly Problem[];
};

/** With fewer mutants, none being detected proves nothing. */
const ENOUGH_MUTANTS = 3;
const SHOWN = 12;

export const isExempt = (ask: StrengthAsk): boolean => ask.itemKind === 'exempt' || ask.feature === null;

export function judgeStrength(
  ask: StrengthAsk,
  files: readonly ClassifiedFile[],
  proofs: Proofs,
  texts: TextFindings,
): Judged {
  const own = { item: ask.item ?? '', file: ask.testFile ?? '' };
  const problems: Problem[] = [...texts.problems];
  const doubts: Problem[] = [...texts.doubts];
  const warnings: Problem[] = [...texts.warnings];
  if (proofs.canary === 'lies') problems.push({ code: 'canary-passed', params: own });
  if (proofs.canary === 'silent') doubts.push({ code: 'canary-lost', params: own });
  if (proofs.hidden !== null) {
    const { ids } = proofs.hidden;
    problems.push({
      code: 'failures-hidden',
      params: { command: ask.full?.command ?? '', count: ids.length },
      ids: ids.slice(0, SHOWN),
    });
  }
  if (proofs.installed.length > 0)
    doubts.push({
      code: 'installed-changed',
      params: { count: proofs.installed.length },
      ids: proofs.installed.slice(0, SHOWN),
    });
  if (proofs.frozen?.holds === false) {
    const found: Problem = {
      code: 'frozen-tests-fail',
      params: { ...own, count: proofs.frozen.ids.length },
      ids: proofs.frozen.ids.slice(0, 50),
    };
    (isOpened(ask, files, proofs.frozen.ids) ? warnings : doubts).push(found);
  }
  if (!isExempt(ask)) {
    const weak = judgeOwnTest(proofs, files, own);
    doubts.push(...weak);
    const rate = judgeRate(ask, proofs, own);
    if (rate !== null && weak.length === 0) (ask.rules.mutation === 'require' ? problems : warnings).push(rate);
  }
  return { problems, doubts, warnings };
}

/** All old tests that fail as they were are of files that the item may change, and nothing else that runs tests was changed. */
function isOpened({ opens = [] }: StrengthAsk, files: readonly ClassifiedFile[], ids: readonly TestId[]): boolean {
  if (files.some((f) => f.kind === 'runner')) return false;
  const failing = ids.map(fileOfTest);
  if (failing.length > 0 && !failing.includes('')) return failing.every((file) => opens.includes(file));
  // Which files they are of is not known: then each that was changed must be open.
  const old = files.filter((f) => f.before !== null && (f.kind === 'test' || f.kind === 'support'));
  return old.length > 0 && old.every((f) => opens.includes(f.path));
}

function judgeOwnTest(
  { copyHolds, isAboutBehaviour, red, mutants }: Proofs,
  files: readonly ClassifiedFile[],
  own: Problem['params'],
): Problem[] {
  if (copyHolds === false) return [{ code: 'copy-differs', params: own }];
  if (isAboutBehaviour === false) return [{ code: 'test-reads-text', params: own }];
  if (red === null) return [];
  if (!files.some((f) => f.kind === 'source'))
    return red === 'green' ? [{ code: 'source-unchanged', params: own }] : [];
  const tried = mutants.length;
  const noticed = mutants.filter((m) => m === 'noticed').length;
  if (red === 'green') return noticed > 0 ? [] : [{ code: 'test-not-red', params: { ...own, tried } }];
  // A test that merely crashes with the old source has asserted nothing about it: then it must detect a mutant in the new source.
  if (red === 'crash')
    return noticed > 0 || tried === 0 ? [] : [{ code: 'test-notices-nothing', params: { ...own, tried } }];
  const isBlind = tried >= ENOUGH_MUTANTS && mutants.every((m) => m === 'unnoticed');
  return isBlind ? [{ code: 'test-notices-nothing', params: { ...own, tried } }] : [];
}

function judgeRate(ask: StrengthAsk, { mutants }: Proofs, own: Problem['params']): Problem | null {
  const tried = mutants.length;
  if (ask.rules.mutation === 'off' || tried === 0) return null;
  const killed = mutants.filter((m) => m !== 'unnoticed').length;
  if (killed / tried >= ask.rules.minKilled) return null;
  return { code: 'mutants-survived', params: { ...own, killed, tried, percent: Math.round((100 * killed) / tried) } };
}

export type TextFindings = Judged & {
  readonly changed: AssertionChanges;
  readonly counts: { readonly before: Counts; readonly after: Counts };
};
export type Counts = { readonly tests: number; readonly assertions: number };

/** Findings from the texts alone: assertions, disabled tests, files to review. `stub`: the item's own file, no old test. */
export function judgeTexts(ask: StrengthAsk, files: readonly ClassifiedFile[], stub: string | null): TextFindings {
  const testing = files.filter((f) => f.kind === 'test' || f.kind === 'support');
  const before = testing.filter((f) => f.path !== stub).map((f) => demandsOf(f.path, f.before ?? ''));
  const after = testing.map((f) => demandsOf(f.path, f.after ?? ''));
  const changed = compareAssertions(
    before.flatMap((d) => d.assertions),
    after.flatMap((d) => d.assertions),
  );
  const problems = (['only', 'skip'] as const).flatMap((what) => disabledMore(what, before, after));
  const weaker = [
    ...changed.removed.map((a) => ({ file: a.file, text: `${a.file}: ${short(a.text)}` })),
    ...changed.weakened.map(({ from, to }) => ({
      file: from.file,
      text: `${from.file}: ${short(from.text)} → ${short(to.text)}`,
    })),
    ...(['swallowed', 'left', 'retried'] as const).flatMap((what) =>
      silencedMore(
        what,
        testing.filter((f) => f.path !== stub && f.before !== null),
      ),
    ),
  ];
  const weakened = (isAllowed: boolean): Problem[] => {
    const ids = weaker.filter(({ file }) => (ask.opens ?? []).includes(file) === isAllowed).map(({ text }) => text);
    return ids.length === 0
      ? []
      : [{ code: 'assertions-weakened', params: { count: ids.length }, ids: ids.slice(0, SHOWN) }];
  };
  const guarded = files.filter((f) => f.kind === 'guarded' && !isExplained(f, files)).map((f) => f.path);
  const protectedOnes: Problem[] =
    guarded.length === 0
      ? []
      : [{ code: 'guarded-file-changed', params: { count: guarded.length }, ids: guarded.slice(0, SHOWN) }];
  return {
    problems,
    doubts: [...weakened(false), ...protectedOnes],
    warnings: weakened(true),
    changed,
    counts: { before: countsOf(before), after: countsOf(after) },
  };
}

const countsOf = (all: readonly Demands[]): Counts => ({
  tests: all.reduce((sum, d) => sum + d.tests, 0),
  assertions: all.reduce((sum, d) => sum + d.assertions.length, 0),
});

function disabledMore(what: Disabling, before: readonly Demands[], after: readonly Demands[]): Problem[] {
  const of = (all: readonly Demands[]) => all.flatMap((d) => d.disabled.filter((one) => one.what === what));
  const [was, is] = [of(before), of(after)];
  if (is.length <= was.length) return [];
  const known = new Set(was.map((d) => d.file));
  const fresh = [...is].sort((a, b) => Number(known.has(a.file)) - Number(known.has(b.file)));
  return [
    {
      code: 'tests-disabled',
      params: { count: is.length - was.length },
      ids: fresh.slice(0, SHOWN).map((d) => `${d.file}:${d.line} ${d.word}`),
    },
  ];
}

/** Places where an old test file catches failures or returns early more often than before. */
function silencedMore(what: Disabling, files: readonly ClassifiedFile[]): { file: string; text: string }[] {
  return files.flatMap((f) => {
    const of = (text: string | null) => demandsOf(f.path, text ?? '').disabled.filter((d) => d.what === what);
    const [was, is] = [of(f.before), of(f.after)];
    return is.length > was.length
      ? [{ file: f.path, text: `${f.path}:${is.at(-1)?.line ?? 0} ${is.at(-1)?.word ?? ''}` }]
      : [];
  });
}

const short = (text: string): string => (text.length <= 120 ? text : `${text.slice(0, 118)} …`);

const CRASHES =
  /^(?:TypeError|ReferenceError|SyntaxError|ImportError|ModuleNotFoundError|NameError|AttributeError|IndentationError|UnboundLocalError|Error \[ERR_MODULE_NOT_FOUND\]|Error: Cannot find (?:module|package))|is not a (?:function|constructor)|is not defined|is not iterable|Cannot (?:read|set) propert|Cannot find (?:module|package)|Failed to (?:load|resolve)|does not provide an export|has no attribute|cannot import name|No module named|Cannot destructure|before initialization/;

/** An error class other than a failed assertion. */
const OTHER_ERROR = /^(?!Assert|Expectation|Comparison)[A-Z]\w+(?:Error|Exception)\b:/;

/** The fixed prefixes of messages that the source throws. */
export function thrownIn(texts: readonly string[]): readonly string[] {
  const THROWN = /\b(?:throw|raise)\s+(?:new\s+)?[\w.]+\(\s*f?(["'`])((?:(?!\1|\$\{|\{)[^\\]){3,})/g;
  return texts
    .flatMap((text) => [...text.matchAll(THROWN)].map((m) => (m[2] ?? '').trim()))
    .filter((m) => m.length > 2);
}

/** The test failed before any assertion: what it calls is missing or threw, or its file does not load. */
export const isCrash = (one: Pick<TestCase, 'name' | 'message'>, thrown: readonly string[] = []): boolean =>
  one.name === UNLOADED ||
  CRASHES.test(one.message) ||
  OTHER_ERROR.test(one.message) ||
  thrown.some((words) => one.message.replace(/^\w+: /, '').startsWith(words));

/** Result of the item's test; without results per test, by the exit code. */
export function redOf({ exit, read }: Pick<CheckRun, 'exit' | 'read'>, thrown: readonly string[] = []): Red {
  if (exit.ended !== null) return 'crash';
  // An exit code does not tell a failed assertion from anything else that went wrong.
  if (read.kind === 'none') return exit.code === 0 ? 'green' : 'crash';
  if (read.kind !== 'read') return exit.code === 0 && read.kind === 'missing' ? 'green' : 'crash';
  const failing = read.report.cases.filter((c) => c.status === 'failed');
  if (failing.some((c) => !isCrash(c, thrown))) return 'red';
  return failing.length > 0 || exit.code !== 0 || read.report.cases.every((c) => c.status === 'skipped')
    ? 'crash'
    : 'green';
}

/** True if every test except the canaries passed, and at least one did. */
export function holdsBeside({ exit, read }: Pick<CheckRun, 'exit' | 'read'>, word: string | null): boolean {
  if (exit.ended !== null) return false;
  if (read.kind === 'none') return exit.code === 0;
  if (read.kind !== 'read') return false;
  const own = read.report.cases.filter((c) => word === null || !c.name.includes(word));
  return own.some((c) => c.status === 'passed') && own.every((c) => c.status !== 'failed');
}

export const mutantEndOf = (ran: Pick<CheckRun, 'exit' | 'read'>, thrown: readonly string[]): MutantEnd => {
  if (ran.exit.ended === 'wall' || ran.exit.ended === 'idle') return 'noticed'; // an endless loop is detected by its timeout
  // Without a report the exit code is all that can notice a fault.
  if (ran.read.kind === 'none' && ran.exit.ended === null && ran.exit.code !== 0) return 'noticed';
  const red = redOf(ran, thrown);
  return red === 'red' ? 'noticed' : red === 'crash' ? 'crashed' : 'unnoticed';
};
