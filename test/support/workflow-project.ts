// A repository in which workflows are started in this process, with the test's Io and answers.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { projectFolder } from './quick-folder.ts';
import { startHost } from '../../src/app/run/start.ts';
import { openTarget } from '../../src/app/open/target.ts';
import type { StartUser } from '../../src/engine/start.ts';
import { readStartInput, type StartOptions } from '../../src/playbooks/workflow/start/options.ts';
import { startWorkflow, type WorkflowStart } from '../../src/playbooks/workflow/start/start.ts';
import { realIo, type Io } from '../../src/host/io.ts';
import type { Result } from '../../src/model/result.ts';

export type Said = { readonly words: readonly string[]; readonly flags?: Partial<StartOptions> };
export type WorkflowProject = {
  readonly root: string;
  git(...args: string[]): string;
  write(path: string, text: string): void;
  has(path: string): boolean;
  state(): { readonly [field: string]: unknown };
  begin(said: Said, user?: Partial<StartUser>, io?: Io): Promise<Result<WorkflowStart>>;
};

const NO_FLAGS: StartOptions = {
  mode: null,
  modelConfig: null,
  verifierModel: null,
  lintCmd: null,
  typeCheckCmd: null,
  outputDir: null,
  scope: null,
  maxFiles: null,
  maxRounds: null,
  onSession: null,
  onConflict: null,
};
/** Cannot be asked anything. */
const NOBODY: StartUser = {
  language: 'en',
  speak: () => Promise.resolve(),
  choose: () => Promise.resolve(null),
  canBeAsked: false,
  text: (key) => key,
  say: () => undefined,
  show: () => undefined,
};
const SILENT = { event: () => undefined, agent: () => undefined };

export function workflowProject(
  files: { readonly [path: string]: string } = { 'README.md': 'A shop\n' },
): WorkflowProject {
  const top = projectFolder('workflow-');
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const root = join(top, 'shop');
  mkdirSync(root);
  const env = { ...process.env, GIT_CONFIG_GLOBAL: join(top, 'gitconfig') };
  writeFileSync(
    join(top, 'gitconfig'),
    '[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n',
  );
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, env, encoding: 'utf8' }).trimEnd();
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  git('init', '-q');
  for (const [path, text] of Object.entries(files)) write(path, text);
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'start');
  return {
    root,
    git,
    write,
    has: (path) => existsSync(join(root, path)),
    state: () => JSON.parse(readFileSync(join(root, '.harness/state.json'), 'utf8')) as never,
    async begin({ words, flags = {} }, user = {}, io = realIo()) {
      const input = readStartInput(words, { ...NO_FLAGS, ...flags });
      if (!input.ok) return input;
      const where = { repo: root, configFile: null, playbook: 'workflow' } as const;
      const target = await openTarget(where, { io, personDir: join(top, 'person') });
      if (!target.ok) return target;
      return startWorkflow(startHost(target.value, { ...NOBODY, ...user }, SILENT), input.value);
    },
  };
}
