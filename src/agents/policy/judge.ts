// Whether a tool call may happen: one pure decision for every provider, before the call where the provider asks, and
// afterwards where it does not. Reasons are codes with parameters; the sentence for the agent is made in the catalogue.
import type { Refusal, ToolRule, ToolSettings } from '../../model/tools.ts';
import type { AgentMode, ToolCall } from '../port.ts';
import { readLine, type SimpleCommand } from './commands.ts';
import { shellLinesIn } from './files.ts';
import { PATH_RULES, pathUse, type FileUse, type Places } from './paths.ts';
import { lineOf, programOf, shown } from './programs.ts';
import { findingOf, subjectOf, type Finding } from './rules.ts';
import { resolve } from 'node:path';

export type PolicySettings = {
  readonly mode: AgentMode;
  readonly settings: ToolSettings;
  readonly places: Places;
  /** Relative to the root: a change of it may only be the claim. */
  readonly backlog: string;
  /** Whether the agent and its commands run in a box that holds: then what is only known at run time is left to the box. */
  readonly isBoxed: boolean;
};

/** Tools that only look. Every other tool with a path counts as writing. */
const READING_TOOLS =
  /^(read|search|think|fetch|grep|glob|ls|webfetch|websearch|todowrite|notebookread|read_text_file)$/i;
/** What a review may run. */
const REVIEW_COMMANDS =
  /^(git (diff|log|show|status|blame|ls-files|rev-parse|grep)|ls|cat|head|tail|grep|rg|wc|find|pwd|sort|uniq|cut|tree|file|stat|diff|echo|true|cd|test)( |$)/;
const WRITING_OPTIONS = /\s(-(exec|execdir|delete|ok|okdir|fprint\w*|fls)|--output\b|-o)\b/;
/** Rules that also hold for shell lines in the quotes of other code, which may be no commands at all. */
const RULES_FOR_QUOTED =
  /^(privilege|git-push|git-config|git-history|remove-everything|disk|git-folder|harness-file|harness-file-removed|harness-command|fork-bomb)$/;

export function judgeToolCall(call: ToolCall, policy: PolicySettings): { readonly allow: true } | Refusal {
  const found = findingIn(call, policy);
  return found === null
    ? { allow: true }
    : { allow: false, why: found.rule, params: { tool: call.tool, about: found.about } };
}

function findingIn(call: ToolCall, policy: PolicySettings): Finding | null {
  const { mode, settings, places } = policy;
  const { tool, command, paths } = call;
  if (mode === 'complete') return { rule: 'mode-has-no-tools', about: '' };
  const isEnabled = command === null ? paths.length === 0 || settings.filesystem.enabled : settings.shell.enabled;
  if (!isEnabled) return { rule: 'tool-disabled', about: tool };
  if (command !== null) return judgeLine(command, call.folder ?? places.root, policy, false);
  if (READING_TOOLS.test(tool)) return judgePaths(paths, /^grep$/i.test(tool) ? 'search' : 'read', policy);
  if (mode === 'review') return { rule: 'mode-only-reads', about: tool };
  const found = judgePaths(paths, tool === 'delete' ? 'remove' : 'write', policy);
  const isBacklog = paths.some((path) => resolve(places.root, path) === resolve(places.root, policy.backlog));
  if (found !== null || !isBacklog || isClaim(call.change ?? null)) return found;
  return { rule: 'backlog-beyond-claim', about: policy.backlog };
}

function judgePaths(paths: readonly string[], does: FileUse['does'], policy: PolicySettings): Finding | null {
  for (const path of paths) {
    const rule = pathProblem({ path, does }, policy.places, policy.isBoxed);
    if (rule !== null) return { rule, about: shown(path) };
  }
  return null;
}

/** The rule that refuses a tool for files this use of a path; null: it may happen. */
export function pathProblem(file: FileUse, places: Places, isBoxed = false): ToolRule | null {
  const use = pathUse(file, places.root, places, false);
  const rules = PATH_RULES.filter(({ isOnlyUnboxed }) => !(isBoxed && isOnlyUnboxed === true));
  return rules.find((rule) => rule.find(use, places))?.name ?? null;
}

function judgeLine(line: string, folder: string, policy: PolicySettings, isQuoted: boolean): Finding | null {
  const { places, mode, settings, isBoxed } = policy;
  const read = readLine(line, { folder, home: places.home });
  if ('unreadable' in read) return { rule: 'command-unreadable', about: read.unreadable };
  for (const command of read.commands) {
    const found = findingOf(subjectOf(command, places), places, isBoxed);
    if (found !== null) return found;
    const entry = settings.shell.deniedCommands.find((one) => isDenied(command, one, line));
    if (entry !== undefined) return { rule: 'command-denied', about: entry };
    if (mode === 'review' && !isReview(command))
      return { rule: 'mode-only-reads', about: shown(lineOf(command.words)) };
    const quoted = isQuoted ? [] : command.code.filter(({ language }) => language === 'other');
    for (const text of quoted.flatMap((code) => shellLinesIn(code.text))) {
      const inner = judgeLine(text, folder, policy, true);
      if (inner !== null && RULES_FOR_QUOTED.test(inner.rule)) return inner;
    }
  }
  return null;
}

function isReview({ words, writes }: SimpleCommand): boolean {
  if (writes.some((path) => !/^\/dev\/(null|stderr|stdout)$/.test(path))) return false;
  const line = lineOf(words);
  return words.length === 0 || (REVIEW_COMMANDS.test(line) && !WRITING_OPTIONS.test(line));
}

/**
 * A configured entry is a command: its first word is the program, its other words are among the arguments in this order.
 * `> PATH` is a redirection into a path that begins so. An entry that is neither is searched in the line as it is.
 */
function isDenied({ words, writes }: SimpleCommand, entry: string, line: string): boolean {
  const redirected = /^\s*\d?>{1,2}\s*(\S+)\s*$/.exec(entry)?.[1];
  if (redirected !== undefined)
    return writes.some(
      (path) => path.startsWith(redirected) && !/^\/dev\/(null|stdout|stderr|tty|fd\/\d+)$/.test(path),
    );
  const read = readLine(entry, { folder: '/', home: '~' });
  const [wanted, ...more] = 'unreadable' in read ? [] : read.commands;
  if (wanted === undefined || more.length > 0 || wanted.words.length === 0) return line.includes(entry);
  let at = 1;
  const isFollowed = (word: string): boolean => (at = words.indexOf(word, at) + 1) > 0;
  return programOf(words) === programOf(wanted.words) && wanted.words.slice(1).every(isFollowed);
}

/** Whether only values of `passes` differ, in a part of the file or in all of it. */
function isClaim(change: (ToolCall['change'] & object) | null): boolean {
  if (change === null || change.before === null) return true; // the call does not say: the claim is checked after the session
  const plain = (text: string): string => {
    const unclaimed = text.replace(/("passes"\s*:\s*)(true|false)/g, '$1false');
    try {
      return JSON.stringify(JSON.parse(unclaimed));
    } catch {
      return unclaimed;
    }
  };
  return plain(change.before) === plain(change.after);
}
