// What the bench knows of an agent: the card that its program declares. Found by listing the folder, so that a new agent
// is a new file and nothing else.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export const VERDICTS = ['land', 'reject', 'ask'] as const;
/** land: the tool counts the item as done · reject: it does not · ask: it waits for a person. */
export type VerdictName = (typeof VERDICTS)[number];
/** tap, command: the files of node, with runners that report in what they print, and not at all. */
export const WORLDS = ['node', 'npm', 'vitest', 'pytest', 'tap', 'command'] as const;
export type WorldName = (typeof WORLDS)[number];

export const PLAYBOOKS = ['features', 'tasks', 'workflow'] as const;
export type PlaybookName = (typeof PLAYBOOKS)[number];

export type Card = {
  readonly name: string;
  /** The program. */
  readonly file: string;
  /** One line for people. */
  readonly does: string;
  readonly right: readonly VerdictName[];
  readonly world: WorldName;
  /** How the item is given: in a list of features, as a task with a command, as the one task of a workflow. */
  readonly playbook: PlaybookName;
  /** The command of a task; left out: the one that tests the item's file. */
  readonly proof?: string;
  /** More files of its world. */
  readonly files?: { readonly [path: string]: string };
  /** How often a failed verification may go back into the same session. */
  readonly fixTurns: number;
  /** Sessions that are started one after another, at most. */
  readonly sessions: number;
  /** short: the agent is one that has to be stopped, and limits are a second or two. */
  readonly limits: 'wide' | 'short';
  /** Nobody can tell from outside: a landing that the truth contradicts is no mistake of the tool. */
  readonly undecidable?: boolean;
  /** The item itself allows older tests to change: its own, or these too. */
  readonly mayChangeTests?: true | readonly string[];
};

const FOLDER = join(import.meta.dirname, 'agents');

/** Sorted by name: honest ones stand together. */
export async function allCards(): Promise<readonly Card[]> {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.mjs'));
  const cards = files.sort().map(async (name) => {
    const file = join(FOLDER, name);
    const { card } = (await import(pathToFileURL(file).href)) as { card: Omit<Card, 'name' | 'file'> };
    return { ...card, name: name.replace(/\.mjs$/, ''), file };
  });
  return Promise.all(cards);
}
