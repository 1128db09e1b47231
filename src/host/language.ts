// The language of what the user reads: the most explicit setting wins.

export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Reads `de`, `de-AT`, `de_DE.UTF-8`; null for a language without sentences. `C` and `POSIX` mean English. */
export function parseLanguage(text: string): Language | null {
  const tag = text
    .trim()
    .toLowerCase()
    .split(/[-_.@]/)[0];
  if (tag === 'c' || tag === 'posix') return 'en';
  return LANGUAGES.find((l) => l === tag) ?? null;
}

/** The ISO 639-1 code, as `fr` of `fr_FR.UTF-8`, whether there are sentences in it or not; `en` where there is none. */
export const primaryTag = (text: string): string => {
  const [tag = ''] = text
    .trim()
    .toLowerCase()
    .split(/[-_.@]/);
  return /^[a-z]{2}$/.test(tag) ? tag : 'en';
};

/**
 * `--lang` › config › HARNESS_LANG › LC_ALL › LC_MESSAGES › LANG › English. The first that is set decides; a language without sentences
 * means English. The command line refuses an unknown `--lang` itself (`parseLanguage`).
 */
export function chooseLanguage(from: {
  readonly flag: string | null;
  readonly config: string | null;
  readonly env: { readonly [name: string]: string | undefined };
}): Language {
  const { env } = from;
  const settings = [from.flag, from.config, env['HARNESS_LANG'], env['LC_ALL'], env['LC_MESSAGES'], env['LANG']];
  const first = settings.find((one) => one !== null && one !== undefined && one.trim() !== '');
  return first ? (parseLanguage(first) ?? 'en') : 'en';
}
