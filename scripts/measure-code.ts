// Figures of src/ without tests: node scripts/measure-code.ts [ROOT]
// lines per module, casts, type names that are declared more than once, files with one importer, files that name a playbook.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

process.chdir(process.argv[2] ?? join(import.meta.dirname, '..'));

const SMALL = 60;
const files = globSync('src/**/*.ts')
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.endsWith('.test.ts'))
  .sort();
const code = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const lines = (file: string): number => (code.get(file) ?? '').split('\n').length - 1;
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const grouped = (keys: readonly string[]): ReadonlyMap<string, number> =>
  new Map([...new Set(keys)].sort().map((key) => [key, keys.filter((one) => one === key).length]));
const places = (pattern: RegExp): number => sum([...code.values()].map((text) => text.match(pattern)?.length ?? 0));

const importsOf = (file: string): readonly string[] =>
  [...(code.get(file) ?? '').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)).replaceAll('\\', '/'),
  );

console.log('module        files   lines  median   p90   max');
const row = (name: string, all: readonly string[]): void => {
  const sizes = all.map(lines).sort((a, b) => a - b);
  const at = (part: number): number => sizes[Math.floor((sizes.length - 1) * part)] ?? 0;
  const cells = [all.length, sum(sizes), at(0.5), at(0.9), at(1)];
  console.log(name.padEnd(13) + cells.map((cell, i) => String(cell).padStart([6, 8, 8, 6, 6][i] ?? 0)).join(''));
};
for (const module of new Set(files.map((file) => file.split('/')[1] ?? '')))
  row(
    module,
    files.filter((file) => file.startsWith(`src/${module}/`)),
  );
row('src', files);

const declared = (pattern: RegExp): ReadonlyMap<string, number> =>
  grouped([...code.values()].flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name)));
const shared = (names: ReadonlyMap<string, number>): readonly string[] =>
  [...names].filter(([, n]) => n > 1).map(([name, n]) => `${name} ×${n}`);
const exported = shared(declared(/^export (?:type|interface|class) (\w+)(?=[\s<=])/gm));
const any = declared(/^(?:export )?(?:type|interface|class) (\w+)(?=[\s<=])/gm);

const importers = grouped(files.flatMap((file) => [...new Set(importsOf(file))]));
const crumbs = files.filter((file) => lines(file) <= SMALL && importers.get(file) === 1);
const names = [...new Set(files.flatMap((file) => /^src\/playbooks\/([^/]+)\/manifest\.ts$/.exec(file)?.[1] ?? []))];
const naming = (name: string): readonly string[] =>
  files.filter(
    (file) =>
      !file.startsWith(`src/playbooks/${name}/`) &&
      new RegExp(`(?<!'paths', )(['"\`])${name}\\1|playbooks/${name}/|\\.\\./${name}/`).test(code.get(file) ?? ''),
  );

const figures: readonly (readonly [string, string | number])[] = [
  ['casts "as unknown as"', places(/\bas unknown as\b/g)],
  ['type assertions allowed by a directive', places(/oxlint-disable-next-line typescript\/no-unsafe-type-assertion/g)],
  ['types', sum([...any.values()])],
  ['names of types', any.size],
  ['exported type names with two declarations', exported.length === 0 ? 0 : exported.join(', ')],
  ['type names with two declarations', shared(any).length],
  [`files of at most ${SMALL} lines with one importer`, crumbs.length],
  ...names.map((name) => [`files outside its folder that name ${name}`, naming(name).join(', ') || 0] as const),
];
console.log('');
for (const [what, figure] of figures) console.log(`${what}: ${figure}`);
