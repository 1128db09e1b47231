// Where an agent may write and what it may not read: a path against the lane, the harness's own files, and secrets.
// Links are resolved by whoever asks: `real` says where a path leads. Pure but for that.
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { ENGINE_FOLDER } from '../../model/engine-folder.ts';
import { globPattern, HOLE } from './words.ts';

export type Places = {
  /** The lane, absolute. */
  readonly lane: string;
  /** The user's own folder, where keys are. */
  readonly home: string;
  /** The folder for what is thrown away; shells may write there. */
  readonly temporary: string;
  /** Lane-relative: the folder of the harness's state. */
  readonly state: string;
  /** Lane-relative files that only the harness and people change. */
  readonly closed: readonly string[];
  /** Lane-relative files that are changed, and never removed: the backlog and the log. */
  readonly kept: readonly string[];
  /** Lane-relative files of the state folder that this agent was asked to write; left out: none. */
  readonly open?: readonly string[];
  /** Configured; relative to the lane or absolute. What is allowed may be written; what is denied is not touched. */
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
  /** Where a path leads when its links are followed, as far as it exists. */
  readonly real: (path: string) => string;
};
/** Why a path may not be touched: a rule, and the path as it was meant. */
export type PathProblem = { readonly rule: string; readonly path: string };

const SINKS = /^\/dev\/(null|stdout|stderr|stdin|tty|zero|fd\/\d+)$/;
/** Below the user's folder; whatever is in them opens something. */
const SECRETS = [
  '.ssh',
  '.aws',
  '.gnupg',
  '.kube',
  '.azure',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.git-credentials',
  '.docker/config.json',
  '.config/gh',
  '.config/gcloud',
  '.config/git/credentials',
  '.local/share/keyrings',
  '.password-store',
  '.claude/.credentials.json',
  '.claude.json',
  '.codex/auth.json',
  '.bash_history',
  '.zsh_history',
];
const SYSTEM_SECRETS = /^\/(etc\/(g?shadow|sudoers)\b|root\/\.ssh\b|proc\/[^/]+\/(environ|mem)\b)/;

/** Whether `path` lies in `folder` or is it. */
export function isIn(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside === '' || (inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside));
}

/** `by`: a shell may write temporary files too, a tool for files only the lane. `does` remove: the file would be gone. */
export type Writing = { readonly by: 'shell' | 'files'; readonly does: 'write' | 'remove' | 'make-folder' };

export function writeProblem(text: string, folder: string, places: Places, how: Writing): PathProblem | null {
  if (text.startsWith(HOLE) || folder.startsWith(HOLE)) return { rule: 'target-unknown', path: shown(text) };
  const asked = resolve(folder, text);
  if (SINKS.test(asked)) return null;
  const problem = (rule: string): PathProblem => ({ rule, path: shown(text) });
  if (asked.startsWith('/dev/')) return problem('device');
  const secret = readProblem(text, folder, places);
  if (secret !== null) return secret;
  const plain = knownPart(asked);
  const real = places.real(plain) + asked.slice(plain.length);
  // what is guarded in the lane is so by its name and by where it leads; where the lane ends, only the latter says
  for (const path of new Set([asked, real])) {
    if (!isIn(places.lane, path)) continue;
    const inside = relative(places.lane, path);
    const rule = laneRule(inside.split(sep), places, how.does);
    if (rule !== null) return problem(rule);
    const isAllowed =
      places.kept.includes(inside) || places.allowed.some((one) => isIn(resolve(places.lane, one), path));
    if (!isAllowed) return problem('path-denied');
  }
  if (!isIn(places.lane, real) && (how.by === 'files' || !isTemporary(real, places)))
    return problem('outside-the-lane');
  return null;
}

