// A scenario file: what a scripted agent does in each session. Reads YAML or JSON; every mistake is reported with its position.
import { readFileSync } from 'node:fs';
import { isNode, LineCounter, parseDocument, type Document } from 'yaml';
import { z } from 'zod';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { isStepName, STEPS, type ScriptStep, type StepName, type StepPlace } from './steps.ts';

const scalar = z.union([z.string(), z.number()]).transform(String);
const oneOrMore = z.union([scalar, z.array(scalar).min(1)]).transform((v) => (Array.isArray(v) ? v : [v]));
const when = z.strictObject({
  playbook: oneOrMore.optional(),
  role: oneOrMore.optional(),
  item: oneOrMore.optional(),
  attempt: oneOrMore.optional(),
  session: oneOrMore.optional(),
});
const outline = z.strictObject({
  schema: z.literal(1),
  description: z.string().optional(),
  sessions: z
    .array(
      z.strictObject({
        description: z.string().optional(),
        when: when.default({}),
        repeat_last: z.boolean().default(false),
        turns: z.array(z.array(z.unknown())).min(1),
      }),
    )
    .min(1),
});

export type When = z.output<typeof when>;
export type ScriptedSession = {
  readonly when: When;
  /** For more turns than the scenario has: true repeats the last one, false only says that there are no more. */
  readonly repeatLast: boolean;
  readonly turns: readonly (readonly ScriptStep[])[];
};
export type Scenario = { readonly file: string; readonly sessions: readonly ScriptedSession[] };

type DocumentPath = readonly PropertyKey[];
/** Collects mistakes with their positions while a document is read. */
type ScenarioReader = {
  readonly place: (path: DocumentPath) => StepPlace;
  readonly wrong: (path: DocumentPath, problem: string) => void;
  readonly causes: Failure[];
};

/** Reads a scenario file. `scenario-invalid` carries one cause per mistake, each with line and column. */
export function readScenario(file: string): Result<Scenario> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return err(invalid(file, [failure('scenario-mistake', { problem: 'unreadable' }, { at: { file } })]));
  }
  return parseScenario(file, text);
}

/** JSON is read as such, about thirty times faster than as YAML: an agent reads its scenario at each start. */
export function parseScenario(file: string, text: string): Result<Scenario> {
  const source = sourceOf(text);
  const json = readJson(text);
  if (json === undefined) {
    const { document, lines } = source();
    const broken = document.errors.map((error) => {
      const { line, col } = lines.linePos(error.pos[0]);
      return failure('scenario-mistake', { problem: error.message }, { at: { file, line, column: col } });
    });
    if (broken.length > 0) return err(invalid(file, broken));
  }

  const reader = readerOf(file, source);
  const read = outline.safeParse(json === undefined ? source().document.toJS() : json);
  if (!read.success) {
    for (const issue of read.error.issues) reader.wrong(issue.path, issue.message);
    return err(invalid(file, reader.causes));
  }
  const sessions = read.data.sessions.map((session, i) => ({
    when: session.when,
    repeatLast: session.repeat_last,
    turns: session.turns.map((turn, j) => readSteps(turn, ['sessions', i, 'turns', j], reader)),
  }));
  return reader.causes.length > 0 ? err(invalid(file, reader.causes)) : ok({ file, sessions });
}

const invalid = (file: string, causes: readonly Failure[]): Failure => {
  const at = causes[0]?.at ?? { file };
  return failure('scenario-invalid', { count: causes.length }, { at, causes });
};

function readSteps(values: readonly unknown[], path: DocumentPath, reader: ScenarioReader): readonly ScriptStep[] {
  return values.flatMap((value, i) => readStep(value, [...path, i], reader) ?? []);
}

/** A step is a name alone (`claim`) or one name with its value (`say: hello`). */
function readStep(value: unknown, path: DocumentPath, reader: ScenarioReader): ScriptStep | null {
  const entries: [string, unknown][] =
    typeof value === 'string'
      ? [[value, null]]
      : typeof value === 'object' && value !== null
        ? Object.entries(value)
        : [];
  const [entry] = entries;
  if (entry === undefined || entries.length !== 1) {
    reader.wrong(path, 'a step is one name with its value');
    return null;
  }
  const [name, input] = entry;
  if (!isStepName(name)) {
    reader.wrong(path, `unknown step "${name}", known are ${Object.keys(STEPS).join(', ')}`);
    return null;
  }
  const read = STEPS[name].safeParse(input);
  if (!read.success) {
    for (const issue of read.error.issues) reader.wrong([...path, name, ...issue.path], issue.message);
    return null;
  }
  if (name !== 'ask_permission') return plainStep(name, read.data, () => reader.place(path));
  const { allowed, denied, ...asked } = STEPS.ask_permission.parse(input);
  const inner = [...path, name];
  return {
    step: name,
    with: asked,
    allowed: readSteps(allowed, [...inner, 'allowed'], reader),
    denied: readSteps(denied, [...inner, 'denied'], reader),
    get at() {
      return reader.place(path);
    },
  };
}

/** The table of steps pairs a name with the type of its value, which the compiler cannot follow: hence the overload. */
function plainStep(step: StepName, value: unknown, place: () => StepPlace): ScriptStep;
function plainStep(step: StepName, value: unknown, place: () => StepPlace): unknown {
  return {
    step,
    with: value,
    get at() {
      return place();
    },
  };
}

/** The text with the positions of its parts, for which it is read as YAML: once, when a position is needed. */
type ScenarioSource = () => { readonly document: Document; readonly lines: LineCounter };

function sourceOf(text: string): ScenarioSource {
  let read: ReturnType<ScenarioSource> | undefined;
  return () => {
    if (read !== undefined) return read;
    const lines = new LineCounter();
    read = { lines, document: parseDocument(text, { lineCounter: lines, prettyErrors: false }) };
    return read;
  };
}

/** Undefined: it is not JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readerOf(file: string, source: ScenarioSource): ScenarioReader {
  const causes: Failure[] = [];
  const place = (path: DocumentPath): StepPlace => {
    const { document, lines } = source();
    const { line, col } = lines.linePos(offsetOf(document, path));
    return { line, column: col, key: keyOf(path) };
  };
  return {
    causes,
    place,
    wrong: (path, problem) => {
      causes.push(failure('scenario-mistake', { problem }, { at: { file, ...place(path) } }));
    },
  };
}

/** The offset of the deepest part of the path that exists in the file. */
function offsetOf(document: Document, path: DocumentPath): number {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

const keyOf = (path: DocumentPath): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
