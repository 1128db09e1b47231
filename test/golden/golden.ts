// What a person sees, kept as text: calls of the program with their output, compared with a file of test/golden/expected/.
// UPDATE_GOLDEN=1 rewrites the files; read the difference before committing it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Ran, Repo } from '../support/repo.ts';

/** Calls one after the other, as they would stand in a terminal: stdout, then stderr, then the exit code if it is not 0. */
export async function transcript(repo: Repo, calls: readonly string[]): Promise<string> {
  const parts: string[] = [];
  for (const call of calls) parts.push(`$ harness ${call}\n${printed(await repo.harness(...words(call)))}`);
  return plain(parts.join('\n'), repo);
}

const printed = ({ code, stdout, stderr }: Ran): string =>
  `${stdout}${stderr === '' ? '' : `(stderr)\n${stderr}`}${code === 0 ? '' : `(exit ${code})\n`}`;

/** As a shell splits it, where words with blanks stand in double quotes. */
const words = (call: string): string[] => [...call.matchAll(/"([^"]*)"|(\S+)/g)].map((m) => m[1] ?? m[2] ?? '');

/** What differs from machine to machine and from day to day, as words. */
export function plain(text: string, repo: Repo): string {
  return (
    text
      .replaceAll(repo.root, '<repo>')
      .replaceAll(dirname(repo.root), '<tmp>')
      // git says more where another file system ends the search.
      .replaceAll(
        /or any parent up to mount point [^)]*\)(?:\\n|\n *)Stopping at filesystem boundary \(GIT_DISCOVERY_ACROSS_FILESYSTEM not set\)\./g,
        'or any of the parent directories): .git',
      )
      .replaceAll(/\b[0-9a-f]{40}\b/g, '<commit>')
      .replaceAll(/\br-\d{14}-[0-9a-f]{4,7}\b/g, '<run>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)/g, '<time>')
      .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d/g, '<time>')
      .replaceAll(/\(pid \d+\)/g, '(pid <pid>)')
      .replaceAll(/"pid":\d+/g, '"pid":<pid>')
      .replaceAll(/for \d+(?:\.\d+)? (?:ms|sec|min|hr)\b/g, 'for <duration>')
      .replaceAll(process.versions.node, '<node>')
      .replaceAll('\u001b', '<escape>')
  );
}

/** What the file of this name holds; what was seen is written into it first where that is asked for. */
export function golden(name: string, seen: string): string {
  const file = join(import.meta.dirname, 'expected', `${name}.txt`);
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, seen);
  }
  return existsSync(file) ? readFileSync(file, 'utf8') : '(no such file: UPDATE_GOLDEN=1 writes it)';
}
