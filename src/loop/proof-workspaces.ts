// Proof workspaces of a run: clean folders in which checks and proofs run on the candidate, provisioned like CI. No agent sees them. They are
// kept between sessions below the user's state folder; each is used by one proof at a time.
import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { statsOf } from '../host/paths.ts';
import { z } from 'zod';
import { sweepBoxes, type Box } from '../host/box.ts';
import { lacksRoom } from '../host/disk-room.ts';
import { codeOf } from '../host/error-code.ts';
import { shellLine } from '../host/process.ts';
import type { CheckSandbox } from '../verify/run-once.ts';
import { checkSandbox } from './check-sandbox.ts';
import { failure, type Failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import type { ObjectId } from '../repos/git.ts';
import { linkInstallation } from '../repos/installation.ts';
import { checkOutInto, proofFolder, writeInFolder, type Over, type ProofFolder } from '../repos/proof-folder.ts';
import { isSafeFolder, makeSafeFolder } from '../repos/safe-dirs.ts';
import { installationsFor, type InstallAsk, type InstallContext } from './installations.ts';

export type ProofWorkspace = {
  readonly root: string;
  readonly box: CheckSandbox;
  /** null removes the file. */
  write(path: string, text: string | null): void;
  close(): Promise<void>;
};
/** `over`: paths as another tree has them. `head`: the commit that the work is on; left out or null: HEAD of the repository. */
export type ProofAsk = InstallAsk & { readonly over: Over | null; readonly head?: ObjectId | null };

/** Where commands in proof workspaces write their reports. */
export const proofScratch = ({ proofDir }: Pick<InstallContext, 'proofDir'>): string => join(proofDir, 'scratch');

const readOnly = Object.assign(new Error('read-only'), { code: 'EROFS' });
/** Folders that cannot be made there are said not to exist. */
function isReadOnly(path: string): boolean {
  let folder = path;
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return codeOf(error) === 'EROFS';
  }
}

/** Before anything runs: the folder for workspaces and reports can be written. null: it can. */
export function lacksProofRoom(context: Pick<InstallContext, 'proofDir'>): Failure | null {
  const scratch = proofScratch(context);
  try {
    mkdirSync(scratch, { recursive: true, mode: 0o700 });
    accessSync(scratch, constants.W_OK);
  } catch (error) {
    return unwritable(context.proofDir, isReadOnly(scratch) ? readOnly : error);
  }
  const full = lacksRoom([scratch]);
  return full === null ? null : failure('proof-folder-unwritable', { path: context.proofDir, code: 'ENOSPC' });
}

/** Numbers of the workspaces in use by this process, by pool. */
const inUse = new Map<string, Set<number>>();

/** Fails with `install-failed`, `proof-folder-unwritable`, or as git does. */
export async function openProofWorkspace(context: InstallContext, ask: ProofAsk): Promise<Result<ProofWorkspace>> {
  const pool = context.proofDir;
  const taken = inUse.get(pool) ?? new Set<number>();
  inUse.set(pool, taken);
  let n = 1;
  while (taken.has(n)) n += 1;
  taken.add(n);
  const release = (): void => void taken.delete(n);
  try {
    if (taken.size === 1) preparePool(context);
    const folder = proofFolder(pool, n);
    const provisioned = await provision(context, folder, ask);
    if (!provisioned.ok) {
      release();
      return provisioned;
    }
    return ok(await opened(context, folder, ask, release));
  } catch (error) {
    release();
    const why = unwritable(pool, error);
    if (why === null) throw error;
    return err(why);
  }
}

async function opened(
  context: InstallContext,
  { root }: ProofFolder,
  { token, signal }: ProofAsk,
  release: () => void,
): Promise<ProofWorkspace> {
  const shown = [join(context.proofDir, 'install'), join(context.git.commonDir, 'objects')];
  const box = await context.openBoxAt(root, { at: context.root, shown: shown.filter((path) => existsSync(path)) });
  const { build } = context.config.testing;
  // The build belongs to the files: it is made before the first command on them.
  let isBuilt = build === null;
  const run: Box['run'] = async (command) => {
    if (!isBuilt && build !== null) {
      const { wallMs, idleMs, keepBytes, floodBytes } = command;
      const exit = await box.run({ argv: shellLine(build), token, signal, wallMs, idleMs, keepBytes, floodBytes });
      if (exit.code !== 0) return exit;
      isBuilt = true;
    }
    return box.run(command);
  };
  const env = environmentIn(root, box.seenAt === context.root);
  return {
    root,
    box: checkSandbox(context, { ...box, run }, { token, signal, env }),
    write(path, text) {
      isBuilt = build === null;
      writeInFolder(root, path, text);
    },
    async close() {
      release();
      await box.close();
    },
  };
}

