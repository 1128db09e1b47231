// What an agent may do, as data: where it may write, and a few commands nobody wants run.
// A second layer with readable answers; the box around the agent is the first. Reasons are codes, never sentences.
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { AgentMode, ToolCall, ToolPolicy } from './port.ts';

export type PolicyRules = {
  /** Folder names that are never written, wherever they stand in the lane. */
  readonly closed: readonly string[];
  /** Tools that only look; compared without case. Every other tool with a path counts as writing. */
  readonly looking: readonly string[];
  /** Commands that are refused: a name for the reason, and a regular expression over one simple command. */
  readonly refused: readonly { readonly name: string; readonly pattern: string }[];
  /** What a review may run: beginnings of simple commands. Everything else is refused in that mode. */
  readonly reviewing: readonly string[];
};

export const DEFAULT_RULES: PolicyRules = {
  closed: ['.git', '.harness'],
  looking: [
    'read',
    'search',
    'think',
    'fetch',
    'grep',
    'glob',
    'ls',
    'webfetch',
    'websearch',
    'todowrite',
    'notebookread',
  ],
  refused: [
    { name: 'sudo', pattern: '^(sudo|doas|su|pkexec)\\b' },
    { name: 'git-push', pattern: '^git(\\s+(-[cC]\\s+\\S+|-\\S+))*\\s+push\\b' },
    {
      name: 'remove-everything',
      pattern:
        '^rm\\b(?=.*\\s-(\\w*[rR]|-recursive))(?=.*\\s["\']?(/|/\\*|~/?|~/\\*|\\$\\{?HOME\\}?/?|\\.\\.(/\\S*)?|/(bin|boot|etc|home|lib|opt|root|usr|var)/?\\*?)["\']?(\\s|$))',
    },
    { name: 'format-disk', pattern: '^(mkfs(\\.\\w+)?|fdisk|parted|wipefs)\\b|^dd\\b.*\\bof=/dev/' },
    { name: 'shutdown', pattern: '^(shutdown|reboot|halt|poweroff)\\b' },
  ],
  reviewing: [
    'git diff',
    'git log',
    'git show',
    'git status',
    'git blame',
    'ls',
    'cat',
    'head',
    'tail',
    'grep',
    'rg',
    'wc',
    'find',
    'pwd',
  ],
};

/** The default policy of a session in `lane` (absolute). The answer to a refused call is a kebab-case code. */
export function lanePolicy(lane: string, mode: AgentMode, rules: PolicyRules = DEFAULT_RULES): ToolPolicy {
  const refused = rules.refused.map((rule) => ({ name: rule.name, pattern: new RegExp(rule.pattern) }));
  const deny = (why: string): { allow: false; why: string } => ({ allow: false, why });
  return (call) => {
    if (mode === 'complete') return deny('mode-has-no-tools');
    if (call.command !== null) {
      const parts = simpleCommands(call.command);
      for (const part of parts) {
        const rule = refused.find((r) => r.pattern.test(part));
        if (rule !== undefined) return deny(`command-refused-${rule.name}`);
      }
      if (mode === 'review' && !isReading(call.command, parts, rules)) return deny('mode-only-reads');
      return { allow: true };
    }
    if (isLooking(call, rules)) return { allow: true };
    if (mode === 'review') return deny('mode-only-reads');
    for (const path of call.paths) {
      const why = closedPath(lane, path, rules);
      if (why !== null) return deny(why);
    }
    return { allow: true };
  };
}

/** Why nothing may be written at this path, by its name alone (no links are followed); null: it may. */
export function closedPath(lane: string, path: string, rules: PolicyRules = DEFAULT_RULES): string | null {
  const inside = relative(lane, resolve(lane, path));
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return 'outside-the-lane';
  const closed = new Set(rules.closed);
  return inside.split(sep).some((name) => closed.has(name.toLowerCase())) ? 'closed-path' : null;
}

const isLooking = (call: ToolCall, rules: PolicyRules): boolean => rules.looking.includes(call.tool.toLowerCase());

/** A redirection or a substitution can write whatever the command's name says. */
function isReading(command: string, parts: readonly string[], rules: PolicyRules): boolean {
  if (/[>`]|\$\(|<\(|\s-(exec|execdir|delete|ok|fprint\w*)\b|--output\b/.test(command)) return false;
  return parts.every((part) => rules.reviewing.some((start) => part === start || part.startsWith(`${start} `)));
}

/** The simple commands of a shell line, without assignments and wrappers in front. Rough on purpose: no shell is parsed. */
export function simpleCommands(line: string): readonly string[] {
  return line
    .split(/&&|\|\||[;&|\n()`{}]/)
    .map((part) =>
      part
        .trim()
        .replace(/^((\w+=\S*|env|exec|command|nohup|time|nice|setsid|then|do|else|!)\s+)+/, '')
        .replace(/^\/\S*\/(?=\w)/, ''),
    )
    .filter((part) => part !== '');
}
