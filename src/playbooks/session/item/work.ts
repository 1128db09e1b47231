// The stage `work`: the agent works, turn by turn. After each turn its claim is read and the harness proves the work; what does not hold is handed
// back, a few times.
import { defineProcedure, type Procedure } from '../../../engine/definitions.ts';
import type { Run } from '../../../engine/types.ts';
import type { Actions, Say, TurnOutcome } from '../../../model/action.ts';
import type { Config } from '../../../model/config.ts';
import type { Problem } from '../../../model/verdict.ts';
import { featureCommand, isUnsoundStill } from '../checks.ts';
import { converse, cutShort, wrappedUp, type Conversation } from '../conversation.ts';
import { workInput, workResult, type RefusedSubject, type WorkInput, type WorkResult } from '../facts.ts';
import { judge, judgeToLand, type JudgementToLand } from '../verdicts.ts';
import { compete } from './compete.ts';
import type { ItemKind } from './kind.ts';

export const defineWork = (kind: ItemKind): Procedure<WorkInput, WorkResult> =>
  defineProcedure({
    id: `${kind.prefix}work`,
    input: workInput,
    output: workResult,
    perform: (run, input, config) =>
      (kind.competitors?.(config) ?? 1) > 1
        ? compete(kind, run, input, config, attempt)
        : attempt(kind, run, input, config),
  });

/** One agent's work on the item, until it holds or is given up. `agent`: which of the role; left out: it is chosen. */
async function attempt(
  kind: ItemKind,
  run: Run<Actions>,
  input: WorkInput,
  config: Config,
  agent?: number,
): Promise<WorkResult> {
  const { facts, checkpoint, session } = input;
  const hooks = kind.hooks(config);
  const isWorked = kind.isWorked?.(facts, config) ?? 'no';
  const proved = isWorked === 'no' ? null : await provedAgain(run.scope('as-it-is'), input, config);
  if (proved?.is === 'ended') return proved.result;
  const broken = proved?.problems ?? [];
  if (isWorked === 'only' && proved !== null)
    return { end: 'unfinished', why: 'review', text: '', problems: [...broken] };
  const opening = kind.opening({ ...input, firstTask: [...input.firstTask, ...broken] });
  const send = converse(run, {
    who: whoOf(input, hooks.role(facts)),
    opening,
    config,
    ...(agent === undefined ? {} : { agent }),
  });
  const claimedIn = hooks.claimedIn(config);
  let say: Say = opening;
  let caught: WorkResult | null = null;
  let isTestAsked = false;
  for (let fixes = 0; ; fixes += 1) {
    const reply = await send(say);
    const { turn, step } = reply;
    const { text } = turn;
    const cut = cutShort(reply);
    if (cut !== null) return cut;

    const need = kind.needIn?.(text) ?? null;
    if (need !== null) return { end: 'unfinished', why: 'incomplete', text, need };

    const undecided = kind.undecided?.(text, facts) ?? [];
    if (undecided.length > 0) return { end: 'unfinished', why: 'unclear', text, problems: [...undecided] };

    const claimed = (await kind.claimed?.(step, { checkpoint, item: facts.id })) ?? [];
    // A claim that was refused stays one, also where the agent gives it up.
    if (claimed.length > 0 && claimed.every((p) => p.code === 'nothing-claimed'))
      return caught ?? { end: 'unfinished', why: wrappedUp(turn) ?? 'incomplete', text };
    if (kind.showsTests === true && claimed.length === 0 && !isTestAsked && lacksOwnTest(turn, config)) {
      isTestAsked = true;
      fixes -= 1; // it is no mistake yet
      say = { kind: 'problems', problems: [testNotRun(facts, config)], note: '' };
      continue;
    }
    const proves = landsNext(kind, input, config) ? judgeToLand : judge;
    const judged: JudgementToLand | null = claimed.length === 0 ? await proves(step, input, config) : null;
    const verdict = judged?.verdict ?? null;
    const problems = judged?.problems ?? claimed;
    if (judged?.strength && problems.length === 0) {
      const { verdict: held, strength, merged } = judged;
      if (strength.doubts.length === 0)
        return { end: 'holds', verdict: held, strength, text, ...(merged === undefined ? {} : { merged }) };
      return closed(step, session, { end: 'doubtful', verdict: held, strength, text }, held.evidence);
    }
    const regressions = verdict?.regressions ?? [];
    const evidence = verdict?.evidence ?? null;
    // A regression is rolled back at once, and so is a change of files that are not the agent's; a failing test may be fixed in another
    // turn. The tree before another turn cannot be kept while another repository is inside.
    const isNested = problems.some(({ code }) => code === 'nested-repository');
    const isTampered = (verdict?.tampering.length ?? 0) > 0;
    const isFinal = regressions.length > 0 || isTampered || isNested;
    if (isFinal || wrappedUp(turn) !== null || fixes >= config.verification.fixTurns) {
      const reason = problems[0]?.code ?? 'rejected';
      const rejected = { end: 'rejected', reason, problems, regressions, evidence, text } as const;
      const subject = subjectOf(regressions, facts.isUnsound === true && isUnsoundStill(problems, config));
      const isAsked = !isTampered && isQuestion(subject, config);
      return isAsked ? closed(step, session, { ...rejected, ask: subject }, evidence) : rejected;
    }
    if (claimedIn.length > 0) await step.do('revert-claim', { kind: 'restore', checkpoint, paths: claimedIn });
    const taken = claimedIn.map((file): Problem => ({
      code: 'claim-taken-back',
      params: { item: facts.id, file },
    }));
    say = { kind: 'problems', problems: [...problems, ...taken], note: '' };
    const reason = problems[0]?.code ?? 'rejected';
    caught = { end: 'rejected', reason, problems, regressions: [], evidence, text };
  }
}

