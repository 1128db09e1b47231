// Which language a person writes in: a guess from a sentence or two, and none rather than a bad one.
// Owns no list of words: scripts that only one language has decide alone, the rest is asked of a detector by its n-grams.

/** ISO 639-1, or null: the text does not say. `likely`: what the person is spoken to in anyway; near misses go to it. */
export async function languageOf(text: string, likely: string | null = null): Promise<string | null> {
  const words = proseOf(text);
  const script = SCRIPTS.find(({ signs }) => signs.test(words));
  if (script !== undefined) return script.language;
  const count = words.split(' ').filter((word) => word.length > 1).length;
  if (count < FEWEST_WORDS) return null;
  const { eld } = await import('eld/extrasmall'); // a megabyte, for the one command that asks
  const found = eld.detect(words);
  if (!found.isReliable()) return null;
  const scores = found.getScores();
  // Short texts of related languages look alike: the one that was expected stays unless another is clearly ahead.
  const ahead = (scores[found.language] ?? 0) - (scores[likely ?? ''] ?? 0);
  return likely !== null && ahead < (count < SURE_FROM ? CLEAR_OF_FEW : CLEAR) ? likely : found.language;
}

/** The language after a person has written again: it changes only where the new text says so. */
export const languageAfter = async (current: string, text: string): Promise<string> =>
  (await languageOf(text, current)) ?? current;

const FEWEST_WORDS = 2;
/** From so many words on a small lead is enough. */
const SURE_FROM = 4;
const CLEAR_OF_FEW = 0.2;
const CLEAR = 0.05;

/** Looked through from the top: Japanese has kana beside its Han signs. */
const SCRIPTS: readonly { readonly signs: RegExp; readonly language: string }[] = [
  { signs: /[\p{Script=Hiragana}\p{Script=Katakana}]/u, language: 'ja' },
  { signs: /\p{Script=Hangul}/u, language: 'ko' },
  { signs: /\p{Script=Han}/u, language: 'zh' },
];

/** Without what is the same in every language: code, paths, names of things, addresses. */
const proseOf = (text: string): string =>
  text
    .replace(/```[\s\S]*?```|`[^`]*`/g, ' ')
    .replace(/\S*(?:[/\\@_=<>{}()]|\p{Ll}\p{Lu}|\d|\w\.\w)\S*|(?<!\S)-\S+/gu, ' ')
    .replace(/(?<![\p{L}\p{M}])\p{Lu}{2,}(?![\p{L}\p{M}])/gu, ' ')
    .replace(/[^\p{L}\p{M}'’]+/gu, ' ')
    .trim();
