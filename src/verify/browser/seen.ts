// What a browser saw of one page, and the text that a role reads of it. Pages are hostile input: every text is cut, and characters that hide or
// change what is shown are removed. Pure.
import type { Viewport } from '../../model/pages.ts';

export type SeenElement = {
  /** As assistive technology knows it: `button`, `link`, `textbox`, `heading`, … */
  readonly role: string;
  /** Its accessible name; '': it has none. */
  readonly name: string;
  readonly isDisabled: boolean;
};
export type SeenPage = {
  /** As it was asked for. */
  readonly page: string;
  readonly viewport: Viewport;
  /** Where the browser ended up; null: nothing was opened. */
  readonly address: string | null;
  /** null: there was no answer. */
  readonly status: number | null;
  readonly title: string;
  readonly text: string;
  readonly elements: readonly SeenElement[];
  readonly consoleErrors: readonly string[];
  readonly failedRequests: readonly string[];
  /** What it asked in windows of its own (alert, confirm, …), which were dismissed. */
  readonly dialogs: readonly string[];
  /** Width of the content, pixels; 0: not known. */
  readonly width: number;
  /** It still loaded when its time was over. */
  readonly isLate: boolean;
  /** It has too many parts for its elements to be listed. */
  readonly isTooLarge: boolean;
};

export type SeenForm = {
  readonly method: string;
  /** As the page has it; '': the page itself. */
  readonly action: string;
  readonly fields: readonly {
    readonly type: string;
    readonly name: string;
    readonly label: string;
    readonly isRequired: boolean;
  }[];
};

/** Of one list, at most so many entries. */
export const MOST_LISTED = 200;
/** Characters of one text, and of one entry of a list. */
export const LONGEST_TEXT = 20_000;
export const LONGEST_ENTRY = 300;

/** Without control characters, invisible and private ones; white space as one space, line breaks kept. */
export const cleaned = (text: string, longest: number): string =>
  text
    .slice(0, 4 * longest)
    .replace(/[^\P{C}\n\t]/gu, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[\s]*/g, '\n')
    .trim()
    .slice(0, longest)
    .toWellFormed();

export const cleanedLine = (text: string): string => cleaned(text.replace(/\s+/g, ' '), LONGEST_ENTRY);

/** One page after the other, at most `most` characters, divided evenly. */
export function seenText(pages: readonly SeenPage[], most: number): string {
  const each = Math.floor(most / Math.max(1, pages.length)) - 2;
  return pages
    .map((page, n) => pageText(page, pages.slice(0, n), each))
    .join('\n\n')
    .slice(0, most)
    .toWellFormed();
}

function pageText(seen: SeenPage, before: readonly SeenPage[], most: number): string {
  const { page, viewport, address, status, title, width, isLate, isTooLarge } = seen;
  const head = [
    `# ${page} at ${viewport.width} × ${viewport.height} (${viewport.name})`,
    address === null
      ? 'The page could not be opened.'
      : `Address: ${address}, status ${status ?? 'unknown'}, title "${title}"`,
    ...(isLate ? ['It still loaded when its time was over.'] : []),
    ...(width > viewport.width ? [`The content is ${width} pixels wide: wider than the window.`] : []),
  ];
  const wrong = [
    ...listed('Console errors', seen.consoleErrors, most / 4),
    ...listed('Failed requests', seen.failedRequests, most / 6),
    ...listed('Dialogs', seen.dialogs, most / 10),
  ];
  const same = before.find((one) => one.page === page && contentOf(one) === contentOf(seen));
  if (same !== undefined)
    return cut([...head, ...wrong, `Elements and text: the same as at ${same.viewport.width}.`].join('\n'), most);
  const elements = isTooLarge
    ? ['Elements: too many to list.']
    : listed('Elements', seen.elements.map(elementText), most / 4);
  const above = [...head, ...wrong, ...elements, 'Text:'].join('\n');
  return `${cut(above, most)}\n${cut(seen.text === '' ? '(none)' : seen.text, Math.max(0, most - above.length - 1))}`;
}

const contentOf = ({ elements, text }: SeenPage): string => JSON.stringify([elements, text]);

const elementText = ({ role, name, isDisabled }: SeenElement): string =>
  `${role} ${name === '' ? 'without a name' : `"${name}"`}${isDisabled ? ' (disabled)' : ''}`;

/** Equal entries as one; as many as fit. */
function listed(title: string, entries: readonly string[], most: number): readonly string[] {
  if (entries.length === 0) return [];
  const counts = new Map<string, number>();
  for (const entry of entries) counts.set(entry, (counts.get(entry) ?? 0) + 1);
  const lines: string[] = [];
  let left = most;
  for (const [entry, count] of counts) {
    const line = `- ${entry}${count > 1 ? ` (${count} times)` : ''}`;
    if (line.length > left && lines.length > 0) break;
    lines.push(line);
    left -= line.length + 1;
  }
  const rest = counts.size - lines.length;
  return [`${title} (${entries.length}):`, ...lines, ...(rest > 0 ? [`- … ${rest} more`] : [])];
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, Math.max(0, most - 2)).toWellFormed()} …`;
}
