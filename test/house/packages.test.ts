// What npm ci needs on any machine: a tool whose build for one platform is missing from the lock file cannot be installed
// anywhere, and an address in it ties the project to one registry.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Locked = { readonly optionalDependencies?: Record<string, string>; readonly resolved?: string };
type Lock = { readonly packages: Record<string, Locked> };

const LOCKS = ['package-lock.json', 'test/providers/package-lock.json'];
const packagesOf = (lock: string) => (JSON.parse(readFileSync(lock, 'utf8')) as Lock).packages;

test.each(LOCKS)('%s knows the builds of every platform', (lock) => {
  const packages = packagesOf(lock);
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages))
      .map((name) => `${path} wants ${name}`),
  );
  expect(
    missing,
    'choose a version whose builds are all published, delete the lock file and run npm install --package-lock-only',
  ).toEqual([]);
});

test.each(LOCKS)('%s names no registry', (lock) => {
  const tied = Object.entries(packagesOf(lock)).filter(([, { resolved }]) => resolved !== undefined);
  expect(
    tied.map(([path]) => path),
    'npm config set omit-lockfile-registry-resolved true, and make it again',
  ).toEqual([]);
});

test('docs/dependencies.md gives a reason for every dependency, and for no other', () => {
  const { dependencies, devDependencies = {} } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly dependencies?: Record<string, string>;
    readonly devDependencies?: Record<string, string>;
  };
  const page = readFileSync('docs/dependencies.md', 'utf8');
  const namedIn = (section: string): readonly string[] =>
    [...(page.split(`## ${section}\n`)[1]?.split('\n## ')[0] ?? '').matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(
      ([, names = '']) => [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    );
  expect([...namedIn('Bundled'), ...namedIn('For development')].sort()).toEqual(Object.keys(devDependencies).sort());
  expect(dependencies, 'what the program needs is bundled: an installation has one package').toBeUndefined();
});
