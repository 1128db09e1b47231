// What an agent may do, for one session: the rules of the configuration, the places of this machine, and where links lead.
// A second layer with readable answers; the box around the agent is the first. The decision itself is policy/judge.ts.
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { STANDARD_TOOLS, type ToolRules } from '../model/tools.ts';
import { judgeToolCall, type Policy } from './policy/judge.ts';
import { writeProblem, type Places } from './policy/places.ts';
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

/** The policy of a session in `lane` (absolute). `home`: the user's folder as the agent's commands see it. */
export function lanePolicy(
  lane: string,
  mode: AgentMode,
  rules: ToolRules = STANDARD_RULES,
  home: string = homedir(),
): ToolPolicy {
  const policy: Policy = {
    mode,
    settings: rules.settings,
    places: placesOf(lane, rules, home),
    backlog: rules.own.backlog,
  };
  return (call) => judgeToolCall(withText(call, policy), policy);
}

function placesOf(lane: string, { settings, own }: ToolRules, home: string): Places {
  return {
    lane: whereItLeads(lane),
    home,
    temporary: tmpdir(),
    state: own.state,
    closed: own.closed,
    kept: own.kept,
    open: own.open ?? [],
    allowed: settings.filesystem.allowedPaths,
    denied: settings.filesystem.deniedPaths.map((path) => (path.startsWith('~/') ? home + path.slice(1) : path)),
    real: (path) => whereItLeads(path),
  };
}

/** Why nothing may be written at this path, by its name alone (its links were followed); null: it may. */
export function closedPath(lane: string, path: string, rules: ToolRules = STANDARD_RULES): string | null {
  const places = { ...placesOf(lane, rules, homedir()), lane, real: (one: string) => one };
  return writeProblem(path, lane, places, { by: 'files', does: 'write' })?.rule ?? null;
}

/** A whole new text of the backlog is compared with what is there. */
function withText(call: ToolCall, { places, backlog }: Policy): ToolCall {
  if (call.change === undefined || call.change === null || call.change.before !== null) return call;
  const file = resolve(places.lane, backlog);
  if (!call.paths.some((path) => resolve(places.lane, path) === file)) return { ...call, change: null };
  try {
    return { ...call, change: { ...call.change, before: readFileSync(file, 'utf8') } };
  } catch {
    return { ...call, change: null }; // there is none: what is written is looked at when it is checked
  }
}

/** The path with its links followed as far as it exists, a link that leads nowhere yet included: writing follows it. */
function whereItLeads(path: string, links = 0): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    if (parent === path || links > 40) return path;
    const target = linkOf(path);
    const real = whereItLeads(parent, links + 1);
    return target === null ? join(real, basename(path)) : whereItLeads(resolve(real, target), links + 1);
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null; // no link, or nothing at all
  }
}
