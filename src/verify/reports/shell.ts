// Shell lines as a person wrote them, changed in one place at a time: a quoted word, a flag behind the right command.

/** One word for a POSIX shell; plain words stay readable. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The command with `{report}` replaced; null if the person wrote none. */
export function withReport(command: string, path: string): string | null {
  return command.includes('{report}') ? command.replaceAll('{report}', () => quoteWord(path)) : null;
}

/**
 * Hands options to a program through its environment variable. A command that sets the variable itself
 * (`NODE_OPTIONS=--x node --test`) gets ours put in front of its own value; else it goes into `env`.
 */
export function withVariable(
  command: string,
  name: string,
  value: string,
): { readonly command: string; readonly env: { readonly [name: string]: string } } {
  const own = new RegExp(String.raw`(^|[\s;&|(])${name}=`, 'g');
  if (!own.test(command)) return { command, env: { [name]: value } };
  own.lastIndex = 0;
  return { command: command.replace(own, (hit) => `${hit}${quoteWord(`${value} `)}`), env: {} };
}

export type Segment = { readonly text: string; readonly end: number };

/**
 * The single commands of a line, cut at `;`, `&&`, `||`, `|`, `&`, newline and parentheses outside quotes.
 * `end` is where a flag for that command can be written. null: the line uses more shell than is understood here.
 */
export function segments(line: string): readonly Segment[] | null {
  if (/`|\$\(|<<|<\(|>\(|(?:^|\s)#/.test(line)) return null;
  const found: Segment[] = [];
  let start = 0;
  let quote = '';
  const cut = (at: number): void => {
    const text = line.slice(start, at);
    if (text.trim() !== '') found.push({ text: text.trim(), end: start + text.trimEnd().length });
    start = at + 1;
  };
  for (let i = 0; i < line.length; i++) {
    const c = line[i] ?? '';
    if (quote !== '') {
      if (c === '\\' && quote === '"') i++;
      else if (c === quote) quote = '';
    } else if (c === '\\') i++;
    else if (c === '"' || c === "'") quote = c;
    else if (c === '&' && (/[<>]/.test(line[i - 1] ?? '') || line[i + 1] === '>')) continue; // a redirection, 2>&1 or &>
    else if (/[;&|\n()]/.test(c)) cut(i);
  }
  if (quote !== '') return null;
  cut(line.length);
  return found;
}

/** Writes flags behind one command of a line. */
export const insertAt = (line: string, end: number, flags: string): string =>
  `${line.slice(0, end)} ${flags}${line.slice(end)}`;

/** Printed behind everything else by `withEnd`: output without it was cut. */
export const END_OF_OUTPUT = '=== harness: end of output ===';

/**
 * Reports that are read from what a command prints have no end of their own: the line says that all of it was printed.
 * The exit code stays that of the command. `merged`: errors are printed in their place among the rest.
 */
export const withEnd = (command: string, merged: 'merged' | 'apart'): string =>
  `(\n${command}\n)${merged === 'merged' ? ' 2>&1' : ''}\nended=$?; printf '\\n%s\\n' '${END_OF_OUTPUT}'; exit $ended`;
