// The prompt of an agent: its role (the same bytes in every session, so that providers can cache them), then the
// session, last the runtime context.
import { Buffer } from 'node:buffer';
import { contextBlock, guardHeading, type RuntimeContext } from './context.ts';
import type { Role } from './role.ts';

/** Role files refer to the text below by this name. */
const SESSION_HEADING = '# This session';

/** The first turn. `stableBytes`: length in UTF-8 of the beginning that is the same in every session of the role. */
export function composePrompt(parts: {
  readonly role: Role;
  /** The brief: orientation, task, specification. Written by the playbook, quoting what others wrote. */
  readonly variable: string;
  readonly context: RuntimeContext;
}): { readonly text: string; readonly stableBytes: number } {
  const stable = `${parts.role.prompt}\n\n${SESSION_HEADING}\n\n`;
  return {
    text: `${stable}${paragraph(guardHeading(parts.variable))}${contextBlock(parts.context)}`,
    stableBytes: Buffer.byteLength(stable),
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

const paragraph = (text: string): string => (text.trim() === '' ? '' : `${text.trim()}\n\n`);
