// The real runners over the small projects of test/fixtures/runners: how each is started here, and what its report says.
// Used live by reports.test.ts and, to write recordings, by scripts/record-reports.ts.
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { checkEnvironment } from '../../src/host/environment.ts';
import { runCommand, shellLine, type Exit } from '../../src/host/process.ts';
import { runnerNamed } from '../../src/verify/runners/all.ts';
import type { ReportReader, TestRunner } from '../../src/verify/runners/runner.ts';
import { makeNeeded } from '../../src/verify/run-once.ts';

/** A runner that reports, with the reader of its reports. */
export type LoadedRunner = TestRunner & Required<Pick<TestRunner, 'reporting'>> & Pick<ReportReader, 'parse'>;

async function loaded(name: string): Promise<LoadedRunner> {
  const { reporting, ...runner } = runnerNamed(name);
  if (reporting === undefined) throw new Error(`${name} gives no report`);
  const { parse } = await reporting.load();
  return { ...runner, reporting, parse };
}

const [node, vitest, pytest] = await Promise.all([loaded('node'), loaded('vitest'), loaded('pytest')]);
const [jest, mocha, junit] = await Promise.all([loaded('jest'), loaded('mocha'), loaded('junit')]);
const [tap, go, cargo] = await Promise.all([loaded('tap'), loaded('go'), loaded('cargo')]);

export const PROJECTS = ['mixed', 'green', 'empty', 'skipped'] as const;
/** `broken`: of runners of which nothing runs where one file cannot be loaded or compiled. */
export type Project = (typeof PROJECTS)[number] | 'broken';

export type LiveRunner = {
  /** Also the folder of its recordings. */
  readonly name: string;
  readonly runner: LoadedRunner;
  /** The folder of its projects. */
  readonly projects: string;
  readonly command: string;
  /** Exits 0 where the runner is there. */
  readonly probe: string;
  /** npm packages to install next to the project for a recording; such a runner never runs in the tests. */
  readonly install?: string;
  /** Started with the programs of this machine's user, not with those of this repository. */
  readonly ofUser?: true;
  /** It has the project `broken` too. */
  readonly ofBroken?: true;
  /** The extension of the recordings, where it is not the runner's own. */
  readonly extension?: string;
};

export const projectsOf = (runner: LiveRunner): readonly Project[] =>
  runner.ofBroken === true ? [...PROJECTS, 'broken'] : PROJECTS;

/** Projects run under the Node their user has: whichever of these it is, it is tried. */
const ofMajor = (major: number): LiveRunner => ({
  name: `node-${major}`,
  runner: node,
  projects: 'node',
  command: 'node --test',
  probe: `node --version | grep '^v${major}[.]'`,
  ofUser: true,
});

export const LIVE_RUNNERS: readonly LiveRunner[] = [
  { name: 'node', runner: node, projects: 'node', command: 'node --test', probe: 'node --version' },
  ofMajor(18),
  ofMajor(20),
  ofMajor(22),
  {
    name: 'junit-of-node',
    runner: node,
    projects: 'node',
    command: 'node --test --test-reporter=junit --test-reporter-destination={report}',
    probe: 'node --version',
    extension: 'xml',
  },
  { name: 'vitest', runner: vitest, projects: 'vitest', command: 'vitest run', probe: 'vitest --version' },
  {
    name: 'pytest',
    runner: pytest,
    projects: 'pytest',
    command: 'pytest -p no:cacheprovider',
    probe: 'pytest --version',
  },
  {
    name: 'junit-of-vitest',
    runner: junit,
    projects: 'vitest',
    command: 'vitest run --reporter=junit --outputFile={report}',
    probe: 'vitest --version',
  },
  { name: 'tap-by-hand', runner: tap, projects: 'tap', command: 'sh produce.sh', probe: 'true' },
  {
    name: 'tap-of-node',
    runner: tap,
    projects: 'node',
    command: 'node --test --test-reporter=tap',
    probe: 'node --version',
  },
  {
    name: 'tap-of-tape',
    runner: tap,
    projects: 'tape',
    command: 'node *.cjs',
    probe: 'npm --version',
    install: 'tape@5',
  },
  { name: 'jest', runner: jest, projects: 'jest', command: 'jest', probe: 'npm --version', install: 'jest@30' },
  {
    name: 'mocha',
    runner: mocha,
    projects: 'mocha',
    command: "mocha --extension cjs 'test/**/*.cjs'",
    probe: 'npm --version',
    install: 'mocha@12',
    ofBroken: true,
  },
  {
    name: 'mocha-on-stdout',
    runner: mocha,
    projects: 'mocha',
    command: "echo before; mocha --extension cjs --reporter json 'test/**/*.cjs' > {report}; echo after >> {report}",
    probe: 'npm --version',
    install: 'mocha@12',
    ofBroken: true,
  },
  { name: 'go', runner: go, projects: 'go', command: 'go test ./...', probe: 'go version', ofUser: true },
  {
    name: 'cargo',
    runner: cargo,
    projects: 'cargo',
    command: 'cargo test --offline',
    probe: 'cargo --version',
    ofUser: true,
    ofBroken: true,
  },
];

