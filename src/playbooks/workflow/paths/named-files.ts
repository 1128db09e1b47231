// Files that the output of a tool names, and which of them a session may be pointed to. Paths are extracted; nothing else of the output is read.
import { judgePathIn, type PathReader } from './paths.ts';

/** `isSure`: it has a folder or a position; without one it may be any word with a dot. */
export type NamedFile = { readonly path: string; readonly isSure: boolean };

/** In characters. */
const MAX_TEXT = 500_000;
const MAX_LINE = 4_000;
const NO_EXTENSION = /(?:^|\/)(?:Makefile|Dockerfile|Gemfile|Rakefile|Jenkinsfile)$/;
const EXTENSION = /[^/.]\.[A-Za-z][\w-]{0,9}$/;
const POSITION = /^(?::\d|\(\d|", line \d|\[\d)/;

/** In the order in which they are named, each once. */
export function filesNamedIn(text: string): readonly NamedFile[] {
  const found = new Map<string, boolean>();
  // A name in quotes may contain blanks; any other ends at one.
  const names = /"([^"\n]{1,300})"|'([^'\n]{1,300})'|`([^`\n]{1,300})`|[^\s"'`<>|:*?,;(){}=#!&$\\]+/g;
  for (const line of text.slice(0, MAX_TEXT).split('\n'))
    for (const match of line.slice(0, MAX_LINE).matchAll(names)) {
      const inQuotes = match[1] ?? match[2] ?? match[3];
      if (inQuotes !== undefined && /[:(]/.test(inQuotes)) {
        for (const one of filesNamedIn(inQuotes)) found.set(one.path, found.get(one.path) === true || one.isSure);
        continue;
      }
      const path = pathIn(inQuotes ?? match[0]);
      if (path === null) continue;
      const after = line.slice(
        match.index + match[0].length - (inQuotes === undefined ? 0 : 1),
        match.index + match[0].length + 12,
      );
      found.set(path, found.get(path) === true || path.includes('/') || POSITION.test(after));
    }
  return [...found].map(([path, isSure]) => ({ path, isSure }));
}

function pathIn(word: string): string | null {
  const path = word
    .replace(/^\[(?![^[]*\])/, '')
    .replace(/(?<!\[[^\]]*)\]$/, '')
    .replace(/\.+$/, '')
    .replace(/^\/{3,}/, '/')
    .replace(/^(?:\.\/)+/, '');
  if (path.startsWith('//')) return null; // part of a URL
  return EXTENSION.test(path) || NO_EXTENSION.test(path) ? path : null;
}

export type FailingFiles = {
  readonly files: readonly string[];
  /** `rule`: of the path validator. */
  readonly dropped: readonly { readonly path: string; readonly rule: string }[];
};

const MAX_FILES = 5;
const MAX_DROPPED = 20;
/** Code of others, which no fix of this project changes. */
const VENDORED = new Set(['node_modules', '.venv', 'venv', 'site-packages']);

/** The first files of this project that a report names. `repoPath`: compilers give absolute paths. */
export async function failingFiles(
  view: PathReader,
  reportText: string,
  { docsPath, repoPath = '' }: { readonly docsPath: string; readonly repoPath?: string },
): Promise<FailingFiles> {
  const files: string[] = [];
  const dropped = new Map<string, string>();
  const root = repoPath === '' ? null : `${repoPath.replace(/\/+$/, '')}/`;
  for (const { path: named } of filesNamedIn(reportText)) {
    if (files.length >= MAX_FILES) break;
    const given = root !== null && named.startsWith(root) ? named.slice(root.length) : named;
    if (given.split('/').some((name) => VENDORED.has(name))) continue;
    const verdict = await judgePathIn(view, given, { kind: 'file-reference', docsPath, isInScope: () => true });
    if (!verdict.isAllowed) {
      if (dropped.size < MAX_DROPPED) dropped.set(named, verdict.rule);
      continue;
    }
    const { is } = await view.look(verdict.real);
    if (is === 'file' && !files.includes(verdict.path)) files.push(verdict.path);
  }
  return { files, dropped: [...dropped].map(([path, rule]) => ({ path, rule })) };
}
