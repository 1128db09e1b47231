// What a playbook defines once, with schemas of its input and output: surveys, briefs, edits and procedures.
//
// A definition is called by reference: the constructors below make the action from the definition and a typed input, and read its outcome
// back through the schema, so that a wrong input or a misread output does not compile. The action itself is plain data and carries the
// definition's id; the performer looks the definition up by it. Defining it registers it.
import type { Actions, Say } from '../model/action.ts';
import type { EditCall } from '../model/remember.ts';
import { Bug } from '../model/bug.ts';
import type { Config } from '../model/config.ts';
import type { MemoryView } from '../model/memory.ts';
import type { Result } from '../model/result.ts';
import type { RepositoryView } from '../model/repository-view.ts';
import type { Problem } from '../model/verdict.ts';
import type { Backlog } from './backlog.ts';
import type { ActionOf, Run, Schema } from './types.ts';

/** What surveys, briefs and edits read: the repository, the format of the run's list, the configuration. */
export type ReadContext = {
  readonly view: RepositoryView;
  readonly backlog: Backlog;
  readonly config: Config;
  /** Of a machine that remembers; left out: it does not. */
  readonly memory?: MemoryView;
};
/** `sentence`: a problem as people and agents read it. */
export type BriefContext = ReadContext & { readonly sentence: (problem: Problem) => string };

/** Path → complete text of each file in the commit: writing it again changes nothing. */
export type Texts = { readonly [path: string]: string };

/** Reads facts. Its result depends only on what it reads. */
export type Survey<I, F> = {
  readonly id: string;
  readonly input: Schema<I>;
  readonly facts: Schema<F>;
  read(context: ReadContext, input: I): Promise<F>;
};
/** The part of a prompt that changes from session to session. The stable part is the role's file in prompts/. */
export type Brief<I> = {
  readonly id: string;
  readonly input: Schema<I>;
  text(context: BriefContext, input: I): Promise<string>;
};
/** Changes of the harness to its own files. */
export type Edit<I> = {
  readonly id: string;
  readonly input: Schema<I>;
  texts(context: ReadContext, input: I): Promise<Result<Texts>>;
};
/** A sequence of actions as an ordinary async function. No clock, no randomness, no I/O except through `run`. */
export type Procedure<I, O> = {
  readonly id: string;
  readonly input: Schema<I>;
  readonly output: Schema<O>;
  perform(run: Run<Actions>, input: I, config: Config): Promise<O>;
};

function registry<D extends { readonly id: string }>(kind: string) {
  const byId = new Map<string, D>();
  return {
    add<T extends D>(definition: T): T {
      if (byId.has(definition.id)) throw new Bug(`two ${kind} definitions have the id "${definition.id}"`);
      byId.set(definition.id, definition);
      return definition;
    },
    get(id: string): D {
      const found = byId.get(id);
      if (found === undefined) throw new Bug(`there is no ${kind} "${id}"`);
      return found;
    },
  };
}
const surveys = registry<Survey<unknown, unknown>>('survey');
const briefs = registry<Brief<unknown>>('brief');
const edits = registry<Edit<unknown>>('edit');
const procedures = registry<Procedure<unknown, unknown>>('procedure');

// The types come from the schemas alone (NoInfer): a function that returns something else does not compile.
export const defineSurvey = <I, F>(
  survey: Omit<Survey<I, F>, 'read'> & { read(context: ReadContext, input: NoInfer<I>): Promise<NoInfer<F>> },
): Survey<I, F> => surveys.add<Survey<I, F>>(survey);
export const defineBrief = <I>(
  brief: Omit<Brief<I>, 'text'> & { text(context: BriefContext, input: NoInfer<I>): Promise<string> },
): Brief<I> => briefs.add<Brief<I>>(brief);
export const defineEdit = <I>(
  edit: Omit<Edit<I>, 'texts'> & { texts(context: ReadContext, input: NoInfer<I>): Promise<Result<Texts>> },
): Edit<I> => edits.add<Edit<I>>(edit);
export const defineProcedure = <I, O>(
  procedure: Omit<Procedure<I, O>, 'perform'> & {
    perform(run: Run<Actions>, input: NoInfer<I>, config: Config): Promise<NoInfer<O>>;
  },
): Procedure<I, O> => procedures.add<Procedure<I, O>>(procedure);

export const surveyAction = <I, F>(key: string, survey: Survey<I, F>, input: I): ActionOf<Actions, 'survey'> => ({
  kind: 'survey',
  key,
  survey: survey.id,
  input,
});
/** A survey as a step of a procedure, named by its id. */
export async function readFacts<I, F>(run: Run<Actions>, survey: Survey<I, F>, input: I): Promise<F> {
  const { facts } = await run.do(survey.id, { kind: 'survey', survey: survey.id, input });
  return survey.facts.parse(facts);
}
export const openingSay = <I>(brief: Brief<I>, input: I): Say => ({ kind: 'open', brief: brief.id, input });
export const editCall = <I>(edit: Edit<I>, input: I): EditCall => ({ edit: edit.id, input });
/** A procedure as an action. Its id is its key: a machine that performs it more than once gives another key. */
export const procedureAction = <I, O>(
  procedure: Procedure<I, O>,
  input: I,
  key = procedure.id,
): ActionOf<Actions, 'procedure'> => ({ kind: 'procedure', key, procedure: procedure.id, input });

/** Plain data as it will be read back from a journal: undefined members are gone. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

export async function performSurvey(id: string, context: ReadContext, input: unknown): Promise<unknown> {
  const survey = surveys.get(id);
  return plain(await survey.read(context, survey.input.parse(input)));
}
export async function writeBrief(id: string, context: BriefContext, input: unknown): Promise<string> {
  const brief = briefs.get(id);
  return brief.text(context, brief.input.parse(input));
}
export async function textsOf(call: EditCall, context: ReadContext): Promise<Result<Texts>> {
  const edit = edits.get(call.edit);
  return edit.texts(context, edit.input.parse(call.input));
}
/** The procedure of an id as a function of its stored input. */
export function procedureOf(id: string, config: Config): (run: Run<Actions>, input: unknown) => Promise<unknown> {
  const procedure = procedures.get(id);
  return async (run, input) => plain(await procedure.perform(run, procedure.input.parse(input), config));
}
