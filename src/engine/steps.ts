// The steps of one run of a procedure: a recorded step returns its outcome, any other is performed and recorded.
// I1 the intent of a step is durable before it is performed, but of one that may be repeated or only judges.
// I2 an outcome is durable before the next step starts that changes something, and before the procedure halts: it is written together with
//    the next line. If it is lost, the step is probed, as after a crash. Before a step that judges it is written and not waited for, and at the end:
//    what the procedure returns is made durable at once by the driver that asked for it, and nothing is done in between.
import { Bug } from '../model/bug.ts';
import type { Journal } from './journal.ts';
import {
  performerOf,
  type ActionContext,
  type ActionMap,
  type ActionOf,
  type Blocked,
  type Parked,
  type Performer,
  type Performers,
  type Run,
} from './types.ts';

/** `of`: the identity of code, configuration and input. */
export type StepLine =
  | { readonly t: 'begin'; readonly step: string; readonly action: object; readonly of: string }
  | { readonly t: 'done'; readonly step: string; readonly outcome: object };

/** Why a procedure halted before its function returned. `outdated`: its journal was written by other code. */
export type Halt = { readonly halt: 'aborted' } | { readonly halt: 'outdated' } | Parked | Blocked;

export type StepsDeps<M extends ActionMap> = {
  readonly journal: Journal<StepLine>;
  readonly performers: Performers<M>;
  readonly context: ActionContext;
  readonly identity: string;
};
export type Steps<M extends ActionMap> = {
  readonly run: Run<M>;
  /** Resolves when the procedure has halted and no action of it is in flight. */
  readonly halted: Promise<Halt>;
  underWay(): readonly string[];
  /** Writes the outcomes of a procedure that ends. */
  keep(): void;
  /** Aborts actions in flight and waits for their end; nothing starts after that. */
  close(): Promise<void>;
};

export function openSteps<M extends ActionMap>(deps: StepsDeps<M>): Steps<M> {
  const { journal, context } = deps;
  const begun = new Map<string, Extract<StepLine, { t: 'begin' }>>();
  const done = new Map<string, object>();
  for (const line of journal.lines)
    if (line.t === 'begin') begun.set(line.step, line);
    else done.set(line.step, line.outcome);
  const seen = new Set<string>();
  const active = new Map<string, Promise<unknown>>();
  const abort = new AbortController();
  let halt: Halt | null = null;
  let isClosed = false;
  let waiting: { readonly line: StepLine; readonly settled?: () => void }[] = [];
  /** Lines are written that a power failure would take. */
  let isNoted = false;
  const write = (...more: readonly StepLine[]): void => put(false, more);
  const put = (mayBeLost: boolean, more: readonly StepLine[]): void => {
    const written = waiting;
    const lines = [...written.map(({ line }) => line), ...more];
    // A performer that is notified of its outcome removes what it would need to be asked again.
    const isNote = mayBeLost && !written.some(({ settled }) => settled !== undefined);
    if (isNote && lines.length > 0) journal.note(...lines);
    else if (!isNote && (isNoted || lines.length > 0)) journal.append(...lines);
    isNoted = isNote && (isNoted || lines.length > 0);
    waiting = [];
    for (const { settled } of written) settled?.();
  };
  let stand = (_: Halt): void => undefined;
  const halted = new Promise<Halt>((resolve) => (stand = resolve));

  /** Halts the procedure as soon as no action of it is in flight. The first reason counts. */
  const stop = (why: Halt): Promise<never> => {
    halt ??= why;
    if (active.size === 0) {
      write();
      stand(halt);
    }
    return new Promise<never>(() => undefined);
  };
  /** How many `uninterrupted` sections are open, and whether an abort waits for their end. */
  let shielded = 0;
  let isAbortWaiting = false;
  const onAbort = (): void => {
    isAbortWaiting = shielded > 0;
    if (isAbortWaiting) return;
    abort.abort();
    void stop({ halt: 'aborted' });
  };
  context.signal.addEventListener('abort', onAbort);
  if (context.signal.aborted) onAbort();

  async function step(name: string, asked: ActionOf<M>): Promise<object> {
    if (seen.has(name))
      throw new Bug(`procedure step "${name}" has the name of an earlier one: give the loop or branch its own scope`);
    seen.add(name);
    const action = { ...asked, key: name };
    const performer = performerOf(deps.performers, asked);
    const own = { ...context, signal: abort.signal, token: `${context.token}/${name}` };
    const earlier = begun.get(name);
    if (earlier && JSON.stringify(earlier.action) !== JSON.stringify(asked)) {
      if (earlier.of !== deps.identity) {
        abort.abort();
        return stop({ halt: 'outdated' });
      }
      throw new Bug(`procedure step "${name}" asks for something else than it did before the restart`);
    }
    const known = done.get(name);
    if (known) {
      performer.settled?.(action, own);
      return known;
    }
    if (halt || isClosed) return stop({ halt: 'aborted' });
    const performing = perform(performer, action, own, earlier !== undefined);
    active.set(name, performing);
    const answer = await performing.finally(() => active.delete(name));
    if (abort.signal.aborted) return stop({ halt: 'aborted' }); // an aborted step has no outcome: a later process performs it again
    if ('parked' in answer || 'blocked' in answer) return stop(answer);
    const settled = performer.settled === undefined ? {} : { settled: () => performer.settled?.(action, own) };
    waiting.push({ line: { t: 'done', step: name, outcome: answer }, ...settled });
    if (active.size > 0 && performer.isRepeatable !== true) write(); // a sibling may take hours
    if (halt) return stop(halt); // a sibling waits or was blocked, and this may be the last one in flight
    return answer;
  }

  async function perform(
    performer: Performer<ActionOf<M>, object>,
    action: ActionOf<M>,
    own: ActionContext,
    wasBegun: boolean,
  ): Promise<object | Parked | Blocked> {
    if (wasBegun) {
      const evidence = await performer.probe(action, own);
      if (evidence.found === 'outcome') return evidence.outcome;
      if (abort.signal.aborted) return { parked: action.key };
    } else {
      const { key: _key, ...asked } = action;
      const line: StepLine = { t: 'begin', step: action.key, action: asked, of: deps.identity };
      if (performer.isRepeatable === true) waiting.push({ line });
      else put(performer.isJudging === true, [line]);
    }
    return performer.perform(action, own);
  }

  async function uninterrupted<T>(steps: () => Promise<T>): Promise<T> {
    shielded += 1;
    const value = await steps().finally(() => (shielded -= 1));
    if (!isAbortWaiting || shielded > 0) return value;
    onAbort();
    return stop({ halt: 'aborted' });
  }

  const scoped = (scope: string): Run<M> => ({
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the performer of this kind gives the outcome of this kind
    do: (name, action) => step(scope + name, action as never),
    scope: (name) => scoped(`${scope}${name}/`),
    all: (branches) => Promise.all(branches.map((branch) => branch())),
    uninterrupted,
  });

  return {
    run: scoped(''),
    halted,
    underWay: () => [...active.keys()],
    keep: () => put(true, []),
    async close() {
      isClosed = true;
      context.signal.removeEventListener('abort', onAbort);
      if (active.size > 0) abort.abort();
      while (active.size > 0) await Promise.allSettled(active.values());
    },
  };
}
