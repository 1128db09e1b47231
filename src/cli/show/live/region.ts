// The last lines of a terminal, redrawn in place. What is said meanwhile is printed above them, and stays.
import type { WriteStream } from 'node:tty';
import { widthOf } from './width.ts';

export type TerminalStream = Pick<WriteStream, 'write' | 'columns' | 'rows' | 'on' | 'off'>;
export type Region = {
  /** How much fits now. */
  readonly columns: number;
  readonly rows: number;
  draw(lines: readonly string[]): void;
  /** Prints complete lines above it. */
  above(text: string): void;
  /** Takes its lines away, until they are drawn again. */
  clear(): void;
  /** `keep`: the last lines stay on the screen. */
  close(how?: 'keep'): void;
};

/** A terminal that says no size. */
const USUAL = { columns: 80, rows: 24 };

/** `redraw` is called when the size of the terminal has changed, `closed` once, at its end. */
export function openRegion(stream: TerminalStream, redraw: () => void, closed: () => void): Region {
  let drawn: readonly string[] = [];
  const columns = (): number => stream.columns || USUAL.columns;
  const rows = (): number => stream.rows || USUAL.rows;
  /** A terminal that became narrower has wrapped what was drawn. */
  const rowsOf = (lines: readonly string[]): number =>
    lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(widthOf(line) / columns())), 0);
  const back = (): string => {
    const up = rowsOf(drawn) - 1;
    return drawn.length === 0 ? '' : `\r${up > 0 ? `\u001b[${up}A` : ''}\u001b[J`;
  };
  /** What is above the first row of the screen cannot be redrawn. */
  const fitting = (lines: readonly string[]): readonly string[] => {
    let count = lines.length;
    while (count > 1 && rowsOf(lines.slice(0, count)) > rows()) count -= 1;
    return lines.slice(0, count);
  };
  const write = (text: string): void => void (text === '' || stream.write(text));
  const draw = (lines: readonly string[]): void => {
    const next = fitting(lines);
    write(`${back()}${next.join('\n')}`);
    drawn = next;
  };
  stream.on('resize', redraw);
  return {
    get columns() {
      return columns();
    },
    get rows() {
      return rows();
    },
    draw(lines) {
      if (lines.length !== drawn.length || lines.some((line, i) => line !== drawn[i])) draw(lines);
    },
    above(text) {
      const kept = drawn;
      write(`${back()}${text}\n`);
      drawn = [];
      draw(kept);
    },
    clear() {
      write(back());
      drawn = [];
    },
    close(how) {
      stream.off('resize', redraw);
      write(how === 'keep' && drawn.length > 0 ? '\n' : back());
      drawn = [];
      closed();
    },
  };
}
