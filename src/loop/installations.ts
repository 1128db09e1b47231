// Installed packages for proof workspaces: installed by the harness as CI would, once for what decides them, and kept. Where no command is known,
// the packages of the work tree are copied while no agent is at work.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { z } from 'zod';
import { readEnvironment } from '../host/environment.ts';
import { sha256 } from '../host/files.ts';
import { shellLine } from '../host/process.ts';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { shellWord } from '../model/shell-quote.ts';
import type { CacheKey } from '../repos/answer-cache.ts';
import type { Git, ObjectId } from '../repos/git.ts';
import { resolveCommit } from '../repos/head.ts';
import { GITLINK } from '../repos/listing.ts';
import { readObjects } from '../repos/objects.ts';
import { filesOfTree } from '../repos/tree-walk.ts';
import { copyInstalled, installedFolders, type Installation } from '../repos/installation.ts';
import { ignoredPaths } from '../repos/ignored-paths.ts';
import { installedFiles, isInstalledFolder } from '../repos/installed.ts';
import { checkOutInto, untrackedIn, type ProofFolder } from '../repos/proof-folder.ts';
import {
  decidesInPart,
  decidesInstallation,
  installedBy,
  installSteps,
  type FileId,
  type InstallStep,
} from '../verify/install-plan.ts';
import type { RunContext } from './run-context.ts';

export type InstallContext = Pick<
  RunContext,
  'root' | 'userRoot' | 'lane' | 'proofDir' | 'git' | 'config' | 'io' | 'redact' | 'notify' | 'openBoxAt'
>;
export type InstallAsk = {
  readonly tree: ObjectId;
  readonly token: string;
  readonly signal: AbortSignal;
  /** The work tree may be written by an agent: what is installed there is not used. */
  readonly isAgentAtWork: boolean;
  /** Whether install scripts and logins of the user's are for this tree; left out: where its manifests are those of HEAD. */
  readonly isAccepted?: boolean;
};

/** How many installations are kept. */
const KEPT = 6;
const MINUTE = 60_000;

const recordSchema = z.object({
  schema: z.literal(1),
  folders: z.array(z.string()).readonly(),
  copiedFrom: z.string().nullable(),
});

/** Installations for a tree. Fails with `install-failed` (`command`, `exit`, `tail`) where the tree cannot be installed. */
export async function installationsFor(
  context: InstallContext,
  ask: InstallAsk,
): Promise<Result<readonly Installation[]>> {
  const files = await decidingFiles(context.git, ask.tree);
  if (!files.ok) return files;
  const steps = stepsFor(context, files.value);
  if (steps.length === 0) return copied(context, ask, []);
  const accepted = ask.isAccepted === undefined ? await isAccepted(context.git, files.value) : ok(ask.isAccepted);
  if (!accepted.ok) return accepted;
  const key = keyOf([steps, files.value, accepted.value, process.version, context.root]);
  const known = recordOf(context, key);
  if (known !== null) return both(context, ask, known, steps);
  if (notInstallable.has(`${context.proofDir}#${key}`)) return copied(context, ask, []);
  const made = await install(context, ask, { key, steps, isAccepted: accepted.value });
  if (made.ok) return both(context, ask, made.value, steps);
  if (!accepted.value) return made;
  // No network, say. What the user has installed for these files counts as the same, and the first baseline shows what is missing.
  const own = await copied(context, ask, []);
  if (!own.ok) return own;
  notInstallable.add(`${context.proofDir}#${key}`);
  const { command, tail } = made.failure.params;
  context.notify({ type: 'install-copied', level: 'important', data: { command: command ?? '', tail: tail ?? '' } });
  return own;
}

/** Tried in this process, by folder and key: the next process tries again. */
const notInstallable = new Set<string>();

const keyOf = (parts: unknown): string => sha256(JSON.stringify(parts)).slice(0, 20);
const folderOf = ({ proofDir }: Pick<InstallContext, 'proofDir'>, key: string): string =>
  join(proofDir, 'install', key);

function recordOf(context: InstallContext, key: string): Installation | null {
  const read = recordSchema.safeParse(jsonIn(`${folderOf(context, key)}.json`));
  return read.success ? { folder: folderOf(context, key), ...read.data } : null;
}

/** Of a cache: what is missing or half written is made again, so that nothing here has to be durable. */
function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

function writeWhole(file: string, value: object): void {
  writeFileSync(`${file}.new`, `${JSON.stringify(value)}\n`);
  renameSync(`${file}.new`, file);
}

function keep(context: InstallContext, key: string, made: Omit<Installation, 'folder'>): Installation {
  writeWhole(`${folderOf(context, key)}.json`, { schema: 1, ...made });
  prune(context, key);
  return { folder: folderOf(context, key), ...made };
}

