// Records test/fixtures/landed: the state that one version of the program leaves when it is killed or waits for a person. The
// program itself makes all of it, with the scripted agent, on real git repositories; kills are real.
//
//   node scripts/landed-state.ts --harness CHECKOUT [--out FOLDER] [FIXTURE …]
//
// CHECKOUT is a built checkout of the version to record. The committed fixtures stand for repositories that users have: they are
// never recorded again with a newer version. landed-scenarios.ts says how each fixture comes about; this file starts and kills
// the program and packs what it leaves.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { processesOf } from '../test/crash/kills/processes.ts';
import { type Files, GIT_CONFIG, scenarioOf, type Session } from '../test/support/landed-project.ts';
import { filesBelow, LANDED_ROOT, relocate } from '../test/support/landed-relocate.ts';
import { type Recipe, RECIPES, type Workbench } from './landed-scenarios.ts';
import { openTokens, summaryOf } from './landed-summary.ts';

const { values, positionals } = parseArgs({
  options: { harness: { type: 'string' }, out: { type: 'string', default: resolve('test/fixtures/landed') } },
  allowPositionals: true,
});
if (values.harness === undefined) throw new Error('--harness CHECKOUT: the built checkout whose state is recorded');
const checkout = realpathSync(values.harness);
const program = join(checkout, 'bin', 'harness.cjs');
const node = join(checkout, 'node_modules', '.bin', 'node');
/** Larger than any process id of a kernel. */
const NO_PID = 999_999_999;
const POLL_MS = 2;

async function record(name: string, recipe: Recipe, out: string): Promise<void> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'recorded-')));
  try {
    const bench = workbench(top);
    await recipe(bench);
    await killAll(top);
    for (const path of bench.unrecorded) rmSync(join(top, path), { recursive: true, force: true });
    pack(name, top, out);
  } finally {
    await killAll(top);
    removeDirectoryLocks(join(top, 'project'));
    rmSync(top, { recursive: true, force: true });
  }
}

/** The tasks machine also takes a lock below /tmp, which a killed run leaves there. It is named after the folder. */
function removeDirectoryLocks(root: string): void {
  const prefix = `harness-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`;
  for (const name of readdirSync('/tmp'))
    if (name.startsWith(prefix)) rmSync(join('/tmp', name), { recursive: true, force: true });
}

function workbench(top: string): Workbench & { readonly unrecorded: readonly string[] } {
  const [root, home] = [join(top, 'project'), join(top, 'home')];
  for (const folder of [root, home, join(top, 'tmp'), join(top, 'bin')]) mkdirSync(folder);
  writeFileSync(join(home, '.gitconfig'), GIT_CONFIG);
  const env = {
    PATH: `${join(top, 'bin')}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    LANG: 'C.UTF-8',
    TMPDIR: join(top, 'tmp'),
  };
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    if (path.endsWith('.sh')) chmodSync(join(root, path), 0o755);
  };
  const launch = (args: readonly string[]): Promise<Ended> => {
    const child = spawn(node, [program, ...args], {
      cwd: root,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    return new Promise((done) => child.once('close', (code) => done({ code, stdout, stderr })));
  };
  const harness: Workbench['harness'] = async (exit, ...args) => {
    const ended = await launch(args);
    if (ended.code !== exit) throw new Error(`harness ${args.join(' ')}: ${JSON.stringify(ended)}`);
  };
  return {
    top,
    root,
    unrecorded: ['bin', 'tmp', 'scenario.json', 'signals'],
    put,
    harness,
    play: (sessions: readonly Session[]) => writeFileSync(join(top, 'scenario.json'), scenarioOf(sessions)),
    repository(files: Files) {
      git('init', '-q', '--template=');
      for (const [path, text] of Object.entries(files)) put(path, text);
      git('add', '-A');
      git('commit', '-q', '-m', 'start');
    },
    async startUntil(signal, ...args) {
      let early: Ended | null = null;
      void launch(args).then((ended) => (early = ended));
      while (!signal()) {
        if (early !== null) throw new Error(`harness ${args.join(' ')} exited too early: ${JSON.stringify(early)}`);
        await pause(POLL_MS);
      }
    },
    async until(signal) {
      while (!signal()) await pause(POLL_MS);
    },
    kill: () => killAll(top),
    holdGit(pattern) {
      const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
      const shim = join(top, 'bin', 'git');
      mkdirSync(join(top, 'signals'), { recursive: true });
      const held = `: > '${join(top, 'signals', 'held')}'; exec sleep 600`;
      writeFileSync(shim, `#!/bin/sh\ncase "$*" in ${pattern}) ${held};; esac\nexec ${real} "$@"\n`);
      chmodSync(shim, 0o755);
      return () => existsSync(join(top, 'signals', 'held'));
    },
  };
}
type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Kills every process that works in this folder. All are stopped before the first is killed, so that none sees another exit. */
async function killAll(top: string): Promise<void> {
  const stopped = new Set<number>();
  const signal = (pid: number, name: NodeJS.Signals): void => {
    try {
      process.kill(pid, name);
    } catch {
      // It has exited already.
    }
  };
  for (let found = processesOf(top); found.some(({ pid }) => !stopped.has(pid)); found = processesOf(top))
    for (const { pid } of found) {
      signal(pid, 'SIGSTOP');
      stopped.add(pid);
    }
  for (const pid of stopped) signal(pid, 'SIGKILL');
  while (processesOf(top).length > 0) await pause(POLL_MS);
}

