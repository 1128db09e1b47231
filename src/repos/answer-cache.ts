// What this process has already found out by asking git, each answer under everything it depends on. An answer is given
// again only while every one of these is the same: what an agent wrote meanwhile makes it another question.

/** Names one kind of question; `T` is the type of its answers. */
export type CacheKey<T> = { readonly name: string; readonly answers?: T };

export type AnswerCache = {
  /** The answer that was kept for these very circumstances; undefined: ask. */
  get<T>(question: CacheKey<T>, circumstances: string): T | undefined;
  set<T>(question: CacheKey<T>, circumstances: string, answer: T): void;
};

/** Of each question so many answers are kept, the newest. */
const KEPT = 4;

export function createAnswerCache(): AnswerCache {
  const answers = new Map<string, Map<string, unknown>>();
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every answer under a key has the type of the key
    get: <T>({ name }: CacheKey<T>, circumstances: string) => answers.get(name)?.get(circumstances) as T | undefined,
    set({ name }, circumstances, answer) {
      const known = answers.get(name) ?? new Map<string, unknown>();
      known.delete(circumstances);
      known.set(circumstances, answer);
      for (const oldest of known.keys()) if (known.size > KEPT) known.delete(oldest);
      answers.set(name, known);
    },
  };
}
