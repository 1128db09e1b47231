// Flags for a JavaScript runner that has no environment variable for them: written behind the command that runs it, or
// behind the script of package.json whose last command does.
import type { RunnerName } from '../../model/config.ts';
import { callsScript, scriptOf, type Scripts } from './scripts.ts';
import { insertAt, segments } from './shell.ts';

const runs = (runner: RunnerName): RegExp =>
  new RegExp(
    String.raw`^(?:\w+=\S*\s+)*(?:(?:npx|bunx|pnpm|yarn|bun|npm|exec|run|dlx|x|node|env|cross-env|time|-\S+|\w+=\S*)\s+)*["']?(?:\S*\/)?_?${runner}(?:\.[cm]?js)?["']?(?:\s|$)`,
  );

/**
 * `flags` hears what is written already, in the command and in its script; null from it: what is written excludes ours.
 * null: nothing could be added where it would reach the runner.
 */
export function withFlags(
  command: string,
  runner: RunnerName,
  scripts: Scripts,
  flags: (written: string) => string | null,
): string | null {
  const parts = segments(command);
  if (parts === null) return null;
  const pattern = runs(runner);
  const direct = parts.filter((p) => pattern.test(p.text));
  const candidates = direct.length > 0 ? direct : parts.filter((p) => callsScript(p.text));
  const [only] = candidates;
  if (only === undefined || candidates.length > 1) return null;
  const script = direct.length > 0 ? '' : scriptOf(only.text, scripts);
  // Flags behind a script go to its last command, and would be lost on their way through a second npm.
  const last = segments(script)?.at(-1)?.text ?? '';
  if (script !== '' && !pattern.test(last)) return null;
  const ours = flags(`${only.text} ${script}`);
  if (ours === null) return null;
  const isNpm = /^(?:\w+=\S*\s+)*npm\s/.test(only.text);
  return insertAt(command, only.end, isNpm && !/\s--\s/.test(only.text) ? `-- ${ours}` : ours);
}
