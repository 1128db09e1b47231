// Whether a tool call may happen: one pure decision for every provider, before the call where the provider asks, and
// afterwards where it does not. Reasons are codes with parameters; the sentence for the agent is made in the catalogue.
import type { Refusal, ToolRule, ToolSettings } from '../../model/tools.ts';
import { resolve } from 'node:path';
import type { AgentMode, ToolCall } from '../port.ts';
import { shellIn } from './code.ts';
import { commandProblem, type Finding } from './commands.ts';
import { holdsSecrets, readProblem, shown, writeProblem, type Places } from './places.ts';
import { programOf, type Run } from './run.ts';
import { MARK, readLine } from './shell.ts';

export type Policy = {
  readonly mode: AgentMode;
  readonly settings: ToolSettings;
  readonly places: Places;
  /** Lane-relative: a change of it may only be the claim. */
  readonly backlog: string;
};

/** Tools that only look; compared without case. Every other tool with a path counts as writing. */
const LOOKING = /^(read|search|think|fetch|grep|glob|ls|webfetch|websearch|todowrite|notebookread|read_text_file)$/i;
/** What a review may run: first words of a command that reads. */
const REVIEWING =
  /^(git (diff|log|show|status|blame|ls-files|rev-parse|grep)|ls|cat|head|tail|grep|rg|wc|find|pwd|sort|uniq|cut|tree|file|stat|diff|echo|true|cd|test)( |$)/;

export function judgeToolCall(call: ToolCall, policy: Policy): { readonly allow: true } | Refusal {
  const { mode, settings, places } = policy;
  const deny = (why: ToolRule, about = ''): Refusal => ({ allow: false, why, params: { tool: call.tool, about } });
  if (mode === 'complete') return deny('mode-has-no-tools');
  if (call.command !== null) {
    if (!settings.shell.enabled) return deny('tool-disabled', call.tool);
    const found = judgeLine(call.command, call.folder ?? places.lane, policy, 0);
    return found === null ? { allow: true } : deny(found.rule, found.about);
  }
  if (call.paths.length > 0 && !settings.filesystem.enabled) return deny('tool-disabled', call.tool);
  const isLooking = LOOKING.test(call.tool);
  if (!isLooking && mode === 'review') return deny('mode-only-reads', call.tool);
  for (const path of call.paths) {
    if (isLooking && /^grep$/i.test(call.tool) && holdsSecrets(resolve(places.lane, path), places))
      return deny('secret', path);
    const found = isLooking
      ? readProblem(path, places.lane, places)
      : writeProblem(path, places.lane, places, { by: 'files', does: call.tool === 'delete' ? 'remove' : 'write' });
    if (found !== null) return deny(ruleOf(found.rule), found.path);
  }
  const isBacklog = call.paths.some((path) => resolve(places.lane, path) === resolve(places.lane, policy.backlog));
  if (!isLooking && isBacklog && !isClaim(call.change ?? null)) return deny('backlog-beyond-claim', policy.backlog);
  return { allow: true };
}

type Found = { readonly rule: ToolRule; readonly about: string };

function judgeLine(line: string, folder: string, policy: Policy, depth: number): Found | null {
  const read = readLine(line, { folder, home: policy.places.home });
  if ('unreadable' in read) return { rule: 'command-unreadable', about: read.unreadable };
  const denied = policy.settings.shell.deniedCommands;
  for (const run of read.runs) {
    const found = mark(run) ?? commandProblem(run, policy.places);
    if (found !== null) return { rule: ruleOf(found.rule), about: found.about };
    const entry = denied.find((one) => isDenied(run, one, line));
    if (entry !== undefined) return { rule: 'command-denied', about: entry };
    if (policy.mode === 'review' && !isReading(run)) return { rule: 'mode-only-reads', about: shown(lineOf(run)) };
    if (depth > 0) continue;
    for (const text of shellIn(run)) {
      const inner = judgeLine(text, folder, policy, depth + 1);
      // prose in quotes is no shell: only what was understood and refused counts
      if (inner !== null && SURE.has(inner.rule)) return inner;
    }
  }
  return null;
}

/** What a text in quotes can be refused for although it may be no command at all. */
const SURE = new Set<ToolRule>([
  'privilege',
  'git-push',
  'git-config',
  'git-history',
  'remove-everything',
  'disk',
  'git-folder',
  'harness-file',
  'harness-file-removed',
  'harness-command',
  'fork-bomb',
]);

function mark(run: Run): Finding | null {
  const [first] = run.words[0] ?? [];
  if (first?.startsWith(MARK) !== true) return null;
  return { rule: first.slice(MARK.length), about: run.words[1]?.[0]?.slice(MARK.length) ?? '' };
}

const lineOf = (run: Run): string =>
  [programOf(run.words[0]), ...run.words.slice(1).map(([word = '']) => word)].join(' ');

function isReading(run: Run): boolean {
  if (run.writes.flat().some((text) => !/^\/dev\/(null|stderr|stdout)$/.test(text))) return false;
  if (run.words.length === 0) return true;
  const line = lineOf(run);
  return REVIEWING.test(line) && !/\s(-(exec|execdir|delete|ok|okdir|fprint\w*|fls)|--output\b|-o)\b/.test(line);
}

/**
 * A configured entry is a command: its first word is the program, its other words are among the arguments in this order.
 * `> PATH` is a redirection into a path that begins so. What is no command is looked for as it stands.
 */
function isDenied(run: Run, entry: string, line: string): boolean {
  const read = readLine(entry, { folder: '/', home: '~' });
  const [wanted, ...more] = 'unreadable' in read ? [] : read.runs;
  const redirected = /^\s*\d?>{1,2}\s*(\S+)\s*$/.exec(entry)?.[1];
  if (redirected !== undefined)
    return run.writes
      .flat()
      .some((text) => text.startsWith(redirected) && !/^\/dev\/(null|stdout|stderr|tty|fd\/\d+)$/.test(text));
  if (wanted === undefined || more.length > 0 || wanted.words.length === 0) return line.includes(entry);
  if (programOf(run.words[0]) !== programOf(wanted.words[0])) return false;
  let at = 1;
  for (const [word = ''] of wanted.words.slice(1)) {
    while (at < run.words.length && run.words[at]?.includes(word) !== true) at++;
    if (at++ >= run.words.length) return false;
  }
  return true;
}

/** The same but for values of `passes`; text that is cut out of the file, or the whole of it. */
function isClaim(change: (ToolCall['change'] & object) | null): boolean {
  if (change === null || change.before === null) return true; // what it changes is not said: the claim is checked later
  const plain = (text: string): string => {
    const claimed = text.replace(/("passes"\s*:\s*)(true|false)/g, '$1false');
    try {
      return JSON.stringify(JSON.parse(claimed));
    } catch {
      return claimed;
    }
  };
  return plain(change.before) === plain(change.after);
}

/** Rules of rooms below are plain text; one that is not in the list would have no sentence. */
const ruleOf = (rule: string): ToolRule => rule as ToolRule;
