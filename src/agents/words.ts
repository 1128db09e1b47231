// A list of words as one shell line that means the same: what a program is started with, for whoever reads shell.

/** Each word in POSIX single quotes where it needs them. */
export const shellQuoted = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
