// Answers of git that this process has already asked for, each with everything it depends on. An answer is used again only while
// all of that is the same.

/** One kind of answer; `T` is its type. `kept`: how many of it, the newest; default 4. */
export type CacheKey<T> = { readonly name: string; readonly answers?: T; readonly kept?: number };

export type AnswerCache = {
  /** The answer under exactly these circumstances; undefined: ask git. */
  get<T>(question: CacheKey<T>, circumstances: string): T | undefined;
  set<T>(question: CacheKey<T>, circumstances: string, answer: T): void;
};

const KEPT = 4;

export function createAnswerCache(): AnswerCache {
  const answers = new Map<string, Map<string, unknown>>();
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every answer under a key has the type of the key
    get: <T>({ name }: CacheKey<T>, circumstances: string) => answers.get(name)?.get(circumstances) as T | undefined,
    set({ name, kept = KEPT }, circumstances, answer) {
      const known = answers.get(name) ?? new Map<string, unknown>();
      known.delete(circumstances);
      known.set(circumstances, answer);
      for (const oldest of known.keys()) if (known.size > kept) known.delete(oldest);
      answers.set(name, known);
    },
  };
}
