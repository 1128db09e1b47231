// Consent to bypassing a safeguard: shows what will be done and asks, unless --yes is set.
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import type { Caller } from './command.ts';

/** False: declined. Fails with `confirmation-needed` if questions are not possible. */
export async function consent(
  caller: Caller,
  ask: { readonly action: string; readonly shown: readonly string[]; readonly question: string },
): Promise<Result<boolean>> {
  const { action, shown, question } = ask;
  if (caller.yes) {
    for (const line of shown) caller.say(line);
    return ok(true);
  }
  if (caller.noInput) return err(failure('confirmation-needed', { action, detail: shown.join('\n') }));
  return ok(await caller.confirm([...shown, question].join('\n')));
}
