// A Run for tests of procedures: answers every step from a table and keeps what was asked, in order.
import type { ActionOf, Run } from '../../src/engine/types.ts';
import type { Actions } from '../../src/model/action.ts';

export type Asked = { readonly kind: keyof Actions } & { readonly [field: string]: unknown };
type Answer = object | (() => object);
/** By the whole name of a step (`turn-1/session`), else by its last part, else by the kind of the action. */
export type Answers = { readonly [step: string]: Answer };
export type ScriptedRun = {
  readonly run: Run<Actions>;
  /** Whole names of the steps in the order in which they were begun. */
  readonly steps: string[];
  /** What the step of this whole name asked; throws where it was not asked. */
  readonly asked: (step: string) => Asked;
};

/**
 * A Run whose steps are answered by a function of the step's whole name and what it asks. A name used twice, or an action that is not plain
 * data, throws: the procedure is wrong.
 */
export function runOf(answer: (name: string, asked: ActionOf<Actions>) => object): Run<Actions> {
  const names = new Set<string>();
  const step = (name: string, asked: object): Promise<object> => {
    if (names.has(name)) throw new Error(`step "${name}" has the name of an earlier one`);
    names.add(name);
    if (JSON.stringify(JSON.parse(JSON.stringify(asked))) !== JSON.stringify(asked) || !isPlain(asked))
      throw new Error(`step "${name}" asks for something that is not data`);
    return Promise.resolve(answer(name, { ...asked, key: name } as ActionOf<Actions>));
  };
  const scoped = (prefix: string): Run<Actions> => ({
    do: (name, action) => step(prefix + name, action) as never,
    scope: (name) => scoped(`${prefix}${name}/`),
    all: (branches) => Promise.all(branches.map((branch) => branch())),
    uninterrupted: (branch) => branch(),
  });
  return scoped('');
}

/** A step without an answer throws. */
export function scriptedRun(answers: Answers): ScriptedRun {
  const steps: string[] = [];
  const all = new Map<string, Asked>();
  const run = runOf((name, { key: _key, ...asked }) => {
    steps.push(name);
    all.set(name, asked);
    const answer = answers[name] ?? answers[name.slice(name.lastIndexOf('/') + 1)] ?? answers[asked.kind];
    if (answer === undefined) throw new Error(`step "${name}" (${asked.kind}) has no answer in the table`);
    return typeof answer === 'function' ? (answer as () => object)() : answer;
  });
  return {
    run,
    steps,
    asked(name) {
      const found = all.get(name);
      if (!found) throw new Error(`step "${name}" was never asked; asked were: ${steps.join(', ')}`);
      return found;
    },
  };
}

/** No functions, no undefined, no class instances anywhere below. */
function isPlain(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isPlain);
  if (typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return false;
  return Object.values(value).every(isPlain);
}
