// Files that the output of a tool names, and which of them a session may be pointed to (reference 004, Step 5: path extraction only, no
// analysis of what the output says).
import { judgePathIn, type PathWorld } from './paths.ts';

/** `isSure`: with a folder or a place in it; without, it may be any word with a dot. */
export type NamedFile = { readonly path: string; readonly isSure: boolean };

const MOST_READ = 500_000;
const NO_ENDING = /(?:^|\/)(?:Makefile|Dockerfile|Gemfile|Rakefile|Jenkinsfile)$/;
const ENDING = /[^/.]\.[A-Za-z][\w-]{0,9}$/;
const PLACE = /^(?::\d|\(\d|", line \d|\[\d)/;

/** In the order in which they are named, each once. */
export function filesNamedIn(text: string): readonly NamedFile[] {
  const found = new Map<string, boolean>();
  // In quotes a name may hold blanks; elsewhere it ends at one.
  const names = /"([^"\n]{1,300})"|'([^'\n]{1,300})'|`([^`\n]{1,300})`|[^\s"'`<>|:*?,;(){}=#!&$\\]+/g;
  for (const line of text.slice(0, MOST_READ).split('\n'))
    for (const match of line.slice(0, 4_000).matchAll(names)) {
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
      found.set(path, found.get(path) === true || path.includes('/') || PLACE.test(after));
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
  if (path.startsWith('//')) return null; // of an address
  return ENDING.test(path) || NO_ENDING.test(path) ? path : null;
}

export type FailingFiles = {
  readonly files: readonly string[];
  /** `rule`: by which the path validator refuses it. */
  readonly dropped: readonly { readonly path: string; readonly rule: string }[];
};

/** Reference: "maximum 5 paths, excess paths dropped silently". */
const MOST = 5;
const MOST_DROPPED = 20;
/** Code of others, which no fix of this project goes into. */
const OF_OTHERS = new Set(['node_modules', '.venv', 'venv', 'site-packages']);

/**
 * Files of this project that the report names. What names no file that is there is no path, and is passed by in silence.
 * `repoPath`: compilers say where a file is on the machine.
 */
export async function failingFiles(
  world: PathWorld,
  reportText: string,
  { docsPath, repoPath = '' }: { readonly docsPath: string; readonly repoPath?: string },
): Promise<FailingFiles> {
  const files: string[] = [];
  const dropped = new Map<string, string>();
  const root = repoPath === '' ? null : `${repoPath.replace(/\/+$/, '')}/`;
  for (const { path: named } of filesNamedIn(reportText)) {
    if (files.length >= MOST) break;
    const given = root !== null && named.startsWith(root) ? named.slice(root.length) : named;
    if (given.split('/').some((name) => OF_OTHERS.has(name))) continue;
    const verdict = await judgePathIn(world, given, { kind: 'file-reference', docsPath, isInScope: () => true });
    if (!verdict.isAllowed) {
      if (dropped.size < MOST_DROPPED) dropped.set(named, verdict.rule);
      continue;
    }
    const { is } = await world.look(verdict.real);
    if (is === 'file' && !files.includes(verdict.path)) files.push(verdict.path);
  }
  return { files, dropped: [...dropped].map(([path, rule]) => ({ path, rule })) };
}