/** Whether work that holds lands without another session or a user in between. */
const landsNext = (kind: ItemKind, { facts }: WorkInput, config: Config): boolean =>
  kind.review === undefined &&
  facts.byHand === undefined &&
  kind.hooks(config).proposes === undefined &&
  (kind.competitors?.(config) ?? 1) === 1;

/** An agent without room for another turn is not asked. */
const lacksOwnTest = (turn: TurnOutcome, { verification }: Config): boolean =>
  verification.requireEvidence && turn.ownTests === 'none' && wrappedUp(turn) === null;

function testNotRun({ id, testFile }: WorkInput['facts'], config: Config): Problem {
  const command = testFile === null ? config.testing.full : featureCommand(config, testFile);
  return { code: 'tests-not-run', params: { item: id, ...(command === null ? {} : { command }) } };
}

/** The proof of work that was done in an earlier session. `problems`: why it does not hold; empty: it is not there any more. */
async function provedAgain(
  run: Run<Actions>,
  input: WorkInput,
  config: Config,
): Promise<
  { readonly is: 'ended'; readonly result: WorkResult } | { readonly is: 'open'; readonly problems: readonly Problem[] }
> {
  const { facts, checkpoint, session } = input;
  const { isThere } = await run.do('take', { kind: 'take-wip', item: facts.id, session, checkpoint });
  if (!isThere) return { is: 'open', problems: [] };
  const { verdict, strength, problems } = await judge(run, input, config);
  if (strength === null || problems.length > 0) return { is: 'open', problems };
  const end = strength.doubts.length > 0 ? 'doubtful' : 'holds';
  return { is: 'ended', result: { end, verdict, strength, text: '', asBefore: true } };
}

const whoOf = ({ facts, session }: WorkInput, role: string): Conversation['who'] => ({
  role,
  session,
  attempt: facts.attempt,
  item: facts.id,
  title: facts.title,
  output: '',
  ...(facts.partial?.wip === undefined ? {} : { continues: true as const }),
});

function subjectOf(regressions: readonly string[], isUnsound: boolean): RefusedSubject {
  if (regressions.length > 0) return 'regression';
  return isUnsound ? 'sanity-failed' : 'verification-failed';
}

/** Whether the user decides about refused work; otherwise it is rolled back. */
const isQuestion = (subject: RefusedSubject, { gates }: Config): boolean =>
  subject === 'sanity-failed' || Object.hasOwn(gates.policies, subject);

/** A question may wait for days: the agent's session is closed first, and its work is judged as it is then. */
async function closed(
  step: Run<Actions>,
  session: number,
  result: WorkResult,
  evidence: string | null,
): Promise<WorkResult> {
  const { tampering } = await step.do('close', { kind: 'close', session });
  const [first] = tampering;
  if (first === undefined) return result;
  return { end: 'rejected', reason: first.code, problems: tampering, regressions: [], evidence, text: result.text };
}
