// What a session that must not see everything is kept from: rules for its tools, and masks for its box. Of git it sees history and
// branches, and no ref of the harness; objects stay, without a name that leads to them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { statsOf } from '../host/paths.ts';
import type { Variables } from '../host/environment.ts';
import type { Mask } from '../host/sandbox/level.ts';
import type { AgentConfig } from '../model/config.ts';
import { ENGINE_FOLDER } from '../model/engine-folder.ts';
import type { OwnFiles, Unseen } from '../model/tools.ts';
import { transcriptsOf } from './agent.ts';
import type { RunRepository } from './run-context.ts';

type Place = Pick<RunRepository, 'root' | 'userRoot' | 'stateDir' | 'privateDir' | 'git'>;
/** `env`: the agent's whole environment. */
export type ViewAsk = { readonly unseen: Unseen; readonly agent: AgentConfig; readonly env: Variables };

const foldersOf = ({ git }: Pick<Place, 'git'>, { folders }: Unseen): readonly string[] => [
  ...folders,
  ...(git.isPrivate ? [ENGINE_FOLDER] : []),
];

/** For the tool policy. A box has nothing of the user's work tree beside its own, and none of the records of sessions. */
export function unseenRules(place: Place, { unseen, agent, env }: ViewAsk): NonNullable<OwnFiles['unseen']> {
  const { root, userRoot, stateDir, privateDir } = place;
  const beside = root === userRoot || unseen.but.length > 0 ? [] : unseen.folders.map((path) => join(userRoot, path));
  return {
    folders: foldersOf(place, unseen),
    but: unseen.but,
    outside: [...transcriptsOf(agent, env), privateDir, join(stateDir, 'sessions'), ...beside],
  };
}

/** For the box: each path that is masked, and what is seen in its place. `folder`: of the session; the agent does not see it. */
export function masksOf(place: Pick<Place, 'root' | 'git'>, ask: ViewAsk, folder: string): readonly Mask[] {
  const view = join(folder, 'view');
  const [nothing, empty, packed] = [join(view, 'folder'), join(view, 'file'), join(view, 'packed-refs')];
  mkdirSync(nothing, { recursive: true });
  writeFileSync(empty, '');
  const hidden = (path: string): Mask => ({ path, by: kindOf(path) === 'folder' ? nothing : empty });
  const sees = ask.unseen.but.map((path) => join(place.root, path));
  const { commonDir } = place.git;
  const refs = [join(commonDir, 'refs/harness'), join(commonDir, 'logs/refs/harness')].filter(isThere);
  const packedRefs = join(commonDir, 'packed-refs');
  if (isThere(packedRefs)) writeFileSync(packed, withoutOurs(readFileSync(packedRefs, 'utf8')));
  return [
    ...foldersOf(place, ask.unseen)
      .flatMap((path) => below(join(place.root, path), sees))
      .map(hidden),
    ...refs.map(hidden),
    ...(isThere(packedRefs) ? [{ path: packedRefs, by: packed }] : []),
    // Its own transcripts are written there, and found again when its process is started again.
    ...transcriptsOf(ask.agent, ask.env).flatMap((path, n) => ownFolder(path, join(view, `transcripts-${n}`))),
  ];
}

function ownFolder(path: string, own: string): readonly Mask[] {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  mkdirSync(own, { recursive: true });
  return [{ path, by: own, isWritable: true }];
}

/** The highest paths with nothing in them that is seen. Links are left: they lead to what is masked itself. */
function below(path: string, sees: readonly string[]): readonly string[] {
  const kind = kindOf(path);
  if (kind === null || sees.includes(path)) return [];
  if (kind === 'file' || !sees.some((one) => one.startsWith(`${path}/`))) return [path];
  return readdirSync(path).flatMap((name) => below(join(path, name), sees));
}

function kindOf(path: string): 'file' | 'folder' | null {
  const stat = statsOf(path);
  if (stat === null || stat.isSymbolicLink()) return null;
  return stat.isDirectory() ? 'folder' : 'file';
}
const isThere = (path: string): boolean => kindOf(path) !== null;

/** A line that begins with `^` belongs to the tag before it. */
function withoutOurs(text: string): string {
  let isOurs = false;
  return text
    .split('\n')
    .filter((line) => {
      if (!line.startsWith('^')) isOurs = / refs\/harness\//.test(line);
      return !isOurs;
    })
    .join('\n');
}
