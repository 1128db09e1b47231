// Sets up a target with an empty frame, without an agent (from-spec.ts has the other way). Either all of it is committed, or nothing is
// changed.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { readText } from '../../host/files.ts';
import { unusableAgent } from '../../loop/agent.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { parseJsonFile } from '../../model/own-files.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { Problem } from '../../model/verdict.ts';
import { playbookNamed } from '../../playbooks/registry.ts';
import { commitTree } from '../../repos/commit.ts';
import type { Watcher } from '../open/run-context.ts';
import { hideFromGit } from '../open/run-log.ts';
import { withRunLock } from '../open/run-lock.ts';
import type { Target } from '../open/target.ts';
import { NOT_TRIED, trySuiteOf, type TriedSuite } from './first-suite.ts';

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
  // The first run needs it, and the suite may take long.
  const why = await unusableAgent(target.config, 'default');
  if (why?.reason === 'agent-auth') return ok({ ...framed.value, failure: why });
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
