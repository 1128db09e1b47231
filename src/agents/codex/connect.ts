// Connects to the program: its version, the login, and a thread, new or resumed, with the settings that were requested.
import { z } from 'zod';
import { packageVersion } from '../../host/package-root.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { SessionSpec } from '../port.ts';
import { classify, symptomOf } from './errors.ts';
import { keyOf, SANDBOXES, threadOf, wantedSandbox, type UserSettings } from './settings.ts';
import type { CodexWire } from './wire.ts';

/** `isConfined`: what the program runs is confined by its own sandbox. */
export type CodexThread = { readonly id: string; readonly version: string | null; readonly isConfined: boolean };

/** The time limit of the command that tries the sandbox. */
const TRIAL_MS = 10_000;

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

/** `exited`: why there was no response, for a program that has exited meanwhile. */
export async function openThread(
  wire: CodexWire,
  spec: SessionSpec,
  now: () => number,
  exited: () => Promise<Failure>,
): Promise<Result<CodexThread>> {
  /** The response in the known form, or a failure. */
  async function request<T>(method: string, params: object, shape: z.ZodType<T>): Promise<Result<T>> {
    const answer = await wire.request(method, params);
    if (!answer.ok)
      return err(
        answer.error === null ? await exited() : classify(symptomOf({ message: answer.error.message }), now()),
      );
    const read = shape.safeParse(answer.result);
    return read.success ? ok(read.data) : err(failure('agent-malformed', { provider: 'codex', what: method }));
  }

  const capabilities = { experimentalApi: true, requestAttestation: false, optOutNotificationMethods: UNUSED };
  const clientInfo = { name: 'harness', title: null, version: packageVersion() };
  const hello = await request('initialize', { clientInfo, capabilities }, initialized);
  if (!hello.ok) return hello;
  wire.notify('initialized');
  const version = /\/(\d+\.\d+\.\d+\S*)/.exec(hello.value.userAgent)?.[1] ?? null;

  const theirs = await userSettings();
  if (!theirs.ok) return theirs;
  const login = await logIn();
  if (!login.ok) return login;
  const isConfined = spec.box === undefined && (await hasSandbox());
  const params = threadOf(spec, theirs.value, isConfined);
  const made =
    spec.resume === null
      ? await request('thread/start', { ...params, ephemeral: spec.mode === 'complete' }, opened)
      : await request('thread/resume', { ...params, threadId: spec.resume.id, excludeTurns: true }, opened);
  if (!made.ok) return made;
  const { thread, approvalPolicy, approvalsReviewer, sandbox } = made.value;
  const found = [approvalPolicy, approvalsReviewer, sandbox.type].map(String).join(', ');
  const wanted = `untrusted, user, ${wantedSandbox(spec.mode, isConfined)}`;
  // Something else decides what is allowed: rules of an organisation, or a version that reads settings in another way.
  if (found !== wanted)
    return err(failure('agent-not-configured', { provider: 'codex', detail: `${wanted} ≠ ${found}` }));
  return ok({ id: thread.id, version, isConfined });

  async function userSettings(): Promise<Result<UserSettings>> {
    const [config, known] = await Promise.all([
      request('config/read', { includeLayers: false }, settings),
      request('skills/list', { cwds: [spec.cwd] }, skills),
    ]);
    if (!config.ok) return config;
    if (!known.ok) return known;
    return ok({
      servers: Object.keys(config.value.config.mcp_servers ?? {}),
      skills: known.value.data.flatMap((entry) => entry.skills.map((skill) => skill.name)),
    });
  }

  /**
   * Whether the program's own sandbox works on this machine. Without it no command would run; then the harness has no sandbox either and
   * has reported that to the user.
   */
  async function hasSandbox(): Promise<boolean> {
    const command = [process.execPath, '--version'];
    const trial = { command, cwd: spec.cwd, timeoutMs: TRIAL_MS, permissionProfile: SANDBOXES[spec.mode] };
    const tried = await request('command/exec', trial, z.looseObject({ exitCode: z.number() }));
    return !tried.ok || tried.value.exitCode === 0;
  }

  /** Makes no request to the provider. */
  async function logIn(): Promise<Result<null>> {
    const who = await request('account/read', {}, account);
    if (!who.ok) return who;
    if (!who.value.requiresOpenaiAuth) return ok(null);
    const key = keyOf(spec);
    if (key !== null) {
      const done = await request('account/login/start', { type: 'apiKey', apiKey: key }, z.unknown());
      return done.ok ? ok(null) : done;
    }
    if ((who.value.account ?? null) !== null) return ok(null);
    return err(failure('agent-auth', { provider: 'codex', detail: 'codex login' }));
  }
}
