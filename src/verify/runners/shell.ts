// Edits of shell lines as a person wrote them: adding a flag to the right command, setting a variable.
import { shellWord } from '../../model/shell-quote.ts';

/** The command with `{report}` replaced; null: it has none. */
export function withReport(command: string, path: string): string | null {
  return command.includes('{report}') ? command.replaceAll('{report}', () => shellWord(path)) : null;
}

/**
 * Passes options to a program through its environment variable. In a command that sets the variable itself
 * (`NODE_OPTIONS=--x node --test`) they go before its own value; otherwise they go into `env`.
 */
export function withVariable(
  command: string,
  name: string,
  value: string,
): { readonly command: string; readonly env: { readonly [name: string]: string } } {
  const own = new RegExp(String.raw`(^|[\s;&|(])${name}=`, 'g');
  if (!own.test(command)) return { command, env: { [name]: value } };
  own.lastIndex = 0;
  return { command: command.replace(own, (hit) => `${hit}${shellWord(`${value} `)}`), env: {} };
}

/** The same for every command of a line: the variable is exported, unless the line sets it itself. */
export function withExported(command: string, name: string, value: string): string {
  const { command: line, env } = withVariable(command, name, value);
  return Object.hasOwn(env, name) ? `export ${name}=${shellWord(value)}; ${line}` : line;
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

/** Adds flags to one command of a line. */
export const insertAt = (line: string, end: number, flags: string): string =>
  `${line.slice(0, end)} ${flags}${line.slice(end)}`;

/** The last line that `withEnd` prints: output without it was cut. */
export const END_OF_OUTPUT = '=== harness: end of output ===';

/**
 * Marks the end of output that holds a report without an end of its own. The exit code stays that of the command.
 * `merged`: standard error is printed in its place among the rest.
 */
export const withEnd = (command: string, merged: 'merged' | 'apart'): string =>
  `(\n${command}\n)${merged === 'merged' ? ' 2>&1' : ''}\nended=$?; printf '\\n%s\\n' '${END_OF_OUTPUT}'; exit $ended`;
