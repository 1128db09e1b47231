// One session as a straight line: the agent works, the harness proves; what does not hold goes back into the session.
import type { Run } from '../../engine/types.ts';
import type { Actions, Checkpoint, Say } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { Problem } from '../../model/verdict.ts';
import { ask } from '../session/asks.ts';
import { converse } from '../session/conversation.ts';
import { isUnsoundStill } from '../session/checks.ts';
import { cutShort, wrappedUp } from '../session/cut.ts';
import { judge } from '../session/judge.ts';
import { orientationOf } from './entries.ts';
import type { ItemFacts, RefusedSubject, Work } from '../session/facts.ts';

export type WorkInput = {
  readonly facts: ItemFacts;
  readonly firstTask: readonly Problem[];
  readonly checkpoint: Checkpoint;
  readonly session: number;
};

export const roleOf = (facts: Pick<ItemFacts, 'partial'>): 'coding' | 'continuation' =>
  facts.partial === null ? 'coding' : 'continuation';

/** `claimedIn`: committed files in which the agent claims that it is done. */
export async function work(
  run: Run<Actions>,
  input: WorkInput,
  config: Config,
  claimedIn: readonly string[] = [config.paths.backlog],
): Promise<Work> {
  const { facts, checkpoint, session } = input;
  const role = roleOf(facts);
  const opening: Say = { kind: 'open', brief: role, input: orientationOf(input, config) };
  const who = { role, session, attempt: facts.attempt, item: facts.id, title: facts.title, output: '' };
  const tell = converse(run, { who, opening, config });
  let say: Say = opening;
  for (let fixes = 0; ; fixes += 1) {
    const heard = await tell(say);
    const { said, step } = heard;
    const { text } = said;
    const cut = cutShort(heard);
    if (cut !== null) return cut;

    const claimed = { backlog: config.paths.backlog, before: checkpoint.ref, item: facts.id };
    const claim = await ask<{ problems: readonly Problem[] }>(step, 'claim', claimed);
    if (claim.problems.length > 0 && claim.problems.every((p) => p.code === 'nothing-claimed')) {
      return { end: 'unfinished', why: wrappedUp(said) ?? 'incomplete', text };
    }
    const judged = claim.problems.length === 0 ? await judge(step, input, config) : null;
    const verdict = judged?.verdict ?? null;
    const problems = judged?.problems ?? claim.problems;
    if (judged?.strength && problems.length === 0) {
      const { verdict: held, strength } = judged;
      if (strength.doubts.length === 0) return { end: 'holds', verdict: held, strength, text };
      // Whoever is asked may take days: until then nobody works here, and what was done is judged as it stands.
      const { tampering } = await step.do('close', { kind: 'close', session });
      return tampering.length === 0
        ? { end: 'doubtful', verdict: held, strength, text }
        : rejected(tampering, { evidence: held.evidence, regressions: [] }, text);
    }
    const found = { regressions: verdict?.regressions ?? [], evidence: verdict?.evidence ?? null };
    // A regression is rolled back at once (reference 000, Rollback Granularity, Scenario 3), and so is touching what is
    // not the agent's; a failing test may be mended while the session lasts (Scenario 2).
    // Nor can the tree before another turn be kept while a repository lies inside.
    const isNested = problems.some(({ code }) => code === 'nested-repository');
    const isTampered = (verdict?.tampering.length ?? 0) > 0;
    const isFinal = found.regressions.length > 0 || isTampered || isNested;
    // Nor has an agent that was told to wrap up room for another turn.
    if (isFinal || wrappedUp(said) !== null || fixes >= config.verification.fixTurns) {
      const subject = subjectOf(found.regressions, facts.isUnsound === true && isUnsoundStill(problems, config));
      const isAsked = !isTampered && (subject === 'sanity-failed' || Object.hasOwn(config.gates.policies, subject));
      const refused = rejected(problems, found, text);
      return isAsked ? closed(step, refused, subject, session) : refused;
    }
    if (claimedIn.length > 0) await step.do('revert-claim', { kind: 'restore', checkpoint, paths: claimedIn });
    const again = claimedIn.map((file): Problem => ({ code: 'claim-taken-back', params: { item: facts.id, file } }));
    say = { kind: 'problems', problems: [...problems, ...again], note: '' };
  }
}

function subjectOf(regressions: readonly string[], isUnsound: boolean): RefusedSubject {
  if (regressions.length > 0) return 'regression';
  return isUnsound ? 'sanity-failed' : 'verification-failed';
}

/** Whoever is asked may take days: until then nobody works here. */
async function closed(step: Run<Actions>, refused: Rejected, subject: RefusedSubject, session: number): Promise<Work> {
  const { tampering } = await step.do('close', { kind: 'close', session });
  return tampering.length === 0
    ? { ...refused, ask: subject }
    : rejected(tampering, { evidence: refused.evidence, regressions: [] }, refused.text);
}

type Rejected = Extract<Work, { end: 'rejected' }>;
const rejected = (
  problems: readonly Problem[],
  found: { readonly regressions: readonly string[]; readonly evidence: string | null },
  text: string,
): Rejected => ({ end: 'rejected', reason: problems[0]?.code ?? 'rejected', problems, ...found, text });
