// How the parts of a brief are put together.
import { fenced } from './quote.ts';

/** A command of the configuration, exact: the harness runs the very same. */
export function commandText(command: string): string {
  const line = command.trim();
  return line.includes('`') || line.includes('\n') ? `\n${fenced(line)}` : `\`${line}\``;
}

export const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${title}\n${lines.join('\n')}`;

export const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');
