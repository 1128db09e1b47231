// The first words with the program, and whether it has a login. Makes no request to the provider.
import { tmpdir } from 'node:os';
import { z } from 'zod';
import { settlesWithin, systemClock } from '../../host/clock.ts';
import type { Variables } from '../../host/environment.ts';
import { packageVersion } from '../../host/package-root.ts';
import type { AgentConfig } from '../../model/config.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { SessionSpec } from '../port.ts';
import { classify, symptomOf } from './errors.ts';
import { startServer } from './server.ts';
import { keyOf } from './settings.ts';
import type { CodexWire } from './wire.ts';

/** The response in the known form, or a failure. */
export type Ask = <T>(method: string, params: object, shape: z.ZodType<T>) => Promise<Result<T>>;

/** `exited`: why there was no response, for a program that has exited meanwhile. */
export function asker(wire: CodexWire, now: () => number, exited: () => Promise<Failure>): Ask {
  return async (method, params, shape) => {
    const answer = await wire.request(method, params);
    if (!answer.ok)
      return err(
        answer.error === null ? await exited() : classify(symptomOf({ message: answer.error.message }), now()),
      );
    const read = shape.safeParse(answer.result);
    return read.success ? ok(read.data) : err(failure('agent-malformed', { provider: 'codex', what: method }));
  };
}

/** Notifications for every chunk of output and every change of a diff, which are not used here. */
const UNUSED = [
  'item/commandExecution/outputDelta',
  'item/fileChange/outputDelta',
  'item/fileChange/patchUpdated',
  'turn/diff/updated',
  'turn/plan/updated',
];

const initialized = z.looseObject({ userAgent: z.string().catch('') });
const account = z.looseObject({
  account: z.unknown().transform((value) => value ?? null),
  requiresOpenaiAuth: z.boolean().catch(false),
});

/** The version of the program; null: it does not say. */
export async function greet(wire: CodexWire, ask: Ask): Promise<Result<string | null>> {
  const capabilities = { experimentalApi: true, requestAttestation: false, optOutNotificationMethods: UNUSED };
  const clientInfo = { name: 'harness', title: null, version: packageVersion() };
  const hello = await ask('initialize', { clientInfo, capabilities }, initialized);
  if (!hello.ok) return hello;
  wire.notify('initialized');
  return ok(/\/(\d+\.\d+\.\d+\S*)/.exec(hello.value.userAgent)?.[1] ?? null);
}

/** `key`: of the environment, for this session alone; null: the user's own login. */
export async function logIn(ask: Ask, key: string | null): Promise<Result<null>> {
  const who = await ask('account/read', {}, account);
  if (!who.ok) return who;
  if (!who.value.requiresOpenaiAuth) return ok(null);
  if (key !== null) {
    const done = await ask('account/login/start', { type: 'apiKey', apiKey: key }, z.unknown());
    return done.ok ? ok(null) : done;
  }
  if (who.value.account !== null) return ok(null);
  return err(failure('agent-auth', { provider: 'codex', detail: 'codex login' }));
}

/** A program that takes longer to answer is not asked. */
const PATIENCE_MS = 10_000;

/** Starts the program, asks it and ends it. Null: it has a login, needs none, or does not say. */
export async function lacksLogin(argv: readonly string[], agent: AgentConfig, env: Variables): Promise<Failure | null> {
  const folder = tmpdir();
  const spec: SessionSpec = { agent, mode: 'complete', cwd: folder, token: 'login', env, resume: null, home: folder };
  const server = startServer(argv, spec, { onNotification: () => undefined, onRequest: () => Promise.resolve(null) });
  const ask = asker(
    server.wire,
    () => systemClock.now(),
    () => server.exited,
  );
  const asked = (async (): Promise<Failure | null> => {
    const hello = await greet(server.wire, ask);
    const login = hello.ok ? await logIn(ask, keyOf(spec)) : hello;
    return !login.ok && login.failure.reason === 'agent-auth' ? login.failure : null;
  })();
  const isOver = await settlesWithin(PATIENCE_MS, asked);
  await server.end(isOver ? PATIENCE_MS : 0);
  return isOver ? await asked : null;
}
