// One repository for many mistakes, one after the other: each is put in, answered for, and taken out again.
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findOrphans } from '../../../src/host/process-tree.ts';
import { PROGRAM } from '../../support/repo.ts';

export type Said = { readonly code: number | null; readonly stdout: string; readonly stderr: string };
export type Stage = {
  readonly root: string;
  /** The folder around the repository: `../NAME` for those in it. */
  readonly around: string;
  git(...args: string[]): string;
  /** A file of the repository, of `.git/`, or around it; a folder where the text is null. */
  put(path: string, text: string | Uint8Array | null): void;
  take(path: string): void;
  /** `around` stands for the folder around the repository. */
  harness(words: readonly string[]): Promise<Said>;
  /** What must be as it was: branch, refs, index, files that git sees. */
  picture(): string;
  /** Processes of the harness that still live here. */
  survivors(): readonly string[];
  /** Everything as it was when the stage was made. */
  reset(): void;
  remove(): void;
};

/** `.harness.yaml` is ignored here, so that a case can bring its own without a dirty tree. */
export function makeStage(files: { readonly [path: string]: string }): Stage {
  const around = realpathSync(mkdtempSync(join(tmpdir(), 'harness-bad-')));
  const [root, home] = [join(around, 'shop'), join(around, 'home')];
  mkdirSync(root);
  mkdirSync(home);
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.org\n');
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'C.UTF-8' };
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
  const put = (path: string, text: string | Uint8Array | null): void => {
    rmSync(join(root, path), { recursive: true, force: true });
    if (text === null) return void mkdirSync(join(root, path), { recursive: true });
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    if (path.endsWith('.sh')) chmodSync(join(root, path), 0o755);
  };
  const config = files['.harness.yaml'] ?? '';
  git('init', '-q', '-b', 'main');
  for (const [path, text] of Object.entries(files)) if (path !== '.harness.yaml') put(path, text);
  git('add', '-A');
  git('commit', '-q', '-m', 'start');
  put('.git/info/exclude', '.harness.yaml\n');
  put('.harness.yaml', config);
  const start = git('rev-parse', 'HEAD');
  const index = readFileSync(join(root, '.git/index'));
  const privateDir = join(root, '.git', 'harness');
  return {
    root,
    around,
    git,
    put,
    take: (path) => rmSync(join(root, path), { recursive: true, force: true }),
    harness: (words) =>
      call(
        words.map((word) => word.replaceAll('{around}', around)),
        root,
        env,
      ),
    picture: () =>
      [git('symbolic-ref', 'HEAD'), git('for-each-ref'), git('status', '--porcelain'), indexOf(root)].join('\n'),
    survivors: () => findOrphans(`${privateDir}#`).map(({ pid, command }) => `${pid} ${command}`),
    reset() {
      for (const path of ['.harness', '.git/harness']) rmSync(join(root, path), { recursive: true, force: true });
      for (const ref of git('for-each-ref', '--format=%(refname)').split('\n'))
        if (ref !== 'refs/heads/main') git('update-ref', '-d', ref);
      if (git('rev-parse', 'HEAD') !== start || git('status', '--porcelain') !== '') {
        git('reset', '-q', '--hard', start);
        git('clean', '-qfd');
      }
      writeFileSync(join(root, '.git/index'), index);
      put('.harness.yaml', config);
    },
    remove: () => rmSync(around, { recursive: true, force: true }),
  };
}

const indexOf = (root: string): string => String(statSync(join(root, '.git/index')).size);

function call(words: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Said> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [PROGRAM, ...words], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const out = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (out.stderr += text));
    child.on('error', fail);
    child.on('close', (code) => done({ code, ...out }));
  });
}
