// The tool policy of one session: the configured rules, the folders of this machine, and where links lead. It is a second
// layer that answers in words; the box around the agent is the first. policy/judge.ts decides.
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { STANDARD_TOOLS, type ToolRule, type ToolRules } from '../model/tools.ts';
import { judgeToolCall, pathProblem, type PolicySettings } from './policy/judge.ts';
import type { Places } from './policy/paths.ts';
import type { AgentMode, ToolCall, ToolPolicy } from './port.ts';

/** The defaults, for a repository with the standard names. */
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

export type PolicyOptions = {
  readonly rules?: ToolRules | undefined;
  /** The user's home folder as the agent's commands see it. */
  readonly home?: string | undefined;
  /** Whether the agent and its commands run in a box that holds; left out: they do not. */
  readonly isBoxed?: boolean;
};

/** The policy of a session that works in `root` (absolute). */
export function toolPolicy(root: string, mode: AgentMode, options: PolicyOptions = {}): ToolPolicy {
  const { rules = STANDARD_RULES, home = homedir(), isBoxed = false } = options;
  const { settings, own } = rules;
  const policy: PolicySettings = { mode, settings, places: placesOf(root, rules, home), backlog: own.backlog, isBoxed };
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
    unseen: own.unseen,
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

/** A call that replaces the whole backlog gets the present text as `before`, so that the two can be compared. */
function withText(call: ToolCall, { places, backlog }: PolicySettings): ToolCall {
  if (call.change === undefined || call.change === null || call.change.before !== null) return call;
  const file = resolve(places.root, backlog);
  if (!call.paths.some((path) => resolve(places.root, path) === file)) return { ...call, change: null };
  try {
    return { ...call, change: { ...call.change, before: readFileSync(file, 'utf8') } };
  } catch {
    return { ...call, change: null }; // no backlog yet: the claim is checked after the session
  }
}

/** The path with its links resolved as far as it exists. A link to a missing target is resolved too: writing follows it. */
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
    return null; // not a link, or missing
  }
}
