// What the text of an issue says of an item: the conventions that people write issues by. Pure.
import type { Issue } from '../../forge/port.ts';
import { keyOf, plain } from '../../forge/marker.ts';
import { fromMarkdown, oneLine } from '../list/import-sources.ts';

export type IssueText = {
  /** With the number of the issue at its end, by which the item is known. */
  readonly title: string;
  /** Numbers of issues. */
  readonly dependsOn: readonly number[];
  /** Its test file or command; null: it names none. */
  readonly verify: string | null;
  /** Of a label `priority: 1`; null: there is none. */
  readonly priority: string | null;
  readonly steps: readonly string[];
  readonly notes: string;
};

const FENCE = /^\s*(?:```|~~~)/;
const DEPENDS = /^[\s>*_-]*(?:depends on|blocked by)[\s*_]*:?[\s*_]*(.*)$/i;
const REFERENCE = /^\s*[-*+]\s+\[[ xX]\]\s+#(\d{1,9})\b/;
const TEST = /^[\s>*_-]*(?:test|verify|proof)[\s*_]*:[\s*_]*`?([^`]+?)`?\s*$/i;
const PRIORITY = /^priority\s*[:/=-]\s*(\S+)$/i;
const MOST_NOTES = 4_000;

export function textOfIssue({
  number,
  title,
  body,
  labels,
}: Pick<Issue, 'number' | 'title' | 'body' | 'labels'>): IssueText {
  const lines = proseOf(body);
  const named = lines.flatMap((line) => {
    const reference = REFERENCE.exec(line)?.[1];
    if (reference !== undefined) return [Number(reference)];
    return [...(DEPENDS.exec(line)?.[1] ?? '').matchAll(/#(\d{1,9})\b/g)].map(([, one]) => Number(one));
  });
  const boxes = lines.filter((line) => !REFERENCE.test(line)).join('\n');
  const found = lines.flatMap((line) => TEST.exec(line)?.[1] ?? []).at(0);
  return {
    title: titleOf(title, number),
    dependsOn: [...new Set(named)].filter((one) => one !== number),
    verify: found?.trim() ?? null,
    priority: labels.flatMap((label) => PRIORITY.exec(label.trim())?.[1] ?? []).at(0) ?? null,
    steps: /^\s*[-*+]\s+\[[ xX]\]/m.test(boxes) ? fromMarkdown(boxes).map((one) => one.title) : [],
    notes: withoutKey(body).slice(0, MOST_NOTES).toWellFormed().trim(),
  };
}

export const titleOf = (title: string, number: number): string => `${oneLine(title) || 'without a title'} (#${number})`;

/** The issue that a title of an item ends with; null: with none. */
export function issueNamedIn(title: string): number | null {
  const found = /\(#(\d{1,9})\)\s*$/.exec(title)?.[1];
  return found === undefined ? null : Number(found);
}

/** Lines outside of code. */
function proseOf(body: string): readonly string[] {
  let isCode = false;
  return plain(body)
    .split('\n')
    .filter((line) => {
      const isFence = FENCE.test(line);
      if (isFence) isCode = !isCode;
      return !isCode && !isFence;
    });
}

const withoutKey = (body: string): string =>
  keyOf(body) === null ? plain(body) : plain(body).trimEnd().split('\n').slice(0, -1).join('\n');
