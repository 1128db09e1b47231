// Status lines of a playbook, translated: a heading, then a line each.
import type { PlaybookName } from '../../model/config.ts';
import type { StatusLine } from '../../model/playbook-status.ts';
import type { Caller } from '../command.ts';
import { oneLine, pairs } from './table.ts';

export const MARK = '[harness]';

/** `playbook`: the owner of the translations. */
export function statusLines(
  lines: readonly StatusLine[],
  playbook: PlaybookName,
  caller: Caller,
  mark = MARK,
): readonly string[] {
  const word = (name: string, otherwise: string): string => {
    const key = `${playbook}.line.${name}` as const;
    const said = caller.catalogue.text(key);
    return said === key ? otherwise : said; // not translated
  };
  const rows = lines.map(
    ({ label, value, code }) =>
      [word(label.toLowerCase(), label), `: ${oneLine(code === undefined ? value : word(code, value))}`] as const,
  );
  return [mark, ...pairs(rows)];
}
