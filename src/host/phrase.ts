// How a sentence with holes becomes a sentence: parameters, plurals, units. Knows no reason and no language's words.
//
//   {name}      the parameter; where it is absent its name stays, so that a gap is seen and nothing crashes
//   {#name}     the same, but where the parameter is a code with words (sentences/<language>/words.ts), those words
//   [[ … ]]     left out where a parameter inside is absent or empty, or was said already
//   one/other   chosen by `count`, by the plural rules of the language
//   …Ms, …Usd   numbers under such names are shown as a duration and as money
//
// Values come from agents and from the target repository: control characters and direction overrides are shown as �, so
// that no title can move the cursor of a terminal. A value is never looked at for holes again.
import { entryOf } from '../model/entry.ts';
import type { Params } from '../model/failure.ts';
import type { Language } from './language.ts';

export type Phrase = string | { readonly one: string; readonly other: string };
/** `told`: parameters that stand beside the sentence already. */
export type Speaker = (phrase: Phrase, params: Params, told?: readonly string[]) => string;

const OPTIONAL = /\[\[([\s\S]*?)\]\]/g;
const HOLE = /\{(#?)([a-zA-Z]+)\}/g;
// oxlint-disable-next-line no-control-regex
const UNSHOWABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Text from elsewhere as it may be shown: no control characters but tabs and line breaks. */
export const showable = (text: string): string => text.replaceAll('\r\n', '\n').replace(UNSHOWABLE, '�');

/** Names of the parameters a phrase can use, each once, sorted. */
export function holesOf(phrase: Phrase): readonly string[] {
  const text = typeof phrase === 'string' ? phrase : `${phrase.one} ${phrase.other}`;
  return [...new Set([...text.matchAll(HOLE)].map((m) => m[2] ?? ''))].sort();
}

export function speakerOf(lang: Language, words: { readonly [code: string]: string } = {}): Speaker {
  let plurals: Intl.PluralRules | null = null; // 2 ms to make: only for a sentence that counts
  const pick = (phrase: Phrase, params: Params): string => {
    if (typeof phrase === 'string') return phrase;
    plurals ??= new Intl.PluralRules(lang);
    return plurals.select(Number(params['count'])) === 'one' ? phrase.one : phrase.other;
  };
  const show = (name: string, params: Params): string => {
    const value = entryOf(params, name);
    if (value === undefined) return `{${name}}`;
    if (typeof value === 'string') return showable(value);
    if (name.endsWith('Ms')) return duration(lang, value);
    if (name.endsWith('Usd')) return new Intl.NumberFormat(lang, { style: 'currency', currency: 'USD' }).format(value);
    return String(value);
  };
  const word = (name: string, params: Params): string => {
    const shown = show(name, params);
    return entryOf(words, shown) ?? shown;
  };
  return (phrase, params, told = []) => {
    const isNews = (name: string): boolean =>
      Object.hasOwn(params, name) && params[name] !== '' && !told.includes(name);
    return pick(phrase, params)
      .replace(OPTIONAL, (_, part: string) => (holesOf(part).every(isNews) ? part : ''))
      .replace(HOLE, (_, code: string, name: string) => (code === '' ? show(name, params) : word(name, params)));
  };
}

/** One unit is enough for a person: 450 ms, 12 s, 90 min, 3.5 h. */
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
