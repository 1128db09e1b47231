// What can be imported as items: lists in Markdown, issues as `gh issue list --json` prints them, a sentence. Pure.
import { z } from 'zod';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { parsedJson } from '../open/loose-json.ts';

export type Imported = {
  readonly title: string;
  readonly steps: readonly string[];
  /** Its test file or command, where the source names one. */
  readonly verify: string | null;
};

const BULLET = /^(\s*)(?:[-*+]|\d{1,4}[.)])\s+(?:\[([ xX])\]\s+)?(.*)$/;
const FENCE = /^\s*(```|~~~)/;
const VERIFY = /^(?:verify|test|proof)\s*:\s*(.+)$/i;
const BOX = /^\s*[-*+]\s+\[[ xX]\]/m;
const MOST_TITLE = 200;

type Line = { readonly indent: number; readonly box: 'open' | 'done' | null; readonly text: string };

/**
 * The open boxes of a list (`- [ ] …`); in a text without boxes every entry of its lists. Entries below one are its steps, and `verify: …` among them
 * names its proof. What is ticked is done and left out.
 */
export function fromMarkdown(text: string): readonly Imported[] {
  const lines = linesOf(text);
  const hasBoxes = lines.some(({ box }) => box !== null);
  const found: { title: string; steps: string[]; verify: string | null; indent: number; isOpen: boolean }[] = [];
  for (const { indent, box, text: said } of lines) {
    const last = found.at(-1);
    const isStep = last !== undefined && indent > last.indent;
    if (isStep) {
      const verify = VERIFY.exec(said)?.[1];
      if (verify === undefined) last.steps.push(said);
      else last.verify = verify.trim();
    } else found.push({ title: said, steps: [], verify: null, indent, isOpen: hasBoxes ? box === 'open' : true });
  }
  return found.filter(({ isOpen }) => isOpen).map(({ title, steps, verify }) => ({ title, steps, verify }));
}

function linesOf(text: string): readonly Line[] {
  let isCode = false;
  return text.split(/\r?\n/).flatMap((line) => {
    if (FENCE.test(line)) isCode = !isCode;
    const found = isCode ? null : BULLET.exec(line);
    const said = oneLine(found?.[3] ?? '');
    if (found === null || said === '') return [];
    const box = found[2] === undefined ? null : found[2] === ' ' ? 'open' : 'done';
    return [{ indent: (found[1] ?? '').replaceAll('\t', '    ').length, box, text: said } as const];
  });
}

/** Without links, emphasis and code marks, in one line. */
export const oneLine = (text: string): string =>
  text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/(\*\*|__|~~)(.+?)\1/g, '$2')
    .replaceAll('`', '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MOST_TITLE);

const issues = z.array(z.object({ number: z.int(), title: z.string(), body: z.string().nullish() })).readonly();

/** `file`: named in a failure. Each title ends with the number of its issue; open boxes of the text are its steps. */
export function fromIssues(text: string, file: string): Result<readonly Imported[]> {
  const read = issues.safeParse(parsedJson(text));
  if (!read.success)
    return err(
      failure('usage', {
        what: `${file} is no list of issues: each needs number and title`,
        hint: 'gh issue list --json number,title,body > issues.json && harness import issues.json',
      }),
    );
  return ok(
    read.data.map(({ number, title, body }) => {
      const boxes = BOX.test(body ?? '') ? fromMarkdown(body ?? '') : [];
      return { title: `${oneLine(title)} (#${number})`, steps: boxes.map((one) => one.title), verify: null };
    }),
  );
}

/** A file by its name; anything else that is one line is an item of its own. */
export function fromText(text: string, file: string): Result<readonly Imported[]> {
  if (file.endsWith('.json') || /^\s*\[\s*\{/.test(text)) return fromIssues(text, file);
  const listed = fromMarkdown(text);
  const said = oneLine(text.trim());
  if (listed.length > 0 || text.trim().includes('\n') || said === '') return ok(listed);
  return ok([{ title: said, steps: [], verify: null }]);
}
