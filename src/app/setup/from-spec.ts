// Session 0: an agent makes the list, or a part of it, from a specification. Either all of it is committed, or nothing is changed.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { readText } from '../../host/files.ts';
import { followBase } from '../../loop/performers/forge.ts';
import type { RunContext } from '../../loop/run-context.ts';
import { unusableAgent } from '../../loop/agent.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { playbookNamed } from '../../playbooks/registry.ts';
import { openForge } from '../forge/open.ts';
import { checkRoles, type Watcher } from '../open/run-context.ts';
import { withRunLock } from '../open/run-lock.ts';
import { initJournal, isInitUnfinished } from '../open/run-blockers.ts';
import { hasNoItems, type Target } from '../open/target.ts';
import { blockerBesideItems } from '../open/unfinished-sessions.ts';
import { driveAlone } from './drive-alone.ts';
import { NOT_TRIED, trySuite } from './first-suite.ts';
import type { InitHow, InitReport } from './init.ts';

/** `isFirst`: nothing is made where there are items already. `command`: as the user typed it, left out: `harness init`. */
export type PlanHow = InitHow & { readonly isFirst?: boolean; readonly command?: string };

const journalOf = (target: Target): string => initJournal(target.workspaceDir);

/** Reads the spec, tries the suite and drives session 0. An interrupted one is resumed with the spec it started with. */
export async function initFromSpec(
  target: Target,
  specFile: string,
  cwd: string,
  { stop, withSuite, isFirst = false, command = 'harness init' }: PlanHow,
  watcher: Watcher,
): Promise<Result<InitReport>> {
  const { fromSpec } = await playbookNamed(target.config.playbook.machine).load();
  if ('refused' in fromSpec) return err(failure('usage', fromSpec.refused));
  const { start, roles: needed, adds = false, rejected } = fromSpec;
  const spec = givenSpec(target, resolve(cwd, specFile), fromSpec.beside);
  const isResumed = isInitUnfinished(target);
  if (!spec.ok && !isResumed) return spec;
  if (!adds && (await hasList(target)) && !isResumed)
    return err(failure('already-initialised', { file: target.config.paths.backlog }));
  const refused = adds && !isResumed ? blockerBesideItems(target) : null;
  if (refused !== null) return err(refused);
  // A run needs one afterwards: it says so before an agent is paid.
  if (adds && isFirst && target.config.forge.kind === 'none') return err(failure('forge-not-configured'));
  const unusable = isResumed ? null : await firstUnusable(target, needed);
  if (unusable !== null) return err(unusable);
  const run = `r-init-${randomBytes(3).toString('hex')}`;
  const onForge = adds && target.config.forge.kind !== 'none';
  const given = { path: null, text: '', beside: null, ...(spec.ok ? spec.value : {}), isFirst };
  return withRunLock(
    target,
    run,
    command,
    'box',
    watcher,
    async ({ context: opened }) => {
      const context: RunContext = onForge ? { ...opened, openForge: (signal) => openForge(target, signal) } : opened;
      const roles = await checkRoles(context, needed);
      if (!roles.ok) return roles;
      const isTried = withSuite && !isResumed;
      const tried = isTried ? await trySuite(context, `${target.workspaceDir}#${run}`, stop) : ok(NOT_TRIED);
      if (!tried.ok) return tried;
      if (stop.aborted) return ok({ ...NOTHING, ...tried.value, reason: 'stopped' });
      const followed = onForge && !isResumed ? await followRemote(context, stop) : ok(null);
      if (!followed.ok) return followed;
      if (rejected !== undefined && !isResumed && existsSync(join(target.root, rejected)))
        context.notify({ type: 'planned-again', level: 'important', data: { file: rejected } });
      const file = adds ? join(target.workspaceDir, 'plan.json') : join(target.stateDir, target.machine.ledger);
      const end = await driveAlone(target, context, start(given), {
        run,
        journal: journalOf(target),
        file,
        signal: stop,
      });
      if (end.end === 'blocked') return err(end.failure);
      if (end.end !== 'outcome') return ok({ ...NOTHING, ...tried.value, reason: 'stopped' });
      const { outcome } = end;
      target.io.remove(journalOf(target));
      if (adds || outcome.result !== 'landed') target.io.remove(file);
      const made = outcome.commit === null ? [] : await pathsOf(target, outcome.commit);
      return ok({
        commit: outcome.commit,
        made,
        problems: outcome.problems,
        failure: outcome.failure,
        reason: outcome.reason,
        ...tried.value,
      });
    },
    onForge ? 'agents' : 'user',
  );
}

type Given = { readonly path: string | null; readonly text: string; readonly beside: string | null };

/** Fails with `spec-missing`. `beside`: the path of the file that belongs to a specification. */
function givenSpec(target: Target, file: string, beside: ((path: string) => string) | undefined): Result<Given> {
  const spec = readText(file);
  const why = !spec.ok
    ? (spec.failure.params['code'] ?? '')
    : spec.value === null
      ? 'ENOENT'
      : spec.value.trim() === ''
        ? 'empty'
        : null;
  const inside = relative(target.root, file);
  const isInside = !inside.startsWith('..') && !isAbsolute(inside);
  const shown = isInside ? inside : file;
  if (!spec.ok || why !== null)
    return err(failure('spec-missing', { file: shown, why: why ?? '' }, { at: { file: shown } }));
  const other = beside === undefined ? null : readText(beside(file));
  const text = other?.ok === true ? other.value : null;
  return ok({
    path: isInside ? inside : null,
    text: spec.value ?? '',
    beside: text === null || text.trim() === '' ? null : text,
  });
}

/** The branch here becomes what the base branch of the remote is, before an agent is paid. */
async function followRemote(context: RunContext, signal: AbortSignal): Promise<Result<null>> {
  const open = await context.openForge(signal);
  if (!open.ok) return open;
  const followed = await followBase(context, open.value, null);
  return followed.ok ? ok(null) : followed;
}

/** A plan replaces a list of its own without items, such as that of `harness init`. */
export async function hasList(target: Target): Promise<boolean> {
  const { playbook, config, view, backlog } = target;
  const { backlog: path } = config.paths;
  if (playbook.list.derive !== undefined) {
    const text = await view.read(path);
    const read = text === null ? null : backlog.read(text, path, { allowCycles: true });
    return read !== null && (!read.ok || read.value.items.length > 0);
  }
  const isPlanned = playbook.specFile !== undefined && config.playbook.backlog === config.playbook.machine;
  return (await view.stat(path)) !== null && !(isPlanned && hasNoItems(target));
}

const NOTHING = { commit: null, made: [], problems: [], failure: null } as const;

async function pathsOf(target: Target, commit: string): Promise<readonly string[]> {
  const listed = await target.git.run(['diff-tree', '--no-commit-id', '--name-only', '-r', '--root', '-z', commit]);
  return listed.ok ? listed.value.split('\0').filter((p) => p !== '') : [];
}

/** Before anything that costs time. */
async function firstUnusable({ config }: Target, roles: readonly string[]): Promise<Failure | null> {
  for (const role of roles) {
    const why = await unusableAgent(config, role);
    if (why !== null) return why;
  }
  return null;
}
