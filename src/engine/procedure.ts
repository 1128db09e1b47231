// Procedures: straight lines inside one action. Steps are remembered in a journal of their own, thrown away at the end.
// I1 a step's intent is durable before it is performed, its outcome before the procedure goes on.
// I2 a remembered step is never performed again; one that was under way is asked how far it got.
// I3 between two lives the configuration may be edited or the program replaced: a step that was done keeps its outcome, one
//    that was under way is asked for as it is asked for now, under its old token, by which its effects recognise themselves.
//    A name is of one kind of action for ever.
import type { Io } from '../host/io.ts';
import { Bug } from '../model/bug.ts';
import { openJournal, type Journal } from './journal.ts';
import type {
  ActionContext,
  ActionMap,
  ActionOf,
  Blocked,
  Parked,
  Performer,
  Performers,
  Procedure,
  Run,
} from './types.ts';

type StepLine =
  | { readonly t: 'begin'; readonly step: string; readonly action: { readonly kind: string } }
  | { readonly t: 'done'; readonly step: string; readonly outcome: object };

type Deps<M extends ActionMap> = {
  readonly io: Io;
  readonly journal: string;
  readonly performers: Performers<M>;
  readonly context: ActionContext;
};

/** Why a procedure stands still although its function has not returned. */
type Halt = { readonly halt: 'aborted' } | Parked | Blocked;

/**
 * Runs or resumes a procedure. Answers its output; or that it waits at a gate, is blocked, or was aborted. The function
 * is then left standing at its `await` for ever: nothing unwinds, no catch or finally of the playbook ever sees it.
 */
export async function runProcedure<M extends ActionMap, I, O>(
  procedure: Procedure<M, I, O>,
  input: I,
  deps: Deps<M>,
): Promise<{ readonly output: O } | Halt> {
  const opened = openJournal<StepLine>(deps.journal, deps.io);
  if (!opened.ok) return { blocked: opened.failure };
  let halted = (_: Halt): void => undefined;
  const standing = new Promise<Halt>((resolve) => (halted = resolve));
  const steps = new Steps(opened.value, deps, (halt) => halted(halt));
  const result = await Promise.race([procedure(steps.run(''), input).then((output) => ({ output })), standing]);
  return result;
}

/** Removes what a finished procedure remembered. The outcome of its action is durable by then. */
export const forgetProcedure = (io: Io, journal: string): void => io.remove(journal);

class Steps<M extends ActionMap> {
  private readonly journal: Journal<StepLine>;
  private readonly deps: Deps<M>;
  private readonly halted: (halt: Halt) => void;
  private readonly seen = new Set<string>();
  private active = 0;
  private halt: Halt | null = null;

  constructor(journal: Journal<StepLine>, deps: Deps<M>, halted: (halt: Halt) => void) {
    this.journal = journal;
    this.deps = deps;
    this.halted = halted;
    deps.context.signal.addEventListener('abort', () => this.stop({ halt: 'aborted' }));
  }

  run(scope: string): Run<M> {
    return {
      do: (name, action) => this.step(scope + name, action),
      scope: (name) => this.run(`${scope}${name}/`),
      all: (branches) => Promise.all(branches.map((branch) => branch())),
    };
  }

  /** Ends the procedure as soon as nothing it began is still under way. */
  private stop(halt: Halt): void {
    this.halt ??= halt;
    if (this.active === 0) this.halted(this.halt);
  }

  private stand(halt: Halt): Promise<never> {
    this.stop(halt);
    return new Promise(() => undefined);
  }

  private async step(step: string, action: { readonly kind: keyof M }): Promise<object> {
    if (this.seen.has(step))
      throw new Bug(`procedure step "${step}" has the name of an earlier one: give the loop or branch its own scope`);
    this.seen.add(step);
    const begun = this.journal.lines.find((l) => l.t === 'begin' && l.step === step);
    const done = this.journal.lines.find((l) => l.t === 'done' && l.step === step);
    if (begun?.t === 'begin' && begun.action.kind !== action.kind)
      throw new Bug(`procedure step "${step}" was a ${begun.action.kind} before the restart`);
    if (done?.t === 'done') return done.outcome;
    if (this.halt || this.deps.context.signal.aborted) return this.stand({ halt: 'aborted' });
    const answer = await this.perform(step, { ...action, key: step }, begun !== undefined);
    if ('parked' in answer || 'blocked' in answer) return this.stand(answer);
    if (this.deps.context.signal.aborted) return this.stand({ halt: 'aborted' });
    this.journal.append({ t: 'done', step, outcome: answer });
    if (this.halt) this.stop(this.halt); // a sibling waits or was blocked, and this was the last one under way
    return answer;
  }

  private async perform(step: string, action: ActionOf<M>, wasBegun: boolean): Promise<object | Parked | Blocked> {
    const performer = this.deps.performers[action.kind] as unknown as Performer<ActionOf<M>, object>;
    const context = { ...this.deps.context, token: `${this.deps.context.token}/${step}` };
    this.active += 1;
    try {
      if (wasBegun) {
        const evidence = await performer.probe(action, context);
        if (evidence.found === 'outcome') return evidence.outcome;
      } else {
        const { key: _, ...asked } = action;
        this.journal.append({ t: 'begin', step, action: { ...asked, kind: String(action.kind) } });
      }
      return await performer.perform(action, context);
    } finally {
      this.active -= 1;
    }
  }
}
