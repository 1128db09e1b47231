// Work that a person has to look at (reference 000, Hybrid Verification): what they are shown, what they are asked, and
// what their answer makes of it. The question is asked with the agent gone and its work standing in the work tree.
import type { ActionOf, Done, Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { askedOf } from '../../model/gate.ts';
import type { Problem, Verdict } from '../../model/verdict.ts';
import type { ByHand, Ended, ItemFacts, Person, Rejection, Shown } from '../session/facts.ts';
import { stepsOf, verificationOf, type Feature } from './schema.ts';

/** A check that begins like a line of a terminal is a command; any other is a sentence that the feature's test stands for. */
const COMMAND = /^\$\s+(\S.*)$/;

/** null: a test proves it all. */
export function byHandOf(f: Feature): ByHand | null {
  const kind = verificationOf(f);
  if (kind === 'automated') return null;
  const visual = f.visual_verification?.enabled === true ? (f.visual_verification.steps ?? []) : [];
  const commands = (f.automated_checks ?? []).flatMap((check) => COMMAND.exec(check)?.[1] ?? []);
  return { kind, checks: f.manual_checks ?? [], steps: [...stepsOf(f), ...visual], commands };
}

/** Ends the agent's session and keeps what a person is to see: the checks, the steps, the screenshots. */
export async function show(
  run: Run<Actions>,
  input: Ended & { readonly session: number; readonly verdict: Verdict },
): Promise<Shown> {
  const { facts, session, startedAt, verdict } = input;
  const { tampering } = await run.do('close', { kind: 'close', session });
  if (tampering.length > 0) return { tampering, files: [] };
  const { kind = 'manual', checks = [], steps = [] } = facts.byHand ?? {};
  const { evidence } = verdict;
  const about = { item: facts.id, title: facts.title, kind, checks, steps, startedAt, evidence };
  const kept = await run.do('keep', { kind: 'remember', what: 'manual', session, input: about });
  return { tampering, files: [kept.file, ...(kept.files ?? [])] };
}

/** What is not listed is looked for where the steps lead. */
const listed = (texts: readonly string[]): string => texts.map((text) => `- ${text.replace(/\s+/g, ' ')}`).join('\n');

export function askManual(facts: ItemFacts, verdict: Verdict, shown: readonly string[]): ActionOf<Actions, 'ask'> {
  const { checks, steps } = facts.byHand ?? { checks: [], steps: [] };
  return {
    kind: 'ask',
    key: `manual-${facts.id}`,
    gate: 'checkpoint',
    ...askedOf('manual-verification'),
    item: facts.id,
    params: {
      item: facts.id,
      title: facts.title,
      passed: verdict.tests?.passed ?? '',
      checks: listed(checks),
      steps: listed(steps),
      files: listed(shown),
    },
    evidence: [...(verdict.evidence === null ? [] : [verdict.evidence]), ...shown],
  };
}

type Answer = Done<Actions> & { readonly kind: 'ask' };
type Said =
  | { readonly is: 'verified'; readonly person: Person }
  | { readonly is: 'failed'; readonly why: Rejection }
  | { readonly is: 'skip'; readonly note: string };

/** Whatever is not a yes is not one. */
export function saidOf({ outcome: { option, note, by, at } }: Answer, evidence: string | null): Said {
  if (option === 'verified') return { is: 'verified', person: { by, at, note } };
  if (option === 'skip') return { is: 'skip', note };
  const problem: Problem = { code: 'manual-failed', params: { by, ...(note === '' ? {} : { note }) } };
  return {
    is: 'failed',
    why: { reason: problem.code, problems: [problem], regressions: [], evidence, failure: null },
  };
}
