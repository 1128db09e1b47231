// The language of a user's text, guessed from a sentence or two; no guess rather than a bad one. Scripts used by one language
// decide alone; otherwise an n-gram detector does.

/** ISO 639-1; null: unclear. `likely`: the language used so far; it wins close calls. */
export async function languageOf(text: string, likely: string | null = null): Promise<string | null> {
  const words = proseOf(text);
  const script = SCRIPTS.find(({ signs }) => signs.test(words));
  if (script !== undefined) return script.language;
  const count = words.split(' ').filter((word) => word.length > 1).length;
  if (count < FEWEST_WORDS) return null;
  const { eld } = await import('eld/extrasmall'); // a megabyte, loaded only where it is needed
  const found = eld.detect(words);
  if (!found.isReliable()) return null;
  const scores = found.getScores();
  // Short texts of related languages look alike: the expected language wins unless another is clearly ahead.
  const ahead = (scores[found.language] ?? 0) - (scores[likely ?? ''] ?? 0);
  return likely !== null && ahead < (count < SURE_FROM ? CLEAR_OF_FEW : CLEAR) ? likely : found.language;
}

/** The language after another text of the user: it changes only if the new text is clear. */
export const languageAfter = async (current: string, text: string): Promise<string> =>
  (await languageOf(text, current)) ?? current;

const FEWEST_WORDS = 2;
/** From this number of words a small lead is enough. */
const SURE_FROM = 4;
const CLEAR_OF_FEW = 0.2;
const CLEAR = 0.05;

/** In order: Japanese has kana beside its Han characters. */
const SCRIPTS: readonly { readonly signs: RegExp; readonly language: string }[] = [
  { signs: /[\p{Script=Hiragana}\p{Script=Katakana}]/u, language: 'ja' },
  { signs: /\p{Script=Hangul}/u, language: 'ko' },
  { signs: /\p{Script=Han}/u, language: 'zh' },
];

/** Without language-independent parts: code, paths, identifiers, addresses. */
const proseOf = (text: string): string =>
  text
    .replace(/```[\s\S]*?```|`[^`]*`/g, ' ')
    .replace(/\S*(?:[/\\@_=<>{}()]|\p{Ll}\p{Lu}|\d|\w\.\w)\S*|(?<!\S)-\S+/gu, ' ')
    .replace(/(?<![\p{L}\p{M}])\p{Lu}{2,}(?![\p{L}\p{M}])/gu, ' ')
    .replace(/[^\p{L}\p{M}'’]+/gu, ' ')
    .trim();
