// Words of a POSIX shell line: quoted so that the shell passes them on as they are.

/** In single quotes only where it needs them: plain words stay readable. */
export const shellWord = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellQuoted(word));

/** In single quotes, whatever it is. */
export const shellQuoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
