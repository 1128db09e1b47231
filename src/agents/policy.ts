// What an agent may do, for one session: the rules of the configuration, the places of this machine, and where links lead.
// A second layer with readable answers; the box around the agent is the first. The decision itself is policy/judge.ts.
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { STANDARD_TOOLS, type ToolRule, type ToolRules } from '../model/tools.ts';
import { judgeToolCall, pathProblem, type Policy } from './policy/judge.ts';
import type { Places } from './policy/paths.ts';
import type { AgentMode, ToolCall, ToolPolicy } from './port.ts';

/** Where nothing says otherwise, as in a repository with standard names. */
export const STANDARD_RULES: ToolRules = {
  settings: STANDARD_TOOLS,
  own: {
    state: '.harness',
    backlog: 'features.json',
    closed: ['.harness.yaml', 'harness.config.json'],
    kept: ['features.json', 'claude-progress.txt'],
  },
  secrets: {},
};

/** `home`: the user's folder as the agent's commands see it. `isBoxed`: the agent runs in a box that holds. */
export type PolicyOptions = { readonly rules?: ToolRules; readonly home?: string; readonly isBoxed?: boolean };

/** The policy of a session that works in `root` (absolute). */
export function toolPolicy(root: string, mode: AgentMode, options: PolicyOptions = {}): ToolPolicy {
  const { rules = STANDARD_RULES, home = homedir(), isBoxed = false } = options;
  const { settings, own } = rules;
  const policy: Policy = { mode, settings, places: placesOf(root, rules, home), backlog: own.backlog, isBoxed };
  return (call) => judgeToolCall(withText(call, policy), policy);
}

function placesOf(root: string, { settings, own }: ToolRules, home: string): Places {
  return {
    root: resolveLinks(root),
    home,
    temporary: tmpdir(),
    state: own.state,
    closed: own.closed,
    kept: own.kept,
    open: own.open ?? [],
    allowed: settings.filesystem.allowedPaths,
    denied: settings.filesystem.deniedPaths.map((path) => (path.startsWith('~/') ? home + path.slice(1) : path)),
    real: (path) => resolveLinks(path),
  };
}

/** The rule that forbids to write at a path whose links are resolved; null: it may be written. */
export function closedPath(root: string, path: string, rules: ToolRules = STANDARD_RULES): ToolRule | null {
  const places = { ...placesOf(root, rules, homedir()), root, real: (one: string) => one };
  return pathProblem({ path, does: 'write' }, places);
}

/** A whole new text of the backlog is compared with what is there. */
function withText(call: ToolCall, { places, backlog }: Policy): ToolCall {
  if (call.change === undefined || call.change === null || call.change.before !== null) return call;
  const file = resolve(places.root, backlog);
  if (!call.paths.some((path) => resolve(places.root, path) === file)) return { ...call, change: null };
  try {
    return { ...call, change: { ...call.change, before: readFileSync(file, 'utf8') } };
  } catch {
    return { ...call, change: null }; // there is none: what is written is looked at when it is checked
  }
}

/** The path with its links followed as far as it exists, a link that leads nowhere yet included: writing follows it. */
function resolveLinks(path: string, links = 0): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    if (parent === path || links > 40) return path;
    const target = linkTarget(path);
    const real = resolveLinks(parent, links + 1);
    return target === null ? join(real, basename(path)) : resolveLinks(resolve(real, target), links + 1);
  }
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null; // no link, or nothing at all
  }
}
