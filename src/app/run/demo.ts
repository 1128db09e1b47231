// The demo: a new repository with a spec and scripted agents; everything else is the normal program.
import { cpSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { checkEnvironment } from '../../host/environment.ts';
import { packageRoot } from '../../host/package-root.ts';
import { runCommand } from '../../host/process.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { initFromSpec } from '../setup/from-spec.ts';
import type { InitReport } from '../setup/init.ts';
import type { Watcher } from '../open/run-context.ts';
import { runLoop, type RunControl, type RunReport } from './run.ts';
import { openTarget, type Target } from '../open/target.ts';

export type Demo = { readonly target: Target; readonly set: InitReport; readonly report: RunReport };

/** Creates the repository: a folder with the spec, the configuration and the agents' script, committed. */
export async function makeDemo(dir: string | null, cwd: string): Promise<Result<string>> {
  const root = dir === null ? mkdtempSync(join(tmpdir(), 'harness-demo-')) : resolve(cwd, dir);
  if (dir !== null && existsSync(root))
    return err(failure('usage', { what: `${root} already exists`, hint: 'harness demo --dir NEW-FOLDER' }));
  mkdirSync(root, { recursive: true });
  cpSync(join(packageRoot(), 'examples', 'demo'), root, { recursive: true });
  const identity = ['-c', 'user.name=harness demo', '-c', 'user.email=demo@localhost'];
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['config', 'user.name', 'harness demo'],
    ['config', 'user.email', 'demo@localhost'],
    ['add', '-A'],
    [...identity, 'commit', '-q', '-m', 'The spec of a bookshelf'],
  ]) {
    const env = { ...checkEnvironment({}), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    const done = await runCommand({
      argv: ['git', ...args],
      cwd: root,
      env,
      token: `${root}#demo`,
      wallMs: 60_000,
      idleMs: null,
      keepBytes: 10_000,
      floodBytes: null,
    });
    if (done.code !== 0)
      return err(
        failure(done.ended === 'missing' ? 'git-missing' : 'git-failed', {
          command: args.join(' '),
          exit: done.code ?? -1,
          words: done.stderr.trim(),
        }),
      );
  }
  return ok(root);
}

export async function playDemo(root: string, control: RunControl, watcher: Watcher): Promise<Result<Demo>> {
  const before = await openTarget({ repo: root, configFile: null });
  if (!before.ok) return before;
  const how = { stop: control.stop.signal, withSuite: false };
  const set = await initFromSpec(before.value, join(root, 'spec.md'), root, how, watcher);
  if (!set.ok) return set;
  const target = await openTarget({ repo: root, configFile: null });
  if (!target.ok) return target;
  const mode = { work: true, only: null, untilDone: true, maxSessions: 20, maxItems: null, acceptUnsandboxed: true };
  const report = await runLoop(target.value, mode, 'harness demo', control, watcher);
  return report.ok ? ok({ target: target.value, set: set.value, report: report.value }) : report;
}
