// Work that the user verifies: what they are shown, what they are asked, and what their answer means. The question is asked after the
// agent's session is closed, with its work in the work tree.
import type { Run } from '../../engine/types.ts';
import type { Actions } from '../../model/action.ts';
import { askedOf, type GateAnswer } from '../../model/gate.ts';
import type { Problem, Verdict } from '../../model/verdict.ts';
import type { ClosingSession } from '../session/ending-hooks.ts';
import type { ItemFacts, LandingProof, Person, Rejection } from '../session/facts.ts';
import { ifTampered, skipped } from '../session/item/decide.ts';
import type { HeldWork, Acceptance } from '../session/item/kind.ts';
import { proofOf, proofParams } from '../session/proof.ts';
import { answerTo, type AskAction } from '../session/questions.ts';

/** The user verifies what no test can show; `person` null: the item has nothing of the kind. */
export async function byHand(
  run: Run<Actions>,
  closing: ClosingSession,
  held: HeldWork,
): Promise<Acceptance<Pick<LandingProof, 'person'>>> {
  if (!closing.facts.byHand) return { is: 'accepted', person: null };
  const { verdict } = held;
  const { tampering, files } = await show(run.scope('show'), { ...closing, verdict });
  const tampered = ifTampered(tampering, held);
  if (tampered) return { is: 'decided', decision: tampered };
  const answer = await answerTo(run, askManual(closing.facts, held, files));
  const result = manualResult(answer, verdict.evidence);
  if (result.is === 'verified') return { is: 'accepted', person: result.person };
  const decision =
    result.is === 'failed' ? ({ do: 'reject', why: result.why } as const) : skipped(result.note, answer.at);
  return { is: 'decided', decision };
}

/** What the user is shown: files kept with the session. */
export type ShownWork = { readonly tampering: readonly Problem[]; readonly files: readonly string[] };

/** Closes the agent's session and keeps what the user is shown: the checks, the steps, the screenshots. */
export async function show(
  run: Run<Actions>,
  input: ClosingSession & { readonly verdict: Verdict },
): Promise<ShownWork> {
  const { facts, session, startedAt, verdict } = input;
  const { tampering } = await run.do('close', { kind: 'close', session });
  if (tampering.length > 0) return { tampering, files: [] };
  const { kind = 'manual', checks = [], steps = [] } = facts.byHand ?? {};
  const { evidence } = verdict;
  const manual = { item: facts.id, title: facts.title, kind, checks, steps, startedAt, evidence };
  const kept = await run.do('keep', { kind: 'remember', what: 'manual', session, manual });
  return { tampering, files: [kept.file, ...(kept.files ?? [])] };
}

const listed = (texts: readonly string[]): string => texts.map((text) => `- ${text.replace(/\s+/g, ' ')}`).join('\n');

export function askManual(
  facts: ItemFacts,
  { verdict, strength }: Pick<LandingProof, 'verdict' | 'strength'>,
  shown: readonly string[],
): AskAction {
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
      ...proofParams(proofOf({ verdict, strength })),
      checks: listed(checks),
      steps: listed(steps),
      files: listed(shown),
    },
    evidence: [...(verdict.evidence === null ? [] : [verdict.evidence]), ...shown],
  };
}

type ManualResult =
  | { readonly is: 'verified'; readonly person: Person }
  | { readonly is: 'failed'; readonly why: Rejection }
  | { readonly is: 'skip'; readonly note: string };

/** Every answer except `verified` and `skip` rejects the work. */
export function manualResult({ option, note, by, at }: GateAnswer, evidence: string | null): ManualResult {
  if (option === 'verified') return { is: 'verified', person: { by, at, note } };
  if (option === 'skip') return { is: 'skip', note };
  const problem: Problem = { code: 'manual-failed', params: { by, ...(note === '' ? {} : { note }) } };
  const why = { reason: problem.code, problems: [problem], regressions: [], evidence, failure: null };
  return { is: 'failed', why };
}
