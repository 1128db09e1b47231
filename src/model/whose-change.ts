// Whether a file that changed during a session is the agent's work or an edit of the user who works in the same folder: by the agent's tool calls,
// which name files or run commands, and by the time of the change. Pure.
import { isAbsolute, relative } from 'node:path';
import type { AgentEvent } from './event.ts';
import { commandIn, isEditing, pathsIn } from './tool-call.ts';

/** `atMs`: of the last change, as the file system has it; null: the file is gone. */
export type FileChangedAt = { readonly path: string; readonly atMs: number | null };
/**
 * A tool call that may write. `paths`: what it names, as the agent does. `isOpen`: it may write other files too, as a command may.
 * `toMs`: infinite where it was never seen to end, or has left a process behind.
 */
export type WritingCall = {
  readonly fromMs: number;
  readonly toMs: number;
  readonly paths: readonly string[];
  readonly isOpen: boolean;
};
/** `users`: the user's. `unclear`: it may be of either, or has parts of both. All others are the agent's. */
export type WhoseChanges = { readonly users: readonly string[]; readonly unclear: readonly string[] };

/** Tools and kinds of tools that write nothing, in the names of all agents. */
const READING = /^(?:read|glob|grep|ls|search|think|fetch|web_?search|web_?fetch|imageView|sleep)$/i;
/** A command that continues after its call has ended. */
const LEAVES_PROCESS = /(?:^|[^&>])&\s*(?:$|[^&>\d])|\b(?:nohup|setsid|disown|daemon|tmux|screen)\b/;
/** Times of files are coarse, and an event is noted a little before or after what it reports. */
const MARGIN_MS = 2_000;

type TimedEvent = AgentEvent & { readonly ts?: string };

/** The calls of one session, from its events. */
export function writingCalls(events: readonly TimedEvent[]): readonly WritingCall[] {
  const timeOf = ({ ts }: TimedEvent, otherwise: number): number => {
    const at = Date.parse(ts ?? '');
    return Number.isNaN(at) ? otherwise : at;
  };
  const ends = new Map(events.flatMap((event) => (event.t === 'tool-end' ? [[event.id, event] as const] : [])));
  return events.flatMap((event): readonly WritingCall[] => {
    if (event.t === 'file-change') {
      const at = timeOf(event, 0);
      return [{ fromMs: at, toMs: at, paths: [event.path], isOpen: false }];
    }
    if (event.t !== 'tool-start') return [];
    const end = ends.get(event.id);
    const command = commandIn(event) ?? end?.call?.command ?? null;
    if (command === null && READING.test(event.name)) return [];
    const paths = [...pathsIn(event.input), ...(end?.call?.paths ?? [])];
    const isOpen = command !== null || paths.length === 0 || !isEditing(event.name);
    const goesOn = command !== null && (LEAVES_PROCESS.test(command) || isInBackground(event.input));
    const toMs = end === undefined || goesOn ? Number.POSITIVE_INFINITY : timeOf(end, Number.POSITIVE_INFINITY);
    return [{ fromMs: timeOf(event, 0), toMs, paths, isOpen }];
  });
}

function isInBackground(input: unknown): boolean {
  const fields: { readonly [name: string]: unknown } = typeof input === 'object' && input !== null ? { ...input } : {};
  return fields['run_in_background'] === true || fields['background'] === true || fields['is_background'] === true;
}

/** `root`: the work folder. An agent that reports no calls says nothing: all is its work then. */
export function whoseChanges(
  changed: readonly FileChangedAt[],
  calls: readonly WritingCall[],
  root: string,
): WhoseChanges {
  const users: string[] = [];
  const unclear: string[] = [];
  if (calls.length === 0) return { users, unclear };
  for (const { path, atMs } of changed) {
    const during = ({ fromMs, toMs }: WritingCall): boolean =>
      atMs === null || (atMs >= fromMs - MARGIN_MS && atMs <= toMs + MARGIN_MS);
    const naming = calls.filter((call) => call.paths.some((named) => covers(named, path, root)));
    const isOpen = calls.some((call) => call.isOpen && during(call));
    if (naming.length === 0) (isOpen ? unclear : users).push(path);
    else if (!isOpen && !naming.some(during)) unclear.push(path);
  }
  return { users, unclear };
}

/** A folder that is named covers what is in it. */
function covers(named: string, path: string, root: string): boolean {
  const own = (isAbsolute(named) ? relative(root, named) : named.replace(/^\.\//, '')).replace(/\/$/, '');
  return own === '' || own === '.' || own === path || path.startsWith(`${own}/`);
}
