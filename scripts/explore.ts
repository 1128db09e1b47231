// `npm run explore [-- --minutes N] [--only SUITE]`: the suites that sample, with other seeds than the fixed ones of `npm test`, round
// after round until the time is over. What fails is written to test/cases, to be committed and replayed by `npm test` from then on.
// Exit 0: nothing failed. Exit 1: something did, or a round could not run. Exit 2: the call is wrong.
import { randomInt } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { parseArgs } from 'node:util';
import { casesIn, replay, runVitest, writeCase } from '../test/support/cases.ts';
import { NIGHT } from '../test/support/night.ts';

type Suite = { readonly name: string; readonly files: readonly string[] };

const sampling = (file: string): boolean => /from 'fast-check'|\bSEED\b/.test(readFileSync(file, 'utf8'));
const SUITES: readonly Suite[] = [
  {
    name: 'properties',
    files: [...globSync('src/**/*.test.ts').filter(sampling), ...globSync('test/contract/*machine*.test.ts')],
  },
  { name: 'simulator', files: globSync('test/simulator/{missions-*,lanes,delivery/*}.test.ts') },
  { name: 'grids', files: globSync('test/crash/{quick,tasks,workflow,delivery}/{even,odd}.test.ts') },
  {
    name: 'crashes',
    files: globSync('test/crash/{landing,cut,lying.long,session-zero,outages.long,by-hand.long}.test.ts'),
  },
  { name: 'kills', files: globSync('test/crash/kills/{even,odd,lanes.long,missions.long}.test.ts') },
  { name: 'adversarial', files: globSync('test/adversarial/{liars,weak-tests,honest}.test.ts') },
];
const PROJECTS = ['unit', 'contract', 'simulator', 'crash', 'long', 'night', 'adversarial'];

function projectOf(file: string): string {
  if (NIGHT.some((pattern) => matchesGlob(file, pattern))) return 'night';
  if (file.startsWith('src/')) return 'unit';
  return file.includes('.long.') ? 'long' : (file.split('/')[1] ?? '');
}

function wrong(why: string): never {
  process.stderr.write(
    `error: ${why}\n  npm run explore -- [--minutes N] [--only ${SUITES.map(({ name }) => name).join('|')}]\n`,
  );
  process.exit(2);
}

function asked(): { readonly minutes: number; readonly suites: readonly Suite[] } {
  const options = { minutes: { type: 'string' }, only: { type: 'string' } } as const;
  let given: ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>;
  try {
    given = parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error));
  }
  // Without `--` npm keeps the flag for itself: of `--minutes 5` the number is left, `--minutes=5` is in the environment.
  const ofNpm = process.env['npm_config_minutes'];
  const minutes = Number(given.values.minutes ?? given.positionals[0] ?? (ofNpm === 'true' ? undefined : ofNpm) ?? 10);
  if (!(minutes > 0)) return wrong('--minutes wants a number above 0');
  const suites = SUITES.filter(({ name }) => given.values.only === undefined || name === given.values.only);
  if (suites.length === 0) return wrong(`there is no suite "${given.values.only}"`);
  return { minutes, suites };
}

const { minutes, suites } = asked();
const until = Date.now() + minutes * 60_000;
const written: string[] = [];
let failures = 0;

for (let round = 1; Date.now() < until; round += 1) {
  const suite = suites[(round - 1) % suites.length]!;
  const seed = randomInt(1_000_000_000);
  process.stdout.write(`round ${round}: ${suite.name}, seed ${seed} … `);
  const began = performance.now();
  const { report, output } = await runVitest([...PROJECTS.flatMap((one) => ['--project', one]), ...suite.files], {
    HARNESS_SEED: String(seed),
    HARNESS_EXPLORE: '1',
  });
  const { cases, problems } =
    report === null
      ? { cases: [], problems: [`no report\n${output.slice(-2_000)}`] }
      : casesIn(report, projectOf, seed);
  const seconds = Math.round((performance.now() - began) / 1_000);
  process.stdout.write(`${cases.length === 0 && problems.length === 0 ? 'ok' : 'FAILED'} (${seconds} s)\n`);
  failures += cases.length + problems.length;
  for (const problem of problems) process.stdout.write(`  could not run: ${problem}\n`);
  for (const found of cases) {
    const path = writeCase(found);
    written.push(path);
    const again = (await replay(found)) !== '';
    process.stdout.write(`  ${path}: ${found.test}\n    ${found.found.replaceAll('\n', '\n    ')}\n`);
    process.stdout.write(
      `    played again by its seed it ${again ? 'fails again' : 'passes: it depends on time as well'}\n`,
    );
  }
}
process.stdout.write(
  written.length === 0
    ? `${failures} failures\n`
    : `${failures} failures; fix them and commit:\n${written.map((path) => `  ${path}\n`).join('')}`,
);
process.exit(failures === 0 ? 0 : 1);
