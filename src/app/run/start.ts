// Starts work by a playbook's own command (src/engine/start.ts): opens the target for that playbook and passes it on.
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PlaybookManifest } from '../../engine/manifest.ts';
import type { ReadStart, StartEffects, Started, StartHost, StartUser } from '../../engine/start.ts';
import { readText } from '../../host/files.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { makeOwnRepository } from '../../repos/own-repository.ts';
import { leaveWorkTree } from '../../repos/work-trees.ts';
import { switchToOwnBranch } from '../../repos/work-branch.ts';
import { blockerOf } from '../open/run-blockers.ts';
import { readBasics } from '../config/basics.ts';
import { resetLoop } from './reset-loop.ts';
import type { Watcher } from '../open/run-context.ts';
import { withRunLock } from '../open/run-lock.ts';
import { runName } from '../open/run-name.ts';
import { openTarget, type Target } from '../open/target.ts';
import type { Where } from '../open/project-view.ts';

/** Refuses a target that later commands, without the playbook's name, would open for another playbook. */
export async function openStart(where: Where, { name }: PlaybookManifest): Promise<Result<Target>> {
  const target = await openTarget({ ...where, playbook: name });
  if (!target.ok) return target;
  const { playbook, source } = target.value.config;
  const refuse = (what: string, file: string): Result<Target> =>
    err(failure('usage', { what, hint: `playbook: ${name}   (in ${file})` }));
  if (playbook.machine !== name)
    return refuse(`${source ?? 'the configuration'} says playbook: ${playbook.machine}`, 'the configuration');
  const other = await otherList(target.value, where.configFile);
  if (!other.ok) return other;
  return other.value === null
    ? target
    : refuse(`${other.value} is here, and no configuration says playbook: ${name}`, '.harness.yaml');
}

/** The existing list of the playbook that other commands would choose; null: none. */
async function otherList(target: Target, configFile: string | null): Promise<Result<string | null>> {
  const basics = await readBasics(target.root, configFile);
  if (!basics.ok) return basics;
  const { playbook, backlog } = basics.value;
  return ok(playbook === target.playbook.name || (await target.view.stat(backlog)) === null ? null : backlog);
}

/** `begin`: the start as the playbook parsed it from the command line. */
export async function startBy(
  target: Target,
  begin: Extract<ReturnType<ReadStart>, { ok: true }>['value'],
  user: StartUser,
  watcher: Watcher,
): Promise<Result<Started>> {
  const closed = blockerOf(target, { work: true });
  return closed === null ? begin(startHost(target, user, watcher)) : err(closed);
}

export function startHost(target: Target, user: StartUser, watcher: Watcher): StartHost {
  const { root, hasGit, view, config, io, clock, git } = target;
  const absolute = (path: string): string => join(root, path);
  const file = config.paths.backlog;
  return {
    root,
    hasGit,
    view,
    config,
    readList() {
      const text = readText(absolute(file));
      return text.ok ? text : err(failure(text.failure.reason, { ...text.failure.params, file }, { at: { file } }));
    },
    rootNames: () => readdirSync(root),
    user,
    locked: (use) =>
      withRunLock(target, runName(clock, 'c'), `harness ${target.playbook.name}`, 'no-box', watcher, ({ context }) => {
        const effects: StartEffects = {
          now: () => clock.iso(),
          replace: (path, text) => io.replace(absolute(path), text),
          remove: (path) => void (existsSync(absolute(path)) && io.remove(absolute(path))),
          makeFolder: (path) => void mkdirSync(absolute(path), { recursive: true }),
          forgetLoop(why) {
            leaveWorkTree(io, target.workspaceDir);
            return resetLoop(target, why);
          },
          startOwnHistory: () => makeOwnRepository(git),
          switchToOwnBranch: (name, isUnfinished) => switchToOwnBranch(git, name, isUnfinished),
          report: (type, data) => context.notify({ type, level: 'important', data }),
        };
        return use(effects);
      }),
  };
}
