// The one place where codes and parameters become sentences, so that terminal, page, MCP and agents read the same.
// Owns: choosing the words. The words are in sentences/<language>/<section>.ts, how they are filled in phrase.ts.
import { entryOf } from '../model/entry.ts';
import type { Failure, Params, SourceLocation } from '../model/failure.ts';
import type { GateAsk } from '../model/gate.ts';
import type { Problem } from '../model/verdict.ts';
import type { Language } from './language.ts';
import { speakerOf, type Speaker } from './phrase.ts';
import type { TextKey } from './sentences/en/all.ts';
import type { Sentences } from './sentences/shape.ts';

export type FailureText = {
  /** What happened, one sentence. */
  readonly title: string;
  /** Why, or what follows; may have several lines; '' where the title says all. */
  readonly why: string;
  /** What to do: commands to type or steps to take, at least one. */
  readonly mend: readonly string[];
  /** `FILE:LINE:COLUMN key`, as much of it as is known; null without a place. */
  readonly at: string | null;
  /** Each mistake found in one go: `FILE:LINE:COLUMN key: what is wrong`. */
  readonly causes: readonly string[];
};
export type GateText = {
  /** At most 12 characters. */
  readonly header: string;
  readonly question: string;
  readonly options: readonly { readonly id: string; readonly label: string; readonly description: string }[];
};
export type Catalogue = {
  readonly lang: Language;
  readonly failure: (failure: Failure) => FailureText;
  /** What was found and what to do about it, then the ids it is about, one a line. */
  readonly problem: (problem: Problem) => string;
  readonly gate: (ask: GateAsk) => GateText;
  /** The reason of an outcome or a machine's verdict: its words, else what a failure of that reason says, else as it is. */
  readonly outcome: (reason: string, params?: Params) => string;
  readonly text: (key: TextKey, params?: Params) => string;
};

/** More ids than this are only counted: a prompt and a screen must stay readable. */
const IDS_SHOWN = 20;

/** Loads the sentences of one language and no other. */
export async function openCatalogue(lang: Language): Promise<Catalogue> {
  const { sentences } = lang === 'de' ? await import('./sentences/de/all.ts') : await import('./sentences/en/all.ts');
  return catalogueOf(lang, sentences);
}

export function catalogueOf(lang: Language, words: Sentences<TextKey>): Catalogue {
  const speak = speakerOf(lang, words.words);
  const text = (key: TextKey, params: Params = {}): string => speak(entryOf(words.texts, key) ?? key, params);
  return {
    lang,
    text,
    failure: (failure) => failureText(failure, words, speak),
    gate: (ask) => gateText(ask, words, speak),
    outcome: (reason, params = {}) => outcomeText(reason, params, words, speak),
    problem: (problem) => problemText(problem, words, speak),
  };
}

/** A reason that has words only as a failure says what happened in them, as far as that goes without its parameters. */
function outcomeText(reason: string, params: Params, words: Sentences<TextKey>, speak: Speaker): string {
  const phrase = entryOf(words.outcomes, reason);
  if (phrase) return speak(phrase, params);
  const title = speak(entryOf(words.failures, reason)?.title ?? reason, params).trim();
  return /\{#?\w+\}/.test(title) ? reason : title.replace(/\.$/, '');
}

function problemText({ code, params, ids = [] }: Problem, words: Sentences<TextKey>, speak: Speaker): string {
  const shown = ids.slice(0, IDS_SHOWN).map((id) => `- ${speak('{id}', { id: id.replaceAll(/\s*\n\s*/g, ' ') })}`);
  const count = Math.max(ids.length, Number(params['count'] ?? 0)); // rooms may hand over only the first ids
  const rest = ids.length === 0 ? 0 : count - shown.length;
  const reason = entryOf(words.failures, String(params['reason'] ?? '')); // a failure handed on as a problem
  const all: Params = {
    ...(ids.length > 0 ? { count: ids.length } : {}),
    ...(reason ? { detail: speak(reason.title, params, ['file', 'line', 'key']).trim() } : {}),
    ...params,
  };
  const sentence = speak(entryOf(words.problems, code) ?? code, all).trim();
  return [
    shown.length === 0 ? sentence.replace(/:$/, '.') : sentence, // a colon announces the ids
    ...shown,
    ...(rest > 0 ? [speak(entryOf(words.texts, 'ids.more') ?? '…', { count: rest })] : []),
  ].join('\n');
}

function failureText(
  failure: Failure,
  words: Sentences<TextKey>,
  speak: Speaker,
  told: readonly string[] = [],
): FailureText {
  const said = entryOf(words.failures, failure.reason) ?? { title: failure.reason, why: '', mend: ['harness --help'] };
  const params = paramsOf(failure);
  return {
    title: speak(said.title, params, told).trim(),
    why: speak(said.why, params, told).trim(),
    mend: said.mend.map((step) => speak(step, params)).filter((step) => step !== ''),
    at: failure.at ? placeOf(failure.at, speak) : null,
    causes: (failure.causes ?? []).map((cause) => causeLine(cause, words, speak)),
  };
}

/** The line begins with the place, so optional parts that name its file or key are left out. */
function causeLine(cause: Failure, words: Sentences<TextKey>, speak: Speaker): string {
  const told = cause.at ? ['file', 'line', ...(cause.at.key === undefined ? [] : ['key'])] : [];
  const { title, why, at } = failureText(cause, words, speak, told);
  const sentence = why === '' ? title : `${title} ${why}`;
  return at === null ? sentence : `${at}: ${sentence}`;
}

/** A place says `file`, `line` and `key` too, and several mistakes say how many: a room need not say it twice. */
function paramsOf({ params, at, causes }: Failure): Params {
  return {
    ...(at ? { file: at.file } : {}),
    ...(at?.line === undefined ? {} : { line: at.line }),
    ...(at?.key === undefined ? {} : { key: at.key }),
    ...(causes && causes.length > 0 ? { count: causes.length } : {}),
    ...params,
  };
}

function placeOf(at: SourceLocation, speak: Speaker): string {
  const where = [at.file, at.line, at.line === undefined ? undefined : at.column].filter((part) => part !== undefined);
  return speak('{where}[[ {key}]]', { where: where.join(':'), key: at.key ?? '' });
}

function gateText(ask: GateAsk, words: Sentences<TextKey>, speak: Speaker): GateText {
  const said = entryOf(words.gates, ask.subject) ?? words.otherGate;
  const params: Params = { subject: ask.subject, item: ask.item ?? '', ...ask.params };
  return {
    header: said.header,
    question: [
      speak(said.question, params),
      ...(ask.problems ?? []).map((p) => `- ${problemText(p, words, speak).replaceAll('\n', '\n  ')}`),
    ].join('\n'),
    options: ask.options.map(({ id }) => {
      const option = entryOf(said.options ?? {}, id) ?? entryOf(words.options, id) ?? { label: id, description: '' };
      return { id, label: option.label, description: option.description };
    }),
  };
}