function pack(name: string, top: string, out: string): void {
  for (const path of filesBelow(top)) neutralise(path);
  const tokens = openTokens(top);
  writeFileSync(join(top, 'tokens.json'), `${JSON.stringify(tokens, null, 2)}\n`);
  relocate(top, { from: top, to: LANDED_ROOT, tokens });
  const summary = summaryOf(top);
  expectNeutral(name, top);
  mkdirSync(out, { recursive: true });
  const [tar, archive] = [join(out, `${name}.tar`), join(out, `${name}.tar.gz`)];
  const order = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rwX,go+rX'];
  execFileSync('tar', ['-c', ...order, '-f', tar, '-C', top, '.']);
  execFileSync('gzip', ['-9nf', tar]);
  writeFileSync(join(out, `${name}.txt`), summary);
  console.log(`${name}: ${statSync(archive).size} bytes`);
}

/** Replaces process ids, which must not match a live process, and the identity that git derives from the machine for a reflog. */
function neutralise(path: string): void {
  const isReflog = path.includes('/logs/') && !path.includes('/.harness/');
  if ((!path.endsWith('.json') && !isReflog) || path.includes('/objects/')) return;
  const text = readFileSync(path, 'utf8');
  const next = isReflog
    ? text.replace(/^([0-9a-f]{40} [0-9a-f]{40}) [^<\n]*<[^>\n]*>/gm, '$1 Test <test@example.com>')
    : text.replace(/("(?:pid|pgid|ppid)":\s*)\d+/g, `$1${NO_PID}`);
  if (next !== text) writeFileSync(path, next);
}

/** Throws where the state names anything of the machine that it was recorded on: folders, user, host. */
function expectNeutral(name: string, top: string): void {
  const { homedir, username } = userInfo();
  const words = [top, checkout, homedir, `${tmpdir()}/`, ...(username === 'root' ? [] : [username])];
  const host = new RegExp(`(?<![\\w/-])${hostname().replace(/[^\w]/g, '\\$&')}(?![\\w-])`);
  const wrong: string[] = [];
  const look = (where: string, text: string): void => {
    for (const word of words) if (text.includes(word)) wrong.push(`${where} names ${word}`);
    if (host.test(text)) wrong.push(`${where} names the host: ${host.exec(text)?.[0]} in ${text.slice(0, 80)}`);
  };
  for (const path of filesBelow(top))
    if (!path.includes('/objects/')) {
      const bytes = readFileSync(path);
      if (!bytes.includes(0) || bytes.includes(top)) look(relative(top, path), bytes.toString('latin1'));
      look('a name', relative(top, path));
    }
  for (const gitDir of [join(top, 'project/.git'), join(top, 'project/.harness-engine/git')])
    if (existsSync(join(gitDir, 'HEAD')))
      look(
        'git objects',
        execFileSync('git', ['--git-dir', gitDir, 'cat-file', '--batch-all-objects', '--batch'], {
          encoding: 'latin1',
          maxBuffer: 1e9,
        }),
      );
  if (wrong.length > 0) throw new Error(`${name}: ${wrong.join('\n')}`);
}

for (const [name, recipe] of Object.entries(RECIPES))
  if (positionals.length === 0 || positionals.includes(name)) await record(name, recipe, values.out);
