// The accounts of this repository's agents, for readers outside of a run (`status`).
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod/mini';
import { readQuotaWindows, type Account } from '../../agents/quota/ledger.ts';
import type { QuotaWindow } from '../../model/quota.ts';
import type { RunContext } from '../run-context.ts';

const known = z.array(
  z.object({
    provider: z.string(),
    folder: z.string(),
    rules: z.array(z.object({ hours: z.number(), tokens: z.number() })),
  }),
);
export type KnownAccount = Account & { readonly provider: string };
export type AccountWindow = QuotaWindow & { readonly provider: string };

const fileIn = (privateDir: string): string => join(privateDir, 'accounts.json');

/** Written if it changed. */
export function keepAccounts(
  { io, privateDir }: Pick<RunContext, 'io' | 'privateDir'>,
  accounts: readonly KnownAccount[],
): void {
  const text = `${JSON.stringify(accounts)}\n`;
  const file = fileIn(privateDir);
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) io.replace(file, text);
}

/** A list that cannot be read is empty; the next session writes it again. */
export function windowsOfAccounts(privateDir: string, now: number): readonly AccountWindow[] {
  const file = fileIn(privateDir);
  if (!existsSync(file)) return [];
  try {
    const accounts = known.parse(JSON.parse(readFileSync(file, 'utf8')));
    return accounts.flatMap((one) =>
      readQuotaWindows(one, now).map((window) => ({ provider: one.provider, ...window })),
    );
  } catch {
    return [];
  }
}
