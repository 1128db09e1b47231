// Runs the tests against the real programs of providers, which are too large for the main install: first use installs them
// into test/providers. What cannot be installed is skipped loudly, unless --required is given. --install: nothing is run.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'test', 'providers');
const isRequired = process.argv.includes('--required');
const isInstall = process.argv.includes('--install');
const rest = process.argv.slice(2).filter((arg) => arg !== '--required' && arg !== '--install');

const skip = (why) => {
  process.stderr.write(`\nSKIPPED: the provider tests did not run: ${why}\n\n`);
  process.exit(isRequired || isInstall ? 1 : 0);
};
const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const isInstalled = () =>
  Object.entries(read(join(folder, 'package.json')).dependencies).every(([name, version]) => {
    const manifest = join(folder, 'node_modules', name, 'package.json');
    return existsSync(manifest) && read(manifest).version === version;
  });

if (process.platform === 'win32') skip('they look at processes the way Linux shows them');
if (!existsSync('/proc/self/environ')) skip('they need /proc');
if (!isInstalled()) {
  process.stderr.write('installing the provider SDKs into test/providers (about 0.9 GB, once)\n');
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder, stdio: ['ignore', 2, 2] });
  if (npm.error !== undefined) skip(`npm could not be started: ${npm.error.message}`);
  if (npm.status !== 0 || !isInstalled()) skip('npm ci failed in test/providers, see above');
}
const onPath = (name) => (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)));
const lacking = ['bwrap', 'socat'].filter((name) => !onPath(name));
if (lacking.length > 0)
  process.stderr.write(`SKIPPED: that shells of an agent see no provider key: needs ${lacking.join(' and ')}\n`);
if (isInstall) process.exit(0);
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const run = spawnSync(process.execPath, [vitest, 'run', '--project', 'providers', ...rest], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(run.status ?? 1);