const repository = resolve(import.meta.dirname, '../..');
const bin = join(repository, 'node_modules/.bin');

/** This repository's own tools before the machine's; nothing else of the environment. */
const env = {
  PATH: [dirname(process.execPath), bin, process.env['PATH'] ?? ''].join(delimiter),
  HOME: homedir(),
  LANG: 'C.UTF-8',
  PYTHONDONTWRITEBYTECODE: '1',
  CI: '1',
};

const pathOf = (runner: LiveRunner): { readonly [name: string]: string } =>
  runner.ofUser === true ? { PATH: checkEnvironment()['PATH'] ?? '' } : {};

const sh = (line: string, cwd: string, more: { readonly [name: string]: string } = {}): Promise<Exit> =>
  runCommand({
    argv: shellLine(line),
    cwd,
    env: { ...env, ...more },
    token: `fixture-${process.pid}`,
    wallMs: 120_000,
    idleMs: null,
    keepBytes: 8 * 1024 * 1024,
    floodBytes: null,
  });

export const isThere = async (runner: LiveRunner): Promise<boolean> =>
  (await sh(runner.probe, tmpdir(), pathOf(runner))).code === 0;

export type Produced = { readonly text: string | null; readonly root: string; readonly exit: Exit };

/**
 * Runs the runner over a copy of the project, as a check would. `text` is null where it left no report. `prepare` may write
 * into the copy, and says what is run there.
 */
export async function produce(
  runner: LiveRunner,
  project: Project,
  prepare: (root: string) => string = () => runner.command,
): Promise<Produced> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), `harness-${runner.name}-`)));
  try {
    const root = join(base, 'project');
    cpSync(join(repository, 'test/fixtures/runners', runner.projects, project), root, { recursive: true });
    if (runner.install === undefined)
      symlinkSync(realpathSync(join(repository, 'node_modules')), join(base, 'node_modules'));
    else await install(runner.install, base);
    const path = join(base, `report.${extensionOf(runner)}`);
    const command = prepare(root);
    const how = runner.runner.reporting.instrument(command, path);
    if (how === null) throw new Error(`${runner.name}: ${command} cannot be made to report`);
    makeNeeded(how);
    const own = runner.install === undefined ? pathOf(runner) : withInstalled(base);
    const exit = await sh(how.command, root, { ...own, ...how.env });
    const fromFile = existsSync(path) ? readFileSync(path, 'utf8') : null;
    return { text: how.from === 'stdout' ? exit.stdout : fromFile, root, exit };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

const withInstalled = (base: string): { readonly PATH: string } => ({
  PATH: [join(base, 'node_modules/.bin'), env.PATH].join(delimiter),
});

/** npm gets the whole environment: registries, proxies and certificates are the machine's business. */
async function install(packages: string, into: string): Promise<void> {
  const inherited = Object.entries(process.env).flatMap(([name, v]) => (v === undefined ? [] : [[name, v] as const]));
  const line = `npm install --no-save --no-audit --no-fund --prefix . ${packages}`;
  const exit = await sh(line, into, Object.fromEntries(inherited));
  if (exit.code !== 0) throw new Error(`${line}: ${exit.stderr}`);
}

const extensionOf = (runner: LiveRunner): string => runner.extension ?? runner.runner.reporting.extension;

/** Where recordings say their project was. */
export const RECORDED_ROOT = '/project';

export const recordingOf = (runner: LiveRunner, project: Project): string =>
  join(repository, 'test/fixtures/reports', runner.name, `${project}.${extensionOf(runner)}`);
