// A list of words as a shell line with the same meaning: an argv for code that reads shell.

/** Each word in POSIX single quotes where it needs them. */
export const shellQuoted = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
