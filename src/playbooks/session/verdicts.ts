// Judges a piece of work: a verdict by its checks, what they prove, and the verdict in messages, records and the baseline.
import type { Actions, StrengthOutcome } from '../../model/action.ts';
import type { Checkpoint } from '../../model/checkpoint.ts';
import type { MergedWork } from '../../model/merged-work.ts';
import type { Verdict, Problem } from '../../model/verdict.ts';
import type { Run } from '../../engine/types.ts';
import type { Config } from '../../model/config.ts';
import { fileOfTest } from '../../model/report.ts';
import { readFacts } from '../../engine/definitions.ts';
import { ownFiles } from './ending-steps.ts';
import { beforeWork, reportsTests, sessionChecks, strengthAction } from './checks.ts';
import type { ItemFacts } from './facts.ts';
import { ownTests } from './own-tests.ts';

/** Commits are shared, so the path of a git folder outside the work tree is left out. */
export const portable = (evidence: string): string => evidence.replace(/^\/.*\/(?=harness\/evidence\/)/, '.git/');

/** A line of a commit's message; '' if no evidence is kept. */
export const evidenceLine = ({ evidence }: Verdict): string =>
  evidence === null ? '' : `Evidence: ${portable(evidence)}`;

/** What the harness ran: each command and the end of its output. */
export const shownChecks = (verdict: Verdict): string =>
  verdict.checks
    .map(({ command, tail }) => `$ ${command}\n${tail.split('\n').slice(-12).join('\n')}`.trim())
    .join('\n\n');

export function stateOf(verdict: Verdict): readonly string[] {
  const { tests, warnings } = verdict;
  const counted = tests === null ? 'Verified by exit code alone' : `${tests.passed} of ${tests.total} tests pass`;
  const quality = warnings.filter(({ code }) => code !== 'tool-violation');
  const broken = warnings.find(({ code }) => code === 'tool-violation')?.ids ?? [];
  return [
    counted,
    quality.length === 0 ? 'No lint errors' : `${quality.length} quality warnings, left for cleanup`,
    ...(broken.length === 0 ? [] : [`${broken.length} tool calls against the rules: see the session's record`]),
  ];
}

export type Judgement = {
  readonly verdict: Verdict;
  /** null: the checks fail, so their strength was not tested. */
  readonly strength: StrengthOutcome | null;
  /** Why the work is refused; empty: it is not. Doubts are in `strength`. */
  readonly problems: readonly Problem[];
};

/** What was proved of the same work on an older commit. `base`: the tree of that commit. `work`: the work by itself. */
type Earlier = { readonly base: string; readonly strength: StrengthOutcome | null; readonly work: string };

export type JudgedWork = { readonly facts: ItemFacts; readonly checkpoint: Checkpoint; readonly session: number };

/** `merged`: the verdict is that of the work merged with newer commits. */
export type JudgementToLand = Judgement & { readonly merged?: MergedWork };

/**
 * The same for work that lands next, if it holds. With several lanes others may have landed since it began: where it has the turn to land now, it is
 * merged with their work first, and proved once. Where that does not hold, nothing is known of the work by itself, which is proved then.
 */
export async function judgeToLand(step: Run<Actions>, input: JudgedWork, config: Config): Promise<JudgementToLand> {
  const { facts, checkpoint, session } = input;
  if (config.lanes === 1) return judge(step, input, config);
  const item = facts.id;
  const turn = await step.do('turn', { kind: 'take-turn', item, session, checkpoint, own: ownFiles(config) });
  const { newest } = turn;
  const judged = await (newest === null
    ? judge(step, input, config)
    : judge(step.scope('newest'), { ...input, merged: newest }, config));
  const holds = judged.problems.length === 0 && judged.strength?.doubts.length === 0;
  if (holds) return newest === null ? judged : { ...judged, merged: newest };
  if (turn.has) await step.do('others', { kind: 'give-turn', item, checkpoint });
  return newest === null ? judged : judge(step, input, config);
}

/**
 * Runs the checks of the session, then tests what they prove. `merged`: they are run on that tree.
 */
export async function judge(
  step: Run<Actions>,
  input: JudgedWork & { readonly merged?: MergedWork },
  config: Config,
  earlier: Earlier | null = null,
): Promise<Judgement> {
  const { session, merged } = input;
  const facts = await withOwnTests(step, input, config);
  const checkpoint = { tree: merged?.base ?? input.checkpoint.tree };
  const checks = sessionChecks(facts, config, beforeWork(facts, checkpoint));
  const found: Verdict = await step.do('check', {
    kind: 'check',
    purpose: 'feature',
    session,
    checks,
    ...(merged === undefined ? {} : { tree: merged.tree, beside: [merged.work, merged.base] }),
    ...(earlier === null ? {} : { beside: [earlier.work] }),
  });
  const { questions, verdict } = questionsIn(found, facts);
  const problems = [...verdict.problems, ...verdict.tampering.filter(isNotAmong(verdict.problems))];
  if (!verdict.holds || problems.length > 0) return { verdict, strength: null, problems };
  const outcome = earlier?.strength ?? null;
  const proved = await step.do('strength', {
    ...strengthAction({ session, facts, checkpoint }, config, verdict),
    ...(earlier === null || outcome === null ? {} : { earlier: { from: earlier.base, to: checkpoint.tree, outcome } }),
  });
  const strength = { ...proved, doubts: [...questions, ...proved.doubts] };
  return { verdict, strength, problems: strength.problems };
}

/** An item with a command of its own: the test files that belong to it, where they can be run. */
async function withOwnTests(
  step: Run<Actions>,
  { facts, checkpoint }: { readonly facts: ItemFacts; readonly checkpoint: Checkpoint },
  config: Config,
): Promise<ItemFacts> {
  if (facts.proof === undefined || !reportsTests(config)) return facts;
  const since = facts.partial?.base ?? checkpoint.commit;
  const { files } = await readFacts(step, ownTests, { command: facts.proof.command, since });
  return files.length === 0 ? facts : { ...facts, ownTests: files };
}

/** Where the item may change tests, the user decides whether older ones of those files may be missing. */
export function questionsIn(
  verdict: Verdict,
  { mayChangeTests: opened }: Pick<ItemFacts, 'mayChangeTests'>,
): { readonly verdict: Verdict; readonly questions: readonly Problem[] } {
  // Some runners name no files; an id that is not listed may be of any.
  const isOpened = ({ ids = [], params }: Problem): boolean =>
    ids.length > 0 &&
    Number(params['count'] ?? ids.length) <= ids.length &&
    ids.map(fileOfTest).every((file) => file === '' || opened.includes(file));
  const questions =
    opened.length === 0 ? [] : verdict.problems.filter((one) => one.code === 'tests-missing' && isOpened(one));
  const problems = verdict.problems.filter((p) => !questions.includes(p));
  if (questions.length === 0 || problems.length > 0) return { verdict, questions: [] };
  return { verdict: { ...verdict, holds: true, problems, regressions: [] }, questions };
}

const isNotAmong =
  (known: readonly Problem[]) =>
  (one: Problem): boolean =>
    !known.some((p) => JSON.stringify(p) === JSON.stringify(one));