/**
 * Compiled Python is matched by size and second, and files of a workspace change within one. A project that is installed in place leads Python
 * to the work tree unless the workspace is found at its path: then the workspace comes first.
 */
function environmentIn(root: string, isAtPlace: boolean): { readonly [name: string]: string } {
  const env = { PYTHONDONTWRITEBYTECODE: '1' };
  const isPython = ['pyproject.toml', 'setup.py', 'setup.cfg'].some((name) => existsSync(join(root, name)));
  if (isAtPlace || !isPython) return env;
  return { ...env, PYTHONPATH: [join(root, 'src'), root].filter((path) => existsSync(path)).join(':') };
}

/** The files of the tree, the installed packages, the shared files. */
async function provision(context: InstallContext, folder: ProofFolder, ask: ProofAsk): Promise<Result<null>> {
  const installations = await installationsFor(context, ask);
  if (!installations.ok) return installations;
  const installed = installations.value.flatMap(({ folders }) => folders);
  const written = await checkOutInto(context.git, folder, { ...ask, installed });
  if (!written.ok) return written;
  for (const one of installations.value) linkInstallation(one, folder.root);
  shareFiles(context, folder.root, ask);
  return ok(null);
}

/**
 * Ignored files that the configuration shares (`lanes_share`): kept as they are while no agent is at work, and copied into the workspace unless
 * the tree has them.
 */
function shareFiles({ userRoot, proofDir, config }: InstallContext, into: string, { isAgentAtWork }: ProofAsk): void {
  const kept = join(proofDir, 'shared');
  for (const path of config.lanesShare) {
    const [from, copy, to] = [join(userRoot, path), join(kept, path), join(into, path)];
    if (!isAgentAtWork) {
      rmSync(copy, { recursive: true, force: true });
      if (existsSync(from)) copyAll(from, copy);
    }
    if (!existsSync(copy) || statsOf(to) !== null) continue;
    const folder = dirname(path);
    if (folder !== '.' && !isSafeFolder(into, folder)) makeSafeFolder(into, folder);
    copyAll(copy, to);
  }
}

function copyAll(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
}

/** For a process that knows that no other one uses the workspaces: boxes and reports that a killed one left. */
export function sweepProofWorkspaces({ proofDir }: Pick<InstallContext, 'proofDir'>): void {
  if (!existsSync(proofDir)) return;
  const opened = readdirSync(proofDir).filter((name) => /^(?:proof|browser)-\d+$/.test(name));
  const installed = join(proofDir, 'install');
  const installs = existsSync(installed) ? readdirSync(installed) : [];
  sweepBoxes([...opened.map((name) => join(proofDir, name)), ...installs.map((name) => join(installed, name))]);
  rmSync(proofScratch({ proofDir }), { recursive: true, force: true });
}

const ownerSchema = z.object({ root: z.string() });

/** Makes the pool, and removes those of repositories that are gone. */
function preparePool({ proofDir, root }: InstallContext): void {
  mkdirSync(proofScratch({ proofDir }), { recursive: true, mode: 0o700 });
  const owner = join(proofDir, 'owner.json');
  if (existsSync(owner)) return;
  writeFileSync(owner, `${JSON.stringify({ root })}\n`);
  const top = dirname(proofDir);
  for (const name of readdirSync(top)) {
    const file = join(top, name, basename(owner));
    if (!existsSync(file)) continue;
    const read = ownerSchema.safeParse(parsed(readFileSync(file, 'utf8')));
    if (read.success && !existsSync(read.data.root)) rmSync(join(top, name), { recursive: true, force: true });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // half written by a process that is doing the same
  }
}

const UNWRITABLE = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT', 'ENOTDIR', 'EEXIST']);

function unwritable(path: string, error: unknown): Failure | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return UNWRITABLE.has(code) ? failure('proof-folder-unwritable', { path, code }) : null;
}
