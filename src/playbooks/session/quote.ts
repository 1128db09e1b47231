// Text inside a prompt. Text of files and agents is quoted and cut, so that it cannot look like the prompt's own structure.
import type { Problem } from '../../model/verdict.ts';
import { cutToTokens } from '../../model/tokens.ts';

/** One line without control, invisible or markup characters, of at most `tokens`. */
export function plain(text: string, tokens: number): string {
  const line = text
    .slice(0, tokens * 16 + 200)
    .toWellFormed()
    .replace(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]+/gu, ' ')
    .replace(/[`"]/g, "'")
    .replace(/</g, '‹')
    .replace(/>/g, '›')
    .replace(/([-=*_#~])\1{3,}/g, '$1$1$1')
    .trim();
  return cutToTokens(line, tokens);
}

export const quote = (text: string, tokens: number): string => `"${plain(text, tokens)}"`;

export const code = (text: string, tokens: number): string => `\`${plain(text, tokens)}\``;

/** Problems in a brief, each a line with its sentence (`BriefContext`). */
export const problemLines = (
  problems: readonly Problem[],
  { sentence, tokens }: { readonly sentence: (problem: Problem) => string; readonly tokens: number },
): string[] => problems.map((problem) => `- ${plain(sentence(problem), tokens)}`);

/** A problem in a report: its code, its parameters, the first few names. */
export function problemLine(problem: Problem, tokens: number): string {
  const params = Object.entries(problem.params).map(([name, value]) => `${name}: ${String(value).slice(0, 1_000)}`);
  const ids = problem.ids ?? [];
  const more = ids.length > 8 ? ` and ${ids.length - 8} more` : '';
  const names = ids.length === 0 ? [] : [`${ids.slice(0, 8).join(', ').slice(0, 1_000)}${more}`];
  const details = [...params, ...names].join('; ');
  return `- ${problem.code}${details === '' ? '' : ` (${plain(details, tokens)})`}`;
}

/** A fenced block that its content cannot close. */
export function fenced(text: string): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text.trimEnd()}\n${fence}`;
}

/** A command of the configuration, exactly as the harness runs it. */
export function commandText(command: string): string {
  const line = command.trim();
  return line.includes('`') || line.includes('\n') ? `\n${fenced(line)}` : `\`${line}\``;
}

export const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${title}\n${lines.join('\n')}`;

export const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');
