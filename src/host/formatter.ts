// Fills the placeholders of a sentence: parameters, plurals, units.
//
//   {name}      the parameter; where it is absent its name stays, so that the gap is visible and nothing crashes
//   {#name}     the same, but where the parameter is a code with a text of its own (sentences/<language>/words.ts), that text
//   [[ … ]]     left out where a parameter inside is absent or empty, or is shown elsewhere
//   one/other   chosen by `count`, by the plural rules of the language
//   …Ms, …Usd, …Tokens   numbers with such names are shown as a duration, as money, and in groups of three digits
//
// Values come from agents and from the target repository: control characters and direction overrides are shown as �, so that no title can
// move the cursor of a terminal. Placeholders inside a value are never filled.
import { entryOf } from '../model/entry.ts';
import type { Params } from '../model/failure.ts';
import type { Phrase } from '../model/sentences.ts';
import type { Language } from './language.ts';

/** `shown`: parameters that are shown next to the sentence, so that its optional parts with them are left out. */
export type Formatter = (phrase: Phrase, params: Params, shown?: readonly string[]) => string;

const OPTIONAL = /\[\[([\s\S]*?)\]\]/g;
const PLACEHOLDER = /\{(#?)([a-zA-Z]+)\}/g;
// oxlint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Untrusted text as it can be shown: without control characters except tabs and line breaks. */
export const printable = (text: string): string => text.replaceAll('\r\n', '\n').replace(UNPRINTABLE, '�');

/** The names of the parameters that a phrase can use, each once, sorted. */
export function placeholdersOf(phrase: Phrase): readonly string[] {
  const text = typeof phrase === 'string' ? phrase : `${phrase.one} ${phrase.other}`;
  return [...new Set([...text.matchAll(PLACEHOLDER)].map((m) => m[2] ?? ''))].sort();
}

/** `codes`: the texts of codes that are used as parameters. */
export function formatter(lang: Language, codes: { readonly [code: string]: string } = {}): Formatter {
  let plurals: Intl.PluralRules | null = null; // takes 2 ms to make: only for a sentence that counts
  const pick = (phrase: Phrase, params: Params): string => {
    if (typeof phrase === 'string') return phrase;
    plurals ??= new Intl.PluralRules(lang);
    return plurals.select(Number(params['count'])) === 'one' ? phrase.one : phrase.other;
  };
  const show = (name: string, params: Params): string => {
    const value = entryOf(params, name);
    if (value === undefined) return `{${name}}`;
    if (typeof value === 'string') return printable(value);
    if (name.endsWith('Ms')) return duration(lang, value);
    if (name.endsWith('Usd')) return new Intl.NumberFormat(lang, { style: 'currency', currency: 'USD' }).format(value);
    if (name.endsWith('Tokens')) return new Intl.NumberFormat(lang).format(value);
    return String(value);
  };
  const textOfCode = (name: string, params: Params): string => {
    const code = show(name, params);
    return entryOf(codes, code) ?? code;
  };
  return (phrase, params, shown = []) => {
    const isNews = (name: string): boolean =>
      Object.hasOwn(params, name) && params[name] !== '' && !shown.includes(name);
    return pick(phrase, params)
      .replace(OPTIONAL, (_, part: string) => (placeholdersOf(part).every(isNews) ? part : ''))
      .replace(PLACEHOLDER, (_, code: string, name: string) =>
        code === '' ? show(name, params) : textOfCode(name, params),
      );
  };
}

/** In one unit: 450 ms, 12 s, 90 min, 3.5 h. */
function duration(lang: Language, ms: number): string {
  const [value, unit] =
    ms < 1_000
      ? [ms, 'millisecond']
      : ms < 120_000
        ? [ms / 1_000, 'second']
        : ms < 7_200_000
          ? [ms / 60_000, 'minute']
          : [ms / 3_600_000, 'hour'];
  return new Intl.NumberFormat(lang, { style: 'unit', unit, maximumFractionDigits: 1 }).format(value);
}
