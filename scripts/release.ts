// Builds the package that is published, and checks it: what it contains, its size, and that it works where nothing else of the
// project is. Publishes nothing. `npm run release [-- --out FOLDER]`: the folder gets the package; the current one by default.
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const MOST_BYTES = 15_000_000;
const MOST_PACKAGES = 60;
const NEEDED = ['LICENSE', 'README.md', 'CHANGELOG.md', 'bin/harness.cjs', 'dist/cli.mjs', 'dist/third-party.txt'];
const UNWANTED = /^(?:src|test|bench|scripts)\/|\.test\.|\.tsbuildinfo$/;

type Packed = { readonly filename: string; readonly unpackedSize: number; readonly files: readonly { path: string }[] };

const root = resolve(import.meta.dirname, '..');
const { values } = parseArgs({ options: { out: { type: 'string', default: '.' } } });
const out = resolve(values.out);
const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const problems: string[] = [];
const expect = (holds: boolean, problem: string): void => void (holds || problems.push(problem));

const changed = run('git', 'status', '--porcelain').trim();
expect(changed === '', `uncommitted changes:\n${changed}`);

// Chunks of earlier builds would be packed too.
rmSync(join(root, 'dist'), { recursive: true, force: true });
run('npm', 'run', '-s', 'build');
const [packed] = JSON.parse(run('npm', 'pack', '--ignore-scripts', '--json', '--pack-destination', out)) as [Packed];
const paths = packed.files.map(({ path }) => path);
for (const path of NEEDED) expect(paths.includes(path), `${path} is missing in the package`);
for (const path of paths) expect(!UNWANTED.test(path), `${path} is not for users`);
expect(packed.unpackedSize <= MOST_BYTES, `${packed.unpackedSize} bytes unpacked, at most ${MOST_BYTES}`);

const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string; version: string };
const changes = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
expect(changes.includes(`\n## ${about.version}\n`), `CHANGELOG.md has no section ${about.version}`);

const file = join(out, packed.filename);
const prefix = mkdtempSync(join(tmpdir(), 'harness-release-'));
try {
  run('npm', 'install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', '--silent', file);
  const installed = globSync('lib/node_modules/**/package.json', { cwd: prefix }).filter((path) =>
    /node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path),
  );
  expect(installed.length <= MOST_PACKAGES, `${installed.length} packages installed, at most ${MOST_PACKAGES}`);
  const said = run(join(prefix, 'bin', 'harness'), 'version');
  expect(said.includes(about.version), `the installed program is another version: ${said}`);
  process.stdout.write(
    `${about.name} ${about.version}: ${packed.unpackedSize} bytes, ${installed.length} package(s)\n`,
  );
} finally {
  rmSync(prefix, { recursive: true, force: true });
}

if (problems.length > 0) {
  process.stderr.write(`not fit to be published:\n${problems.map((problem) => `  - ${problem}\n`).join('')}`);
  process.exitCode = 1;
} else process.stdout.write(`${file}\nNothing is published. To publish it: npm publish ${file}\n`);
