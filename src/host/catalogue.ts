// The one place where codes and parameters become sentences, so that terminal, page, MCP and agents show the same text.
// Chooses the sentence. The sentences are in sentences/<language>/<section>.ts; formatter.ts fills their placeholders.
import { entryOf } from '../model/entry.ts';
import type { Failure, Params, SourceLocation } from '../model/failure.ts';
import type { GateAsk } from '../model/gate.ts';
import { nameOfTest } from '../model/report.ts';
import type { Problem } from '../model/verdict.ts';
import { formatter, type Formatter } from './formatter.ts';
import type { Language } from './language.ts';
import type { TextKey } from './sentences/en/all.ts';
import type { Sentences } from './sentences/shape.ts';
import type { PlaybookSentences } from '../model/sentences.ts';

export type FailureText = {
  /** What happened, one sentence. */
  readonly title: string;
  /** Why, or what follows; may have several lines; '' where the title says all. */
  readonly why: string;
  /** What to do: commands to type or steps to take, at least one. */
  readonly fix: readonly string[];
  /** `FILE:LINE:COLUMN key`, as much of it as is known; null without a place. */
  readonly at: string | null;
  /** Each mistake of several: `FILE:LINE:COLUMN key: what is wrong`. */
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
  /** What was found and what to do about it, then the ids it is about, one per line. */
  readonly problem: (problem: Problem) => string;
  readonly gate: (ask: GateAsk) => GateText;
  /** The text of an outcome's or verdict's reason; without one the title of a failure with that reason; else the reason itself. */
  readonly outcome: (reason: string, params?: Params) => string;
  readonly text: (key: TextKey, params?: Params) => string;
};

/** More ids than this are only counted, so that a prompt or a screen stays readable. */
const IDS_SHOWN = 20;

/** Loads the sentences of one language and no other. `more`: those of playbooks. */
export async function openCatalogue(lang: Language, more: readonly PlaybookSentences[] = []): Promise<Catalogue> {
  const { sentences } = lang === 'de' ? await import('./sentences/de/all.ts') : await import('./sentences/en/all.ts');
  return catalogueOf(lang, joined(sentences, more));
}

/** Each table is copied once for all playbooks: together they have more than a thousand entries, and each command joins them. */
function joined(all: Sentences, more: readonly PlaybookSentences[]): Sentences {
  const table = <P extends keyof PlaybookSentences>(part: P): Sentences[P] =>
    Object.assign({}, all[part], ...more.map((one) => one[part]));
  return {
    ...all,
    failures: table('failures'),
    gates: table('gates'),
    outcomes: table('outcomes'),
    words: table('words'),
    texts: table('texts'),
  };
}

export function catalogueOf(lang: Language, sentences: Sentences): Catalogue {
  const format = formatter(lang, sentences.words);
  const text = (key: TextKey, params: Params = {}): string => format(entryOf(sentences.texts, key) ?? key, params);
  return {
    lang,
    text,
    failure: (failure) => failureText(failure, sentences, format),
    gate: (ask) => gateText(ask, sentences, format),
    outcome: (reason, params = {}) => outcomeText(reason, params, sentences, format),
    problem: (problem) => problemText(problem, sentences, format),
  };
}

/** A reason that only has a failure's sentences uses the title, if the title can be shown without its parameters. */
function outcomeText(reason: string, params: Params, sentences: Sentences, format: Formatter): string {
  const phrase = entryOf(sentences.outcomes, reason);
  if (phrase) return format(phrase, params);
  const title = format(entryOf(sentences.failures, reason)?.title ?? reason, params).trim();
  return /\{#?\w+\}/.test(title) ? reason : title.replace(/\.$/, '');
}

function problemText({ code, params, ids = [] }: Problem, sentences: Sentences, format: Formatter): string {
  const shown = ids
    .slice(0, IDS_SHOWN)
    .map((id) => `- ${format('{id}', { id: nameOfTest(id).replaceAll(/\s*\n\s*/g, ' ') })}`);
  const count = Math.max(ids.length, Number(params['count'] ?? 0)); // callers may give only the first ids
  const rest = ids.length === 0 ? 0 : count - shown.length;
  const reason = entryOf(sentences.failures, String(params['reason'] ?? '')); // a failure that is reported as a problem
  const all: Params = {
    ...(ids.length > 0 ? { count: ids.length } : {}),
    ...(reason ? { detail: format(reason.title, params, ['file', 'line', 'key']).trim() } : {}),
    ...params,
  };
  const sentence = format(entryOf(sentences.problems, code) ?? code, all).trim();
  return [
    shown.length === 0 ? sentence.replace(/:$/, '.') : sentence, // a colon introduces the ids
    ...shown,
    ...(rest > 0 ? [format(entryOf(sentences.texts, 'ids.more') ?? '…', { count: rest })] : []),
  ].join('\n');
}

function failureText(
  failure: Failure,
  sentences: Sentences,
  format: Formatter,
  shown: readonly string[] = [],
): FailureText {
  const found = entryOf(sentences.failures, failure.reason) ?? {
    title: failure.reason,
    why: '',
    fix: ['harness --help'],
  };
  const params = paramsOf(failure);
  return {
    title: format(found.title, params, shown).trim(),
    why: format(found.why, params, shown).trim(),
    fix: found.fix.map((step) => format(step, params)).filter((step) => step !== ''),
    at: failure.at ? placeOf(failure.at, format) : null,
    causes: (failure.causes ?? []).map((cause) => causeLine(cause, sentences, format)),
  };
}

/** The line begins with the place, so optional parts with its file or key are left out. */
function causeLine(cause: Failure, sentences: Sentences, format: Formatter): string {
  const shown = cause.at ? ['file', 'line', ...(cause.at.key === undefined ? [] : ['key'])] : [];
  const { title, why, at } = failureText(cause, sentences, format, shown);
  const sentence = why === '' ? title : `${title} ${why}`;
  return at === null ? sentence : `${at}: ${sentence}`;
}

/** `file`, `line` and `key` come from the place, and `count` from the causes, so that no failure has to give them twice. */
function paramsOf({ params, at, causes }: Failure): Params {
  return {
    ...(at ? { file: at.file } : {}),
    ...(at?.line === undefined ? {} : { line: at.line }),
    ...(at?.key === undefined ? {} : { key: at.key }),
    ...(causes && causes.length > 0 ? { count: causes.length } : {}),
    ...params,
  };
}

function placeOf(at: SourceLocation, format: Formatter): string {
  const where = [at.file, at.line, at.line === undefined ? undefined : at.column].filter((part) => part !== undefined);
  return format('{where}[[ {key}]]', { where: where.join(':'), key: at.key ?? '' });
}

function gateText(ask: GateAsk, sentences: Sentences, format: Formatter): GateText {
  const gate = entryOf(sentences.gates, ask.subject) ?? sentences.otherGate;
  const params: Params = { subject: ask.subject, item: ask.item ?? '', ...ask.params };
  return {
    header: gate.header,
    question: [
      format(gate.question, params),
      ...(ask.problems ?? []).map((p) => `- ${problemText(p, sentences, format).replaceAll('\n', '\n  ')}`),
    ].join('\n'),
    options: ask.options.map(({ id }) => {
      const option = entryOf(gate.options ?? {}, id) ??
        entryOf(sentences.options, id) ?? { label: id, description: '' };
      return { id, label: option.label, description: option.description };
    }),
  };
}
