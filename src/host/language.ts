// Which language a person is spoken to in: what was asked for, in the order of how plainly it was asked.

export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Reads `de`, `de-AT`, `de_DE.UTF-8`; null for a language that has no sentences. `C` and `POSIX` mean English. */
export function parseLanguage(text: string): Language | null {
  const tag = text
    .trim()
    .toLowerCase()
    .split(/[-_.@]/)[0];
  if (tag === 'c' || tag === 'posix') return 'en';
  return LANGUAGES.find((l) => l === tag) ?? null;
}

/** `fr` of `fr_FR.UTF-8`: ISO 639-1, whether it has sentences or not; `en` where nothing is said. */
export const primaryTag = (text: string): string => {
  const [tag = ''] = text
    .trim()
    .toLowerCase()
    .split(/[-_.@]/);
  return /^[a-z]{2}$/.test(tag) ? tag : 'en';
};

/**
 * `--lang` › config › HARNESS_LANG › LC_ALL › LC_MESSAGES › LANG › English. The first that is set decides; if it names
 * a language without sentences, that is English. Refusing a wrong `--lang` is the command line's business
 * (`parseLanguage`).
 */
export function chooseLanguage(from: {
  readonly flag: string | null;
  readonly config: string | null;
  readonly env: { readonly [name: string]: string | undefined };
}): Language {
  const { env } = from;
  const wishes = [from.flag, from.config, env['HARNESS_LANG'], env['LC_ALL'], env['LC_MESSAGES'], env['LANG']];
  const first = wishes.find((wish) => wish !== null && wish !== undefined && wish.trim() !== '');
  return first ? (parseLanguage(first) ?? 'en') : 'en';
}
