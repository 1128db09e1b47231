// Owns the first words with the program: who it is, who is logged in, and a thread of its own, fresh or resumed, that holds
// what was asked of it.
import { z } from 'zod';
import { packageVersion } from '../../host/package-root.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { SessionSpec } from '../port.ts';
import { classify, symptomOf } from './errors.ts';
import { keyOf, SANDBOXES, threadOf, wantedSandbox, type Theirs } from './settings.ts';
import type { Wire } from './wire.ts';

/** `isConfined`: the program's own sandbox is around what it runs. */
export type Thread = { readonly id: string; readonly version: string | null; readonly isConfined: boolean };

/** How long an empty command in the sandbox may take. */
const TRIAL_MS = 10_000;

/** Told for every piece of output and every change of a diff: nobody here reads it. */
const UNREAD = [
  'item/commandExecution/outputDelta',
  'item/fileChange/outputDelta',
  'item/fileChange/patchUpdated',
  'turn/diff/updated',
  'turn/plan/updated',
];

const hello = z.looseObject({ userAgent: z.string().catch('') });
const account = z.looseObject({
  account: z.unknown().transform((value) => value ?? null),
  requiresOpenaiAuth: z.boolean().catch(false),
});
const settings = z.looseObject({
  config: z.looseObject({ mcp_servers: z.record(z.string(), z.unknown()).nullish().catch(null) }),
});
const skills = z.looseObject({
  data: z.array(z.looseObject({ skills: z.array(z.looseObject({ name: z.string() })).catch([]) })).catch([]),
});
const opened = z.looseObject({
  thread: z.looseObject({ id: z.string().min(1) }),
  approvalPolicy: z.unknown().optional(),
  approvalsReviewer: z.unknown().optional(),
  sandbox: z.looseObject({ type: z.string() }),
});

/** `gone`: why there was no answer, for a program that went away in the middle. */
export async function introduce(
  wire: Wire,
  spec: SessionSpec,
  now: () => number,
  gone: () => Promise<Failure>,
): Promise<Result<Thread>> {
  /** The answer as we know it, or a failure. */
  async function ask<T>(method: string, params: object, shape: z.ZodType<T>): Promise<Result<T>> {
    const answer = await wire.request(method, params);
    if (!answer.ok)
      return err(answer.error === null ? await gone() : classify(symptomOf({ message: answer.error.message }), now()));
    const read = shape.safeParse(answer.result);
    return read.success ? ok(read.data) : err(failure('agent-malformed', { provider: 'codex', what: method }));
  }

  const capabilities = { experimentalApi: true, requestAttestation: false, optOutNotificationMethods: UNREAD };
  const clientInfo = { name: 'harness', title: null, version: packageVersion() };
  const met = await ask('initialize', { clientInfo, capabilities }, hello);
  if (!met.ok) return met;
  wire.tell('initialized');
  const version = /\/(\d+\.\d+\.\d+\S*)/.exec(met.value.userAgent)?.[1] ?? null;

  const theirs = await whatIsThere();
  if (!theirs.ok) return theirs;
  const login = await logIn();
  if (!login.ok) return login;
  const isConfined = spec.box === undefined && (await holds());
  const params = threadOf(spec, theirs.value, isConfined);
  const made =
    spec.resume === null
      ? await ask('thread/start', { ...params, ephemeral: spec.mode === 'complete' }, opened)
      : await ask('thread/resume', { ...params, threadId: spec.resume.id, excludeTurns: true }, opened);
  if (!made.ok) return made;
  const { thread, approvalPolicy, approvalsReviewer, sandbox } = made.value;
  const found = [approvalPolicy, approvalsReviewer, sandbox.type].map(String).join(', ');
  const wanted = `untrusted, user, ${wantedSandbox(spec.mode, isConfined)}`;
  // Somebody else decides what is allowed here: rules of an organisation, or a version that reads settings in another way.
  if (found !== wanted)
    return err(failure('agent-not-configured', { provider: 'codex', detail: `${wanted} ≠ ${found}` }));
  return ok({ id: thread.id, version, isConfined });

  async function whatIsThere(): Promise<Result<Theirs>> {
    const [config, known] = await Promise.all([
      ask('config/read', { includeLayers: false }, settings),
      ask('skills/list', { cwds: [spec.cwd] }, skills),
    ]);
    if (!config.ok) return config;
    if (!known.ok) return known;
    return ok({
      servers: Object.keys(config.value.config.mcp_servers ?? {}),
      skills: known.value.data.flatMap((entry) => entry.skills.map((skill) => skill.name)),
    });
  }

  /**
   * Whether the program's own sandbox can be had on this machine at all: where none can, no command would run. Then the
   * harness has no box either, and has told the person so.
   */
  async function holds(): Promise<boolean> {
    const command = [process.execPath, '--version'];
    const trial = { command, cwd: spec.cwd, timeoutMs: TRIAL_MS, permissionProfile: SANDBOXES[spec.mode] };
    const tried = await ask('command/exec', trial, z.looseObject({ exitCode: z.number() }));
    return !tried.ok || tried.value.exitCode === 0;
  }

  /** Makes no request to the provider. */
  async function logIn(): Promise<Result<null>> {
    const who = await ask('account/read', {}, account);
    if (!who.ok) return who;
    if (!who.value.requiresOpenaiAuth) return ok(null);
    const key = keyOf(spec);
    if (key !== null) {
      const done = await ask('account/login/start', { type: 'apiKey', apiKey: key }, z.unknown());
      return done.ok ? ok(null) : done;
    }
    if ((who.value.account ?? null) !== null) return ok(null);
    return err(failure('agent-auth', { provider: 'codex', detail: 'codex login' }));
  }
}