function prune(context: InstallContext, key: string): void {
  const top = join(context.proofDir, 'install');
  const records = readdirSync(top).filter((name) => name.endsWith('.json'));
  const newest = records
    .map((name) => ({ name, at: statSync(join(top, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at)
    .map(({ name }) => name.slice(0, -'.json'.length));
  const kept = new Set([key, ...newest.slice(0, KEPT)]);
  for (const name of readdirSync(top))
    if (![...kept].some((one) => name === one || name.startsWith(`${one}.`)))
      rmSync(join(top, name), { recursive: true, force: true });
}

const FILES: CacheKey<readonly FileId[]> = { name: 'deciding-files' };

async function decidingFiles(git: Git, tree: ObjectId): Promise<Result<readonly FileId[]>> {
  const known = git.memory.get(FILES, tree);
  if (known !== undefined) return ok(known);
  const listed = await filesOfTree(git, tree);
  if (!listed.ok) return listed;
  const files = listed.value.flatMap(({ path, mode, id }): FileId[] =>
    mode !== GITLINK && decidesInstallation(path) ? [{ path, id }] : [],
  );
  const parts = await partsOf(git, files);
  if (parts.ok) git.memory.set(FILES, tree, parts.value);
  return parts;
}

/** What a blob says about the installation, by the blob's id. */
const PARTS = new Map<ObjectId, string>();

/** Of a package.json only the dependencies count: a new description installs nothing else. */
async function partsOf(git: Git, files: readonly FileId[]): Promise<Result<readonly FileId[]>> {
  const unknown = files.filter(({ path, id }) => decidesInPart(path) && !PARTS.has(id));
  const read =
    unknown.length === 0
      ? ok([])
      : await readObjects(
          git,
          unknown.map(({ id }) => id),
        );
  if (!read.ok) return read;
  for (const [n, { path, id }] of unknown.entries())
    PARTS.set(id, sha256(installedBy(path, read.value[n]?.bytes.toString('utf8') ?? '')));
  return ok(files.map(({ path, id }) => ({ path, id: decidesInPart(path) ? (PARTS.get(id) ?? id) : id })));
}

/** The user has accepted what is in HEAD: only then do install scripts of packages run, and only then may the package manager log in. */
async function isAccepted(git: Git, files: readonly FileId[]): Promise<Result<boolean>> {
  const head = await resolveCommit(git, 'HEAD');
  if (!head.ok) return head;
  if (head.value === null) return ok(true);
  const accepted = await decidingFiles(git, head.value);
  return accepted.ok ? ok(JSON.stringify(accepted.value) === JSON.stringify(files)) : accepted;
}

function stepsFor({ config }: InstallContext, files: readonly FileId[]): readonly InstallStep[] {
  const own = config.environment.install;
  if (own !== null) return [{ folder: '', command: own, scripts: null, program: '' }];
  return installSteps(files.map(({ path }) => path)).filter(({ program }) => isOnPath(program));
}

const isOnPath = (program: string): boolean =>
  readEnvironment()
    .path.split(delimiter)
    .some((folder) => existsSync(join(folder, program)));

type Wanted = { readonly key: string; readonly steps: readonly InstallStep[]; readonly isAccepted: boolean };

async function install(context: InstallContext, ask: InstallAsk, wanted: Wanted): Promise<Result<Installation>> {
  const root = folderOf(context, wanted.key);
  const folder: ProofFolder = { root, index: `${root}.index` };
  mkdirSync(join(context.proofDir, 'install'), { recursive: true, mode: 0o700 });
  for (const path of [root, folder.index]) rmSync(path, { recursive: true, force: true });
  const written = await checkOutInto(context.git, folder, { tree: ask.tree, over: null, installed: [] });
  if (!written.ok) return written;
  const box = await context.openBoxAt(root, { at: context.root, shown: [] });
  try {
    for (const { folder: at, command, scripts } of wanted.steps.filter((step) => isNeeded(root, step))) {
      const lines = [command, ...(scripts !== null && wanted.isAccepted ? [scripts] : [])];
      for (const [n, line] of lines.entries()) {
        context.notify({ type: 'installing', level: 'routine', data: { command: line } });
        const mayLogIn = n === 0 && (scripts !== null || wanted.isAccepted);
        const exit = await context.io.effect('install', () =>
          box.run({
            argv: shellLine(`${at === '' ? '' : `cd ${shellWord(at)} && `}${line}`),
            env: { ...PATIENCE, npm_config_cache: join(box.temporary, 'npm') },
            token: ask.token,
            signal: ask.signal,
            wallMs: context.config.environment.timeoutMinutes * MINUTE,
            idleMs: null,
            keepBytes: 64 * 1024,
            floodBytes: 64 * 1024 * 1024,
            network: true,
            readable: mayLogIn ? settingsOfManagers() : [],
          }),
        );
        if (exit.code === 0) continue;
        const said = `${exit.stdout}\n${exit.stderr}`.trim().split('\n').slice(-12).join('\n');
        const tail = context.redact(said).replaceAll(root, '.');
        return err(failure('install-failed', { command: line, exit: exit.code ?? exit.ended ?? '', tail }));
      }
    }
  } finally {
    await box.close();
  }
  const found = await untrackedIn(context.git, folder);
  if (!found.ok) return found;
  return ok(keep(context, wanted.key, { folders: installedFolders(root, found.value), copiedFrom: null }));
}

/** Without a network npm would try for more than a minute. */
const PATIENCE = {
  npm_config_fetch_retries: '1',
  npm_config_fetch_retry_mintimeout: '1000',
  npm_config_fetch_retry_maxtimeout: '3000',
  npm_config_update_notifier: 'false',
};

/** A lock file without packages installs nothing. */
function isNeeded(root: string, { folder, program }: InstallStep): boolean {
  const lock = join(root, folder, 'package-lock.json');
  if (program !== 'npm' || !existsSync(lock)) return true;
  try {
    const { packages } = lockSchema.parse(JSON.parse(readFileSync(lock, 'utf8')));
    return Object.keys(packages).some((path) => path !== '');
  } catch {
    return true;
  }
}
const lockSchema = z.object({ packages: z.record(z.string(), z.unknown()) });

/** Where package managers read registries and logins. */
function settingsOfManagers(): readonly string[] {
  const { home } = readEnvironment();
  const names = ['.npmrc', '.yarnrc', '.yarnrc.yml', '.config/pip', '.pip', '.config/uv', '.config/pypoetry', '.netrc'];
  return home === null ? [] : names.map((name) => join(home, name)).filter((path) => existsSync(path));
}

/** With what the steps do not cover, such as a virtual environment beside a lock file of npm. */
async function both(
  context: InstallContext,
  ask: InstallAsk,
  made: Installation,
  steps: readonly InstallStep[],
): Promise<Result<readonly Installation[]>> {
  const rest = context.config.environment.install === null ? await copied(context, ask, steps) : ok([]);
  return rest.ok ? ok([made, ...rest.value]) : rest;
}

const pointerSchema = z.object({ schema: z.literal(1), key: z.string() });

/** Copies of what is installed in the work tree, taken while no agent is at work. `steps`: what is installed by a command is left out. */
async function copied(
  context: InstallContext,
  ask: InstallAsk,
  steps: readonly InstallStep[],
): Promise<Result<readonly Installation[]>> {
  const pointer = join(context.proofDir, 'installed.json');
  const before = pointerSchema.safeParse(jsonIn(pointer));
  if (ask.isAgentAtWork && before.success) {
    const { key } = before.data;
    const known = key === '' ? null : recordOf(context, key);
    if (key === '' || known !== null) return ok(known === null ? [] : [without(known, steps)]);
  }
  // Agents in a work tree of their own do not write the user's, where the packages are.
  const { root, git } = context.git.lands === null ? context : { root: context.userRoot, git: context.git.lands.user };
  const ignored = await ignoredPaths(git);
  if (!ignored.ok) return ignored;
  const folders = installedFolders(root, ignored.value);
  const listed = installedFiles(root, ignored.value).map(({ path, facts }) => [path, facts.size, facts.ctimeMs]);
  const key = folders.length === 0 ? '' : keyOf([folders, listed, root]);
  if (key !== '' && recordOf(context, key) === null) {
    const folder = folderOf(context, key);
    rmSync(folder, { recursive: true, force: true });
    await copyInstalled(root, folders, folder);
    keep(context, key, { folders, copiedFrom: root });
  }
  if (!before.success || before.data.key !== key) writeWhole(pointer, { schema: 1, key });
  const made = key === '' ? null : recordOf(context, key);
  return ok(made === null ? [] : [without(made, steps)]);
}

/** A step installs the packages of its folder: those of Node, or a virtual environment. */
function without(made: Installation, steps: readonly InstallStep[]): Installation {
  const covered = new Set(
    steps.flatMap(({ folder, program }) =>
      (['npm', 'pnpm', 'yarn', 'bun'].includes(program) ? ['node_modules', '.yarn'] : ['.venv', 'venv']).map((name) =>
        folder === '' ? name : `${folder}/${name}`,
      ),
    ),
  );
  return { ...made, folders: made.folders.filter((path) => isInstalledFolder(path) && !covered.has(path)) };
}
