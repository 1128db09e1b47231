// The patch file of the auto-fix proposer: its diff, the paths that the diff names, and the line that the user reads before they decide. Its
// text is an agent's: whatever is wrong with it is an outcome.
import { diffText, readDiff, type DiffFault, type FileChange } from './diff.ts';
import { judgePathIn, type PathReader } from './paths.ts';
import { inScope } from './scope.ts';

export type ReadPatch =
  | {
      readonly isEmpty: false;
      /** For git: the blocks in their order, as they were understood. */
      readonly diff: string;
      /** Every path that it can change, each once, as its headers name them. */
      readonly targets: readonly string[];
      readonly files: readonly FileChange[];
      /** One line, at most 200 characters; '': there is none. */
      readonly summary: string;
    }
  /** `no-diff-block`, `no-hunk`: the patch is empty. With the others it is not tried either: `part` is the line that is wrong. */
  | { readonly isEmpty: true; readonly why: 'no-diff-block' | DiffFault; readonly part: string };

/** In characters: longer than any minimal diff. */
const MAX_TEXT = 1_000_000;

export function readPatch(text: string): ReadPatch {
  if (text.length > MAX_TEXT) return { isEmpty: true, why: 'hunk', part: '' };
  const { blocks, rest } = parted(text);
  if (blocks.length === 0) return { isEmpty: true, why: 'no-diff-block', part: '' };
  const files: FileChange[] = [];
  for (const block of blocks) {
    const read = readDiff(block);
    // A block of words next to one that is a diff: it would change nothing.
    if ('fault' in read && read.fault === 'no-hunk' && read.line === '') continue;
    if ('fault' in read) return { isEmpty: true, why: read.fault, part: read.line };
    files.push(...read.files);
  }
  if (files.length === 0) return { isEmpty: true, why: 'no-hunk', part: '' };
  const targets = [...new Set(files.map(({ path }) => path))];
  return { isEmpty: false, diff: diffText(files), targets, files, summary: summaryOf(rest) };
}

/** The diff blocks of a Markdown text, and the lines outside of all blocks. A fence that is never closed is no block. */
function parted(text: string): { readonly blocks: readonly string[]; readonly rest: readonly string[] } {
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const [blocks, rest]: [string[], string[]] = [[], []];
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', fence = '', word = ''] = /^([ \t]*)(`{3,}|~{3,})[ \t]*([\w-]*)/.exec(lines[at] ?? '') ?? [];
    const end = fence === '' ? -1 : closing(lines, at + 1, indent, fence);
    if (end < 0) {
      rest.push(lines[at] ?? '');
      continue;
    }
    if (word.toLowerCase() === 'diff') {
      const body = lines.slice(at + 1, end);
      const isShifted = indent !== '' && body.every((line) => line.trim() === '' || line.startsWith(indent));
      blocks.push(body.map((line) => `${isShifted ? line.slice(indent.length) : line}\n`).join(''));
    }
    at = end;
  }
  return { blocks, rest };
}

/** Lines of a diff begin with a sign, so a block ends only at a fence with the same indentation. */
function closing(lines: readonly string[], from: number, indent: string, fence: string): number {
  for (let at = from; at < lines.length; at++) {
    const line = (lines[at] ?? '').trimEnd();
    if (!line.startsWith(`${indent}${fence}`)) continue;
    if (line.slice(indent.length).replaceAll(fence[0] ?? '', '') === '') return at;
  }
  return -1;
}

const plainText = (line: string): string =>
  line
    .replace(/^[\s>#*_`+-]+|[*`]{1,3}|__/g, '')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();

function summaryOf(rest: readonly string[]): string {
  const lines = rest
    .map((line) => ({ text: plainText(line.slice(0, 2_000)), isHeading: /^\s*#/.test(line.slice(0, 2_000)) }))
    .filter(({ text }) => text !== '');
  const labelled = lines.findIndex(({ text }) => /^summary\b/i.test(text));
  const [, summary = ''] = /^summary\s*[:：=—–-]\s*(.+)$/i.exec(lines[labelled]?.text ?? '') ?? [];
  const from = labelled < 0 ? lines : lines.slice(labelled + 1);
  const first = from.find(({ text, isHeading }) => !isHeading && !/^confidence\b/i.test(text));
  return (summary === '' ? (first?.text ?? '') : summary).slice(0, 200).toWellFormed();
}

export type TargetsVerdict =
  | { readonly isAllowed: true; readonly paths: readonly string[] }
  /** `path`: the first that is refused · `rule`, `part`: by the path validator. */
  | { readonly isAllowed: false; readonly path: string; readonly rule: string; readonly part: string };

/** The verdict holds for as long as nothing in the tree changes. */
export async function judgeTargets(
  view: PathReader,
  targets: readonly string[],
  { scope, docsPath }: { readonly scope: string; readonly docsPath: string },
): Promise<TargetsVerdict> {
  const isInScope = inScope(scope);
  for (const path of targets) {
    const verdict = await judgePathIn(view, path, { kind: 'diff-target', docsPath, isInScope });
    if (!verdict.isAllowed) return { isAllowed: false, path, rule: verdict.rule, part: verdict.part };
  }
  return { isAllowed: true, paths: targets };
}
