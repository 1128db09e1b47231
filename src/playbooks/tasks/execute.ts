// One session on a task as a straight line: the agent works, the harness validates; what does not hold goes back into the session.
import type { Run } from '../../engine/types.ts';
import type { Actions, Checkpoint, Say } from '../../model/action.ts';
import type { Config } from '../../model/config.ts';
import type { Problem } from '../../model/verdict.ts';
import { converse } from '../session/conversation.ts';
import { cutShort, wrappedUp } from '../session/cut.ts';
import type { Work } from '../session/facts.ts';
import { judge } from '../session/judge.ts';
import { briefOf } from './brief.ts';
import type { TaskFacts } from './facts.ts';

export type ExecuteInput = {
  readonly facts: TaskFacts;
  readonly firstTask: readonly Problem[];
  readonly checkpoint: Checkpoint;
  readonly session: number;
};

/** Nothing that another turn could mend. */
const FINAL: readonly Problem['code'][] = ['check-timed-out', 'command-missing', 'nested-repository', 'regression'];

export async function execute(run: Run<Actions>, input: ExecuteInput, config: Config): Promise<Work> {
  const { facts, session } = input;
  const opening: Say = { kind: 'open', brief: 'executor', input: briefOf(input, config) };
  const who = { role: 'executor', session, attempt: facts.attempt, item: facts.id, title: facts.title, output: '' };
  const tell = converse(run, { who, opening, config });
  let say: Say = opening;
  for (let fixes = 0; ; fixes += 1) {
    const heard = await tell(say);
    const { said, step } = heard;
    const { text } = said;
    const cut = cutShort(heard);
    if (cut !== null) return cut;
    if (saysNotDone(text)) return { end: 'unfinished', why: wrappedUp(said) ?? 'incomplete', text };
    const { verdict, strength, problems } = await judge(step, input, config);
    const { evidence, regressions } = verdict;
    if (strength !== null && problems.length === 0) {
      const isAsked = strength.doubts.length > 0 || needsPerson(facts, config);
      // Whoever is asked may take days: until then nobody works here.
      const tampering = isAsked ? (await step.do('close', { kind: 'close', session })).tampering : [];
      return tampering.length === 0
        ? { end: strength.doubts.length > 0 ? 'doubtful' : 'holds', verdict, strength, text }
        : { end: 'rejected', reason: 'tampered', problems: tampering, regressions: [], evidence, text };
    }
    const isFinal = verdict.tampering.length > 0 || problems.some(({ code }) => FINAL.includes(code));
    if (isFinal || wrappedUp(said) !== null || fixes >= config.verification.fixTurns)
      return { end: 'rejected', reason: problems[0]?.code ?? 'rejected', problems, regressions, evidence, text };
    say = { kind: 'problems', problems, note: '' };
  }
}

/** Nothing that can be run says whether it is done. */
export const needsPerson = ({ proof }: TaskFacts, { verification }: Config): boolean =>
  proof === undefined && verification.requireEvidence;

/** The end of a turn is the claim that the task is done, unless the agent says that it is not. */
export const saysNotDone = (text: string): boolean => /^\s*NOT DONE\b/m.test(text);
