// The patch file that the auto-fix proposer leaves (reference 004, Step 5, Auto-fix proposal): its diff, the paths that the diff names, and
// what a person is told before they decide. Its text is an agent's: whatever is wrong with it is an outcome.
import { diffText, readDiff, type FileChange } from './diff.ts';
import type { DiffFault } from './diff-names.ts';
import { judgePathIn, type PathWorld } from './paths.ts';
import { inScope } from './scope.ts';
import type { WorkflowState } from '../file/state.ts';

export type Patch = {
  /** What is handed to git: the blocks, one after the other, as they were understood. */
  readonly diff: string;
  /** Every path that it can touch, each once, as its headers name them. */
  readonly targets: readonly string[];
  readonly files: readonly FileChange[];
  /** One line, at most 200 characters; '': there is none. */
  readonly summary: string;
};

/** `no-diff-block`, `no-hunk`: the patch is empty. Of the others nothing is tried either: `part` is the line that is wrong. */
export type PatchFault = 'no-diff-block' | DiffFault;
export type ReadPatch =
  | ({ readonly isEmpty: false } & Patch)
  | { readonly isEmpty: true; readonly why: PatchFault; readonly part: string };

/** Longer than any minimal diff. */
const MOST = 1_000_000;

export function readPatch(text: string): ReadPatch {
  if (text.length > MOST) return { isEmpty: true, why: 'hunk', part: '' };
  const { blocks, rest } = parted(text);
  if (blocks.length === 0) return { isEmpty: true, why: 'no-diff-block', part: '' };
  const files: FileChange[] = [];
  for (const block of blocks) {
    const read = readDiff(block);
    // A block of words beside one that is a diff: nothing of it would be applied.
    if ('fault' in read && read.fault === 'no-hunk' && read.line === '') continue;
    if ('fault' in read) return { isEmpty: true, why: read.fault, part: read.line };
    files.push(...read.files);
  }
  if (files.length === 0) return { isEmpty: true, why: 'no-hunk', part: '' };
  const targets = [...new Set(files.map(({ path }) => path))];
  return { isEmpty: false, diff: diffText(files), targets, files, summary: summaryOf(rest) };
}

/** A fence that nothing closes was cut, and is none. */
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

/** Lines of a diff begin with a sign: only where the fence itself begins can it end. */
function closing(lines: readonly string[], from: number, indent: string, fence: string): number {
  for (let at = from; at < lines.length; at++) {
    const line = (lines[at] ?? '').trimEnd();
    if (!line.startsWith(`${indent}${fence}`)) continue;
    if (line.slice(indent.length).replaceAll(fence[0] ?? '', '') === '') return at;
  }
  return -1;
}

type Line = { readonly text: string; readonly isHeading: boolean };

function plainLine(line: string): Line {
  const text = line
    .replace(/^[\s>#*_`+-]+|[*`]{1,3}|__/g, '')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return { text, isHeading: /^\s*#/.test(line) };
}

function summaryOf(rest: readonly string[]): string {
  const lines = rest.map((line) => plainLine(line.slice(0, 2_000))).filter(({ text }) => text !== '');
  const named = lines.findIndex(({ text }) => /^summary\b/i.test(text));
  const [, said = ''] = /^summary\s*[:：=—–-]\s*(.+)$/i.exec(lines[named]?.text ?? '') ?? [];
  const from = named < 0 ? lines : lines.slice(named + 1);
  const words = from.find(({ text, isHeading }) => !isHeading && !/^confidence\b/i.test(text));
  return (said === '' ? (words?.text ?? '') : said).slice(0, 200).toWellFormed();
}

export type JudgedTargets =
  | { readonly isAllowed: true; readonly paths: readonly string[] }
  /** `path`: the first that is refused, as it stands there · `rule`, `part`: as the path validator says. */
  | { readonly isAllowed: false; readonly path: string; readonly rule: string; readonly part: string };

/** To be asked just before the patch is applied: the verdict holds for as long as nothing in the tree changes. */
export async function judgedTargets(
  world: PathWorld,
  targets: readonly string[],
  { scope, docsPath }: { readonly scope: WorkflowState['scope']; readonly docsPath: string },
): Promise<JudgedTargets> {
  const isInScope = inScope(scope);
  for (const path of targets) {
    const verdict = await judgePathIn(world, path, { kind: 'diff-target', docsPath, isInScope });
    if (!verdict.isAllowed) return { isAllowed: false, path, rule: verdict.rule, part: verdict.part };
  }
  return { isAllowed: true, paths: targets };
}
