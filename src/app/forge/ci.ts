// The checks of a local forge: its command on a clean checkout of the commit, with packages of its own, in the box, as a proof runs.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Ci, CiResult } from '../../forge/local/git.ts';
import { makeOwnFolder } from '../../host/temporary-folders.ts';
import type { InstallContext } from '../../loop/installations.ts';
import { openProofWorkspace, proofScratch } from '../../loop/proof-workspaces.ts';
import { ok, type Result } from '../../model/result.ts';
import { openSandbox } from '../open/sandbox.ts';
import type { Target } from '../open/target.ts';

const WALL_MS = 60 * 60_000;
/** Enough for the end of a failed run of tests. */
const KEEP_BYTES = 12_000;
const FLOOD_BYTES = 256 * 1024 * 1024;

/** null: none is configured. */
export const ciOf = (target: Target, signal: AbortSignal): Ci | null => {
  const { ci: command } = target.config.forge;
  return command === null ? null : { command, run: (sha) => run(target, command, sha, signal) };
};

async function run(target: Target, command: string, sha: string, signal: AbortSignal): Promise<Result<CiResult>> {
  const { root, privateDir, git, config, io, redact } = target;
  // A pool cleans up beside itself, so it has a folder of its own.
  const top = makeOwnFolder('ci');
  const pool = join(top, 'pool');
  try {
    const sandbox = await openSandbox({ root, privateDir, proofDir: pool, config }, 'box');
    if (!sandbox.ok) return sandbox;
    try {
      const context: InstallContext = {
        root,
        userRoot: root,
        lane: 0,
        proofDir: pool,
        git,
        config,
        io,
        redact,
        notify: () => undefined,
        openBoxAt: sandbox.value.boxAt,
      };
      const workspace = await openProofWorkspace(context, {
        tree: `${sha}^{tree}`,
        over: null,
        token: `${pool}#ci`,
        signal,
        isAgentAtWork: false,
        head: sha,
      });
      if (!workspace.ok) return workspace;
      const exit = await workspace.value.box.run({
        command,
        env: { CI: 'true' },
        timeoutMs: WALL_MS,
        reportDir: proofScratch(context),
        network: config.sandbox.network === 'open' ? 'host' : 'none',
        keepBytes: KEEP_BYTES,
        floodBytes: FLOOD_BYTES,
      });
      await workspace.value.close();
      const printed = [exit.stdout, exit.stderr].map((text) => text.trim()).filter((text) => text !== '');
      return ok({
        passed: exit.code === 0 && exit.ended === null,
        exit: exit.code,
        ms: exit.ms,
        output: redact(printed.join('\n').slice(-KEEP_BYTES)),
      });
    } finally {
      await sandbox.value.box.close();
    }
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
}
