// The prompt of an agent: its role, and what a machine that remembers knows (the same bytes in every session, so that providers can cache
// them), then the session, last the runtime context.
import { contextBlock, guardHeading, guardOnce, type RuntimeContext } from './context.ts';
import type { Role } from './role.ts';

/** Role files refer to the text below by this name. */
const SESSION_HEADING = '# This session';
const IDENTITY_HEADING = '# What this role has learnt';
const SUMMARY_HEADING = '# What has happened so far';

/** The first turn. `stable`: length of the beginning that is the same in every session of the role, while its memory is. */
export function composePrompt(parts: {
  readonly role: Role;
  /** What earlier sessions left, for a machine that remembers; left out: nothing. */
  readonly memory?: { readonly identity: string; readonly summary: string };
  /** The brief: orientation, task, specification. Written by the playbook, quoting what others wrote. */
  readonly variable: string;
  readonly context: RuntimeContext;
}): { readonly text: string; readonly stable: number } {
  const { identity = '', summary = '' } = parts.memory ?? {};
  const remembered = `${section(IDENTITY_HEADING, identity)}${section(SUMMARY_HEADING, summary)}`;
  const stable = `${parts.role.prompt}\n\n${remembered}${SESSION_HEADING}\n\n`;
  return {
    text: `${stable}${paragraph(guardHeading(parts.variable))}${contextBlock(parts.context)}`,
    stable: stable.length,
  };
}

/** A later turn of the same session: what was found, and the context again. `problems` are sentences of the catalogue. */
export function composeFollowUp(parts: {
  readonly problems: readonly string[];
  readonly note: string;
  readonly context: RuntimeContext;
}): string {
  const found =
    parts.problems.length === 0
      ? ''
      : [
          '# The work does not hold yet\n',
          'The harness checked it and found:\n',
          ...parts.problems.map((problem, i) => `${i + 1}. ${problem.trim().replaceAll('\n', '\n   ')}`),
          '\nFix exactly these, keep everything else as it is, and end your turn. The harness checks again.',
        ].join('\n');
  return `${paragraph(guardHeading(found))}${paragraph(guardHeading(parts.note))}${contextBlock(parts.context)}`;
}

const section = (heading: string, text: string): string =>
  text.trim() === '' ? '' : `${heading}\n\n${paragraph(guardOnce(quoteHeadings(text)))}`;

/** Agents wrote it: no line of it may look like a section of the prompt, which have headings of the first level. */
const quoteHeadings = (text: string): string =>
  text
    .split(LINES)
    .map((line) => (TOP_HEADING.test(line) ? `> ${line}` : line))
    .join('');

const LINES = /(\r\n|[\n\v\f\r\u0085\u2028\u2029])/u;
/** Also one that is underlined. */
const TOP_HEADING = /^\s{0,3}(?:#(?!#)|=+\s*$)/;

const paragraph = (text: string): string => (text.trim() === '' ? '' : `${text.trim()}\n\n`);