/** Secrets of the user and of the machine, and what the configuration denies. */
export function readProblem(text: string, folder: string, places: Places): PathProblem | null {
  if (text.startsWith(HOLE) || folder.startsWith(HOLE)) return null; // reading what is not known is left to the box
  const asked = resolve(folder, text);
  const plain = knownPart(asked);
  for (const path of new Set([asked, places.real(plain) + asked.slice(plain.length)])) {
    const inHome = isIn(places.home, path) ? relative(places.home, path) : null;
    const isSecret =
      SYSTEM_SECRETS.test(path) ||
      (inHome !== null &&
        SECRETS.some((one) => (one === inHome || inHome.startsWith(`${one}/`)) && !isIn(places.lane, path)));
    if (isSecret) return { rule: 'secret', path: shown(text) };
    const isDenied = places.denied.some((one) => {
      const entry = resolve(places.lane, one);
      const holdsLane = isIn(entry, places.lane);
      return isIn(entry, path) && !(holdsLane && isIn(places.lane, path)) && !isOpen(path, places);
    });
    if (isDenied) return { rule: 'path-denied', path: shown(text) };
  }
  return null;
}

/** Whether everything below the folder includes the user's keys, so that a search in it reads them. */
export const holdsSecrets = (path: string, { home, lane }: Places): boolean => isIn(path, home) && !isIn(lane, path);

/** Whether the path is the lane or a folder around it, or all that is in one of them (`*`). */
export function isEverything(text: string, folder: string, { lane, real }: Places): boolean {
  const isAll = /(^|\/)(\*|\.\*|\.\[!\.\]\*|\.\?\*|\{\*,\.\*\})$/.test(text);
  const path = resolve(folder, isAll ? text.replace(/[^/]*$/, '.') : text);
  return [path, path.includes(HOLE) || path.includes('*') ? path : real(path)].some((one) => isIn(one, lane));
}

function laneRule(inside: readonly string[], places: Places, does: Writing['does']): string | null {
  if (inside.some((name) => fits(name, '.git'))) return 'git-folder';
  const path = inside.join('/');
  const within = (entry: string): boolean => {
    const names = entry.split('/');
    return names.length <= inside.length && names.every((name, at) => fits(inside[at] ?? '', name));
  };
  // The harness's own git, where the user has none.
  if (within(ENGINE_FOLDER)) return 'harness-file';
  const isOnTheWay = does === 'make-folder' && leadsToOpen(resolve(places.lane, path), places);
  if (within(places.state) && !isOnTheWay && !isOpen(resolve(places.lane, path), places)) return 'harness-file';
  if (places.closed.some((file) => within(file) && file.split('/').length === inside.length)) return 'harness-file';
  const removes = does === 'remove';
  const isGone = (file: string): boolean => isIn(`/${path}`, `/${file}`);
  if (removes && places.kept.some((file) => within(file) || isGone(file))) return 'harness-file-removed';
  if (removes && [ENGINE_FOLDER, places.state, ...places.closed].some(isGone)) return 'harness-file-removed';
  return null;
}

/** Screenshots are evidence that agents are asked for, and so is the one file that a session is sent for. */
const isOpen = (path: string, { lane, state, open = [] }: Places): boolean =>
  isIn(resolve(lane, state, 'screenshots'), path) || open.some((file) => resolve(lane, file) === path);

/** A folder that the one open file lies in. */
const leadsToOpen = (path: string, { lane, open = [] }: Places): boolean =>
  open.some((file) => resolve(lane, file) !== path && isIn(path, resolve(lane, file)));

/** A name of a path, a glob perhaps, against a name that is guarded. */
const fits = (name: string, guarded: string): boolean =>
  /[*?]/.test(name)
    ? (guarded.startsWith('.') ? name.startsWith('.') : true) && globPattern(name).test(guarded)
    : name.toLowerCase() === guarded.toLowerCase();

/** The part before the first name that holds a glob or something unknown. */
function knownPart(path: string): string {
  const names = path.split('/');
  const at = names.findIndex((name) => /[*?]/.test(name) || name.includes(HOLE));
  return at < 0 ? path : names.slice(0, at).join('/') || '/';
}

/** Below the temporary folder, but not where the lane and what is beside it happen to be. */
function isTemporary(path: string, { temporary, lane }: Places): boolean {
  const homes = new Set([temporary, '/tmp', '/var/tmp']);
  return [...homes].some((one) => {
    if (!isIn(one, path) || path === one) return false;
    if (!isIn(one, lane)) return true;
    const [beside = ''] = relative(one, lane).split(sep);
    return !isIn(resolve(one, beside), path);
  });
}

export const shown = (text: string): string => text.replaceAll(HOLE, '…').slice(0, 200);
