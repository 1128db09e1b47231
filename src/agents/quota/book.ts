// The book of an account: what all sessions of a person heard of its quota, one page a session, in a folder of that person. Each
// page has one writer, so nobody waits for anybody, and a session that is killed leaves what it used on its page.
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../host/files.ts';
import type { Clock } from '../../host/clock.ts';
import type { Io } from '../../host/io.ts';
import type { AgentEvent } from '../../model/event.ts';
import {
  CLOSED,
  EMPTY_PAGE,
  fullest,
  guessed,
  isOver,
  NO_GUESS,
  noted,
  pageShape,
  windowsOf,
  type Page,
  type QuotaWindow,
  type WindowRule,
} from '../../model/quota.ts';

/** Where an account's pages are, and the windows that a person configured for its provider. */
export type Account = { readonly folder: string; readonly rules: readonly WindowRule[] };

/** The windows as they stand, but for what `without` noted. A page that cannot be read says nothing. */
export const readBook = ({ folder, rules }: Account, now: number, without = ''): readonly QuotaWindow[] =>
  windowsOf(
    pagesIn(folder).flatMap(({ name, page }) => (name === pageName(without) ? [] : [page])),
    rules,
    now,
  );

export type Book = {
  /**
   * Notes what its session heard, and says how the fullest window of the account stands then; null: the event changes nothing of
   * that. A folder that cannot be written leaves the session to what it heard itself. Never throws.
   */
  heard(event: AgentEvent): QuotaWindow | null;
};

/** What others noted is looked at no more often than this. */
const LOOK_MS = 15_000;

/**
 * The book as one session writes it. `token`: the session's; opened again with the same one, its page is gone on with. `isLate`: its
 * agent reports what was used only when a turn is over.
 */
export function openBook(
  account: Account & { readonly token: string; readonly isLate: boolean },
  { io, clock }: { readonly io: Io; readonly clock: Clock },
): Book {
  const { folder, rules } = account;
  const name = pageName(account.token);
  let own = pagesIn(folder).find((one) => one.name === name)?.page ?? EMPTY_PAGE;
  let others: readonly Page[] = [];
  let lookedAt = Number.NEGATIVE_INFINITY;
  let told: QuotaWindow | null = null;
  let guess = NO_GUESS;
  return {
    heard(said) {
      if (said.t !== 'quota' && rules.length === 0) return null;
      let event = said;
      if (account.isLate) ({ guess, event } = guessed(guess, said));
      const now = clock.now();
      const page = noted(own, event, now);
      if (page === own) return null;
      own = page;
      write(io, join(folder, name), own);
      if (now - lookedAt >= LOOK_MS) {
        lookedAt = now;
        others = pagesIn(folder).flatMap((one) => (one.name === name ? [] : [one.page]));
      }
      const window = fullest(windowsOf([own, ...others], rules, now));
      const isKnown = JSON.stringify(window) === JSON.stringify(told);
      told = window;
      return isKnown ? null : window;
    },
  };
}

function write(io: Io, file: string, page: Page): void {
  try {
    io.replace(file, `${JSON.stringify(page)}\n`);
  } catch {
    // it is a note between sessions: none of them may end for want of it
  }
}

/** The provider refuses this account until then, as `by` was told; whoever asks later is told so. `until`: ISO 8601. */
export function closeAccount(
  io: Io,
  { folder }: Account,
  by: string,
  { until, now }: { readonly until: string; readonly now: number },
): void {
  const page = noted(EMPTY_PAGE, { t: 'quota', window: CLOSED, used: 1, resetsAt: until }, now);
  write(io, join(folder, pageName(by)), page);
}

/** Pages of which nothing counts any more, and what a death left of one. Costs one look at the folder. */
export function tidyBook({ folder, rules }: Account, now: number): void {
  for (const { name, page } of pagesIn(folder))
    if (isOver(page, rules, now)) rmSync(join(folder, name), { force: true });
  for (const name of namesIn(folder)) {
    const at = name.endsWith('.tmp') ? statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs : undefined;
    if (at !== undefined && now - at > TORN_MS) rmSync(join(folder, name), { force: true });
  }
}
const TORN_MS = 3_600_000;

const pageName = (token: string): string => `${sha256(token).slice(0, 16)}.json`;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // nobody noted anything yet
  }
}

function pagesIn(folder: string): readonly { readonly name: string; readonly page: Page }[] {
  return namesIn(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      try {
        return [{ name, page: pageShape.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))) }];
      } catch {
        return []; // of another version, or removed by now
      }
    });
}
