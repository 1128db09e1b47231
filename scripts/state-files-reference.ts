// Writes the table of the harness's files into docs/architecture.md: `node scripts/state-files-reference.ts`.
import { readFileSync, writeFileSync } from 'node:fs';
import { STATE_FILES } from '../src/model/state-files.ts';

const BEGIN = '<!-- files: written by scripts/state-files-reference.ts -->';
const END = '<!-- end of files -->';

/** The document with a new table of files. */
export function withFiles(document: string): string {
  const [before, rest] = document.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`docs/architecture.md has lost ${BEGIN} or ${END}`);
  const rows = STATE_FILES.map(
    ({ file, owner, truth, shown, guard }) =>
      `| ${file} | ${owner} | ${truth} | ${shown ?? '—'} | ${guard === null ? '—' : 'the session in the same work tree'} |`,
  );
  const head = ['| file | owner | source of truth | copy for people | guarded against |', '|---|---|---|---|---|'];
  return `${before}${BEGIN}\n\n${[...head, ...rows].join('\n')}\n\n${END}${after}`;
}

if (import.meta.main) {
  const file = 'docs/architecture.md';
  writeFileSync(file, withFiles(readFileSync(file, 'utf8')));
}
