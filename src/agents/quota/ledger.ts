// The quota ledger of an account: what all sessions of a user know about its quota, one page (file) per session in a folder of that user.
// Every page has one writer, so no session waits for another, and a session that is killed leaves what it used on its page.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { targetStatsOf } from '../../host/paths.ts';
import type { Clock } from '../../host/clock.ts';
import { sha256 } from '../../host/files.ts';
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
import type { Variables } from '../../host/environment.ts';
import type { AgentConfig, ProviderName } from '../../model/config.ts';

/** Where the pages of an account are, and the windows that the user configured for its provider. */
export type Account = { readonly folder: string; readonly rules: readonly WindowRule[] };

/** The windows of an account, without the page of the session `without`. A page that cannot be read is ignored. */
export const readQuotaWindows = ({ folder, rules }: Account, now: number, without = ''): readonly QuotaWindow[] =>
  windowsOf(
    pagesIn(folder).flatMap(({ name, page }) => (name === pageName(without) ? [] : [page])),
    rules,
    now,
  );

export type QuotaLedger = {
  /**
   * Records an event of its session. Returns the fullest window of the account where the event changes it; null: it does not. In a folder
   * that cannot be written the session only has its own figures. Never throws.
   */
  record(event: AgentEvent): QuotaWindow | null;
};

/** The pages of other sessions are read at most this often. */
const READ_MS = 15_000;

/**
 * The ledger as one session writes it. `token`: that of the session; opened again with the same token, its page is continued. `isLate`:
 * its agent reports what was used only at the end of a turn.
 */
export function openQuotaLedger(
  account: Account & { readonly token: string; readonly isLate: boolean },
  { io, clock }: { readonly io: Io; readonly clock: Clock },
): QuotaLedger {
  const { folder, rules } = account;
  const name = pageName(account.token);
  let own = pagesIn(folder).find((one) => one.name === name)?.page ?? EMPTY_PAGE;
  let others: readonly Page[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  let reported: QuotaWindow | null = null;
  let guess = NO_GUESS;
  return {
    record(received) {
      if (received.t !== 'quota' && rules.length === 0) return null;
      let event = received;
      if (account.isLate) ({ guess, event } = guessed(guess, received));
      const now = clock.now();
      const page = noted(own, event, now);
      if (page === own) return null;
      own = page;
      write(io, join(folder, name), own);
      if (now - readAt >= READ_MS) {
        readAt = now;
        others = pagesIn(folder).flatMap((one) => (one.name === name ? [] : [one.page]));
      }
      const window = fullest(windowsOf([own, ...others], rules, now));
      const isSame = JSON.stringify(window) === JSON.stringify(reported);
      reported = window;
      return isSame ? null : window;
    },
  };
}

function write(io: Io, file: string, page: Page): void {
  try {
    io.replace(file, `${JSON.stringify(page)}\n`);
  } catch {
    // sessions share these pages, but none of them may fail without them
  }
}

/** Records that the provider refuses this account until then (ISO 8601), as it answered the session `by`. */
export function closeAccount(
  io: Io,
  { folder }: Account,
  by: string,
  { until, now }: { readonly until: string; readonly now: number },
): void {
  const page = noted(EMPTY_PAGE, { t: 'quota', window: CLOSED, used: 1, resetsAt: until }, now);
  write(io, join(folder, pageName(by)), page);
}

/** Removes pages that no longer count, and half-written ones of crashed processes. Lists the folder twice. */
export function removeExpiredPages({ folder, rules }: Account, now: number): void {
  for (const { name, page } of pagesIn(folder))
    if (isOver(page, rules, now)) rmSync(join(folder, name), { force: true });
  for (const name of namesIn(folder)) {
    const at = name.endsWith('.tmp') ? targetStatsOf(join(folder, name))?.mtimeMs : undefined;
    if (at !== undefined && now - at > STALE_MS) rmSync(join(folder, name), { force: true });
  }
}
const STALE_MS = 3_600_000;

const pageName = (token: string): string => `${sha256(token).slice(0, 16)}.json`;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // no session has recorded anything yet
  }
}

function pagesIn(folder: string): readonly { readonly name: string; readonly page: Page }[] {
  return namesIn(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      try {
        return [{ name, page: pageShape.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))) }];
      } catch {
        return []; // of another version, or removed meanwhile
      }
    });
}

/** The variables that distinguish accounts of a provider, in addition to those that are configured for the agent. */
const IDENTIFYING: { readonly [P in ProviderName]: readonly string[] } = {
  claude: [
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_AUTH_TOKEN',
    'ANTHROPIC_BASE_URL',
    'CLAUDE_CODE_OAUTH_TOKEN',
    'CLAUDE_CONFIG_DIR',
    'HOME',
  ],
  codex: ['OPENAI_API_KEY', 'CODEX_API_KEY', 'OPENAI_BASE_URL', 'CODEX_HOME', 'HOME'],
  acp: ['HOME'],
  scripted: [],
  replay: [],
};

/**
 * The name of the account that an agent's requests count on, derived from the settings that the user logs in with. Two agents with one
 * account get the same name; no key can be recovered from it. `env`: the agent's whole environment. `root`: the folder of a relative
 * scenario, which is an account of its own.
 */
export function accountOf(agent: AgentConfig, env: Variables, root: string): string {
  const { provider, command, scenario } = agent;
  const names = [...new Set([...IDENTIFYING[provider], ...Object.keys(agent.env)])].sort();
  const identity = [
    command,
    scenario === null ? null : resolve(root, scenario),
    names.map((name) => [name, env[name] ?? null]),
  ];
  return `${provider}-${sha256(JSON.stringify(identity)).slice(0, 16)}`;
}
