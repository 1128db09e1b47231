// What a session leaves in the memory of the mission: how it ended, and the lines of its last message that it wrote for the others.
import type { ItemFacts } from '../session/facts.ts';

const MARKED = /^[\s>*_`-]*(NOTE|TRICK|UNCLEAR|CONFIRMED|DECIDED)\s*:\s*(.+)$/i;
/** At most this many lines of one message count. */
const MOST_LINES = 12;

/** `NOTE: …`, `TRICK: …`, `UNCLEAR: …`, `CONFIRMED: …` and `DECIDED: …`, with any decoration. */
export const notesIn = (text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .flatMap((line) => {
      const [, mark, said] = MARKED.exec(line) ?? [];
      return mark === undefined || said === undefined ? [] : [`${mark.toUpperCase()}: ${said.trim()}`];
    })
    .slice(0, MOST_LINES);

/** Of a worker. `result`: why it ended as it did. */
export const workerNotes = ({ title, attempt }: ItemFacts, text: string, result: string): readonly string[] => [
  `${result}: ${title} (attempt ${attempt})`,
  ...notesIn(text),
];
