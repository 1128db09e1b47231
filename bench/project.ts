// A repository to measure on: so many features, tests that are one shell script and take no time, the agent beside it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const PROGRAM: string = join(import.meta.dirname, '..', 'bin', 'harness.cjs');
const AGENT = join(import.meta.dirname, 'agent.mjs');

/** Every test file names the thing it asks for, or says `pass`; prints TAP. Only what the shell has built in. */
const TESTS = `n=0
for file in "$@"; do
  n=$((n+1)); read -r word <"$file" || word=
  if [ -f "$word" ]; then read -r word <"$word" || word=; fi
  if [ "$word" = pass ]; then echo "ok $n - $file"; else echo "not ok $n - $file"; bad=1; fi
done
echo "1..$n"
exit \${bad:-0}
`;

export const featuresText = (count: number, isFlat = false): string =>
  `${JSON.stringify({ project: 'bench', last_updated: 'never', features: Array.from({ length: count }, (_, i) => oneOf(i + 1, isFlat)) }, null, 2)}\n`;

const oneOf = (id: number, isFlat: boolean) => ({
  id,
  category: 'bench',
  description: `A person can do thing number ${id}`,
  test_file: `tests/t${id}.t`,
  verification_steps: ['Open the page', `Do thing ${id}`, 'See that it was done'],
  size_estimate: 'small',
  ...(isFlat || id === 1 ? {} : { depends_on: [id - 1] }),
  passes: false,
});

export type Project = { readonly root: string; readonly env: { readonly [name: string]: string }; remove(): void };

/** `files`: tracked files of 40 lines beside the features. */
export function makeProject(features: number, files = 20): Project {
  const top = mkdtempSync(join(tmpdir(), 'harness-bench-'));
  const root = join(top, 'r');
  const write = (path: string, text: string, mode = 0o644): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text, { mode });
  };
  mkdirSync(join(top, 'home'), { recursive: true });
  write('run.sh', TESTS);
  write('init.sh', '#!/bin/sh\nexit 0\n', 0o755);
  write('tests/t0.t', 'pass\n');
  write('features.json', featuresText(features));
  write('claude-progress.txt', '');
  const agent = JSON.stringify([process.execPath, AGENT]);
  write(
    '.harness.yaml',
    `project: { name: bench }
agents: { default: { provider: acp, command: ${agent}, env: { BENCH_BUSY: "${join(top, 'busy.jsonl')}" } } }
testing: { runner: tap, feature: "sh run.sh {test_file}", full: "sh run.sh tests/*.t" }
`,
  );
  for (let n = 0; n < files; n++) write(`lib/f${n % 10}/m${n}.txt`, `line of file ${n}\n`.repeat(40));
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(top, 'home'), LANG: 'C.UTF-8' };
  const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost'];
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    [...identity, 'commit', '-q', '-m', 'start'],
  ])
    execFileSync('git', args, { cwd: root, env });
  return { root, env, remove: () => rmSync(top, { recursive: true, force: true }) };
}

export const busyFile = (project: Project): string => join(dirname(project.root), 'busy.jsonl');

/** The agent as a word of a shell line. */
export const SHELL_AGENT: string = `'${process.execPath}' '${AGENT}'`;
