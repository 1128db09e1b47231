// Sets up a target: session 0 from a spec, or an empty frame without an agent. Either all of it is committed, or nothing is
// changed.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync } from 'node:fs';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { createMessageQueue } from '../../engine/message-queue.ts';
import { readText } from '../../host/files.ts';
import { performersOf } from '../../loop/performers/all.ts';
import { followsBase } from '../../loop/performers/forge.ts';
import type { RunContext } from '../../loop/run-context.ts';
import { Bug } from '../../model/bug.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { parseJsonFile } from '../../model/own-files.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { Problem } from '../../model/verdict.ts';
import { playbookNamed } from '../../playbooks/registry.ts';
import { commitTree } from '../../repos/commit.ts';
import { openForge } from '../forge/open.ts';
import { type Watcher, checkRoles } from '../open/run-context.ts';
import { hideFromGit } from '../open/run-log.ts';
import { withRunLock } from '../open/run-lock.ts';
import { initJournal, isInitUnfinished } from '../open/run-blockers.ts';
import { hasNoItems, type Target } from '../open/target.ts';
import { blockerBesideItems } from '../open/unfinished-sessions.ts';
import { NOT_TRIED, trySuite, trySuiteOf, type TriedSuite } from './first-suite.ts';

export type InitReport = {
  readonly commit: string | null;
  readonly made: readonly string[];
  readonly problems: readonly Problem[];
  /** Where a commit was made: what the first run would stop at. */
  readonly failure: Failure | null;
  readonly reason: string;
} & TriedSuite;
/** `withSuite`: the suite is run as well (first-suite.ts). */
export type InitHow = { readonly stop: AbortSignal; readonly withSuite: boolean };
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
  const { start, roles: needed, adds = false } = fromSpec;
  const spec = givenSpec(target, resolve(cwd, specFile), fromSpec.beside);
  const isResumed = isInitUnfinished(target);
  if (!spec.ok && !isResumed) return spec;
  if (!adds && (await hasList(target)) && !isResumed)
    return err(failure('already-initialised', { file: target.config.paths.backlog }));
  const refused = adds && !isResumed ? blockerBesideItems(target) : null;
  if (refused !== null) return err(refused);
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
      const followed = onForge && !isResumed ? await followBase(context, run, stop) : ok(null);
      if (!followed.ok) return followed;
      const file = adds ? join(target.workspaceDir, 'plan.json') : join(target.stateDir, target.machine.ledger);
      const end = await start(given).drive({
        io: target.io,
        clock: target.clock,
        performers: performersOf(context, createMessageQueue()),
        journal: journalOf(target),
        file,
        base: `${target.workspaceDir}#${run}`,
        messages: createMessageQueue(),
        signal: stop,
        limit: 1,
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
async function followBase(context: RunContext, run: string, signal: AbortSignal): Promise<Result<null>> {
  const ask = { kind: 'follow-base', key: 'follow', item: null } as const;
  const done = await followsBase(context).perform(ask, {
    token: `${context.workspaceDir}#${run}/follow`,
    epoch: 0,
    signal,
  });
  if ('parked' in done) throw new Bug('following the base branch was parked');
  return 'blocked' in done ? err(done.blocked) : ok(null);
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

/** The files of `init --by-hand`, stored until they are committed: an interrupted call is continued with the same files. */
const frameSchema = z.object({
  token: z.string(),
  files: z.record(z.string(), z.string()),
  scripts: z.array(z.string()).readonly(),
});
type Frame = z.output<typeof frameSchema>;
const frameFile = (target: Target): string => join(target.workspaceDir, 'init-by-hand.json');

function frameBegun(target: Target): Result<Frame | null> {
  const text = readText(frameFile(target));
  if (!text.ok) return text;
  return text.value === null ? ok(null) : parseJsonFile(text.value, frameFile(target), frameSchema);
}

/** Creates an empty frame without an agent, then tries the suite; existing files are kept. Resumes an interrupted call. */
export async function initByHand(
  target: Target,
  { stop, withSuite }: InitHow,
  watcher: Watcher,
): Promise<Result<InitReport>> {
  const framed = await makeFrame(target, watcher);
  if (!framed.ok || !withSuite) return framed;
  const tried = await trySuiteOf(target, watcher, stop);
  return ok({ ...framed.value, ...(tried.ok ? tried.value : { suite: 'fails', failure: tried.failure }) });
}

async function makeFrame(target: Target, watcher: Watcher): Promise<Result<InitReport>> {
  const { config, root } = target;
  const begun = frameBegun(target);
  if (!begun.ok) return begun;
  const isSetUp = begun.value === null && (await target.view.stat(config.paths.backlog)) !== null;
  const { token, files, scripts } = begun.value ?? (isSetUp ? await lostOf(target) : await newFrame(target));
  // All files exist, and the list is created later.
  if (begun.value === null && Object.keys(files).length === 0)
    return err(
      failure('already-initialised', {
        file: isSetUp ? config.paths.backlog : (config.source ?? config.paths.backlog),
      }),
    );
  return withRunLock(target, token, 'harness init', 'no-box', watcher, async ({ context }) => {
    if (begun.value === null) target.io.replace(frameFile(target), `${JSON.stringify({ token, files, scripts })}\n`);
    for (const [path, text] of Object.entries(files))
      if (!existsSync(join(root, path))) target.io.replace(join(root, path), text);
    for (const path of scripts) if (Object.hasOwn(files, path)) chmodSync(join(root, path), 0o755);
    hideFromGit(context);
    const ask = {
      style: 'plain',
      item: null,
      session: 0,
      run: token,
      token,
      subject: 'chore(harness): set up',
      body: '',
      only: Object.keys(files).filter((path) => !context.git.own.includes(path)),
      expectTree: null,
    } as const;
    const made = await commitTree(context.git, { ...ask, files: {} });
    if (!made.ok) return made;
    target.io.remove(frameFile(target));
    return ok({
      commit: made.value.commit,
      made: Object.keys(files),
      problems: [],
      failure: null,
      reason: 'initialised',
      ...NOT_TRIED,
    });
  });
}

async function newFrame(target: Target): Promise<Frame> {
  const { config, root, clock } = target;
  const playbook = await playbookNamed(config.playbook.machine).load();
  const name = config.project.name || basename(root);
  const { files: own, scripts, settings } = playbook.frame({ config, name, root, at: clock.iso() });
  const wanted = { ...(config.source === null ? { '.harness.yaml': configText(target, name, settings) } : {}), ...own };
  const files = Object.fromEntries(Object.entries(wanted).filter(([path]) => !existsSync(join(root, path))));
  return { token: `r-init-${randomBytes(3).toString('hex')}`, files, scripts };
}

/** Of a project that is set up: what a session needs of its frame and is gone. */
async function lostOf(target: Target): Promise<Frame> {
  const { paths, environment } = target.config;
  const frame = await newFrame(target);
  const commands = [environment.init, environment.reset];
  const isNeeded = (path: string): boolean =>
    path === paths.progress ||
    (frame.scripts.includes(path) && commands.some((one) => one === path || one === `./${path}`));
  return { ...frame, files: Object.fromEntries(Object.entries(frame.files).filter(([path]) => isNeeded(path))) };
}

/** A minimal configuration with the settings inferred from the repository. */
function configText(target: Pick<Target, 'config' | 'inferred'>, name: string, settings: readonly string[]): string {
  const { testing, playbook } = target.config;
  const lines = [
    '# All keys: docs/configuration.md of harness',
    `playbook: ${playbook.machine}`,
    `project: { name: ${JSON.stringify(name)} }`,
  ];
  lines.push('agents:', '  default: { provider: claude }', ...settings);
  if (testing.feature !== null) {
    lines.push('testing:', `  runner: ${testing.runner}`, `  feature: ${JSON.stringify(testing.feature)}`);
    if (testing.full !== null) lines.push(`  full: ${JSON.stringify(testing.full)}`);
  }
  return `${lines.join('\n')}\n`;
}
