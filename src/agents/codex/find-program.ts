// Finds the program `codex`: a configured command, or the one in its npm package.
// It is an optional peer: it is searched when it is probed or started.
import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { entryOf } from '../../model/entry.ts';
import { wholeEnvironment, type Variables } from '../../host/environment.ts';
import type { AgentConfig } from '../../model/config.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { namedFolders, searchFolders, versionIn } from '../provider-packages.ts';

/** `folders`: the real folders of the package and of its program; none for a configured command. */
export type FoundProgram = {
  readonly argv: readonly string[];
  readonly version: string | null;
  readonly folders: readonly string[];
};

const PACKAGE = '@openai/codex';
/** A program that takes longer to print its version is not usable. */
const VERSION_MS = 10_000;

/** The names in the package's own launcher. The program is started without it, so that signals reach it directly. */
const TARGETS: { readonly [platform: string]: string } = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
  'win32-x64': 'x86_64-pc-windows-msvc',
  'win32-arm64': 'aarch64-pc-windows-msvc',
};

/** Starts nothing. Fails with `agent-not-installed`. */
export function findProgram(agent: AgentConfig, env: Variables = {}): Result<FoundProgram> {
  if (agent.command.length > 0) return ok({ argv: agent.command, version: null, folders: [] });
  for (const from of searchFolders(namedFolders(agent.env, env))) {
    const manifest = resolved(join(from, 'package.json'), `${PACKAGE}/package.json`);
    if (manifest === null) continue;
    const program = programOf(manifest);
    if (program === null) return err(missing('program-missing', dirname(manifest)));
    const folders = [dirname(realpathSync(manifest)), dirname(dirname(realpathSync(program)))];
    return ok({ argv: [program], version: versionIn(dirname(manifest)), folders });
  }
  return err(missing('package-missing', ''));
}

/** The version that a configured command prints, on the PATH of the agent if it has one of its own. */
export function askVersion(agent: AgentConfig): Promise<Result<string | null>> {
  const [program = '', ...args] = agent.command;
  const path = agent.env['PATH'];
  const env = { ...wholeEnvironment(), ...(path === undefined ? {} : { PATH: path }) };
  return new Promise((resolve) => {
    execFile(program, [...args, '--version'], { env, timeout: VERSION_MS }, (error, stdout) => {
      if (error === null) resolve(ok(/\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? null));
      else resolve(err(missing(error.code === 'ENOENT' ? 'not-found' : 'program-unusable', program)));
    });
  });
}

export const missing = (why: string, where: string): Failure =>
  failure('agent-not-installed', {
    provider: 'codex',
    package: PACKAGE,
    install: 'harness agents add codex',
    why,
    where,
  });

/** The program comes as one package per platform, and npm silently leaves out those of other platforms. */
function programOf(manifest: string): string | null {
  const platform = `${process.platform}-${process.arch}`;
  const target = entryOf(TARGETS, platform);
  const own = resolved(manifest, `${PACKAGE}-${platform}/package.json`);
  if (target === undefined || own === null) return null;
  const path = join(dirname(own), 'vendor', target, 'bin', process.platform === 'win32' ? 'codex.exe' : 'codex');
  return existsSync(path) ? path : null;
}

function resolved(from: string, name: string): string | null {
  try {
    return createRequire(from).resolve(name);
  } catch {
    return null; // not there
  }
}
