// Secrets of the environment in what a session leaves: looked for when it is checked, and again in every commit of a whole work tree, which
// is where nothing gets past.
import { serverSecrets, wholeEnvironment } from '../host/environment.ts';
import { environmentSecrets, type Secret } from '../host/secrets.ts';
import type { CheckAsk } from '../model/action.ts';
import { ok, type Result } from '../model/result.ts';
import type { Problem } from '../model/verdict.ts';
import { changeBetween } from '../repos/change-text.ts';
import type { ObjectId } from '../repos/git.ts';
import { secretsInChange } from '../verify/secrets-in-change.ts';
import type { RunHost, RunRepository, RunSettings, RunStores } from './run-context.ts';
import { FIRST_TURN, readBegun, wasBegun } from './performers/begun-turn.ts';

type Context = RunRepository & RunSettings & RunHost;

const findIn = ({ config }: RunSettings): ((text: string) => readonly Secret[]) | null => {
  const env = wholeEnvironment();
  return environmentSecrets({ ...env, ...serverSecrets(config.tools.mcpServers, env) });
};

/** What `to` adds to `from`; null: no secret. Runs git only where the environment has secrets. */
export async function addedSecrets(context: Context, from: ObjectId, to: ObjectId): Promise<Result<Problem | null>> {
  const find = findIn(context);
  if (find === null) return ok(null);
  const files = await changeBetween(context.git, from, to);
  return files.ok ? ok(secretsInChange(files.value, find, context.redact)) : files;
}

/** In the work that is checked, compared with the commit that its session began on; a check of no agent's work is not asked. */
export async function secretsInWork(
  context: Context & RunStores,
  { session, purpose }: Pick<CheckAsk, 'session' | 'purpose'>,
  tree: ObjectId,
): Promise<Result<Problem | null>> {
  if (session === null) return purpose === 'layer-1' ? addedSecrets(context, 'HEAD', tree) : ok(null);
  const folder = context.sessions.pointer(session)?.folder;
  const from = folder !== undefined && wasBegun(folder, FIRST_TURN) ? readBegun(folder, FIRST_TURN).head : 'HEAD';
  return addedSecrets(context, from, tree);
}

/** The harness's own texts, the log above all, with the secrets that agents wrote into their notes masked. */
export function withoutSecrets(context: RunSettings, text: string): string {
  const found = findIn(context)?.(text) ?? [];
  let done = 0;
  let result = '';
  for (const { from, to, kind } of found) {
    if (from < done) continue;
    result += `${text.slice(done, from)}[masked:${kind}]`;
    done = to;
  }
  return result + text.slice(done);
}
