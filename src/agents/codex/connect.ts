// Connects to the program: its version, the login, and a thread, new or resumed, with the settings that were requested.
import { z } from 'zod';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { SessionSpec } from '../port.ts';
import { asker, greet, logIn } from './login.ts';
import { keyOf, SANDBOXES, threadOf, wantedSandbox, type UserSettings } from './settings.ts';
import type { CodexWire } from './wire.ts';

/** `isConfined`: what the program runs is confined by its own sandbox. */
export type CodexThread = { readonly id: string; readonly version: string | null; readonly isConfined: boolean };

/** The time limit of the command that tries the sandbox. */
const TRIAL_MS = 10_000;

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
  const request = asker(wire, now, exited);
  const greeted = await greet(wire, request);
  if (!greeted.ok) return greeted;
  const version = greeted.value;

  const theirs = await userSettings();
  if (!theirs.ok) return theirs;
  const login = await logIn(request, keyOf(spec));
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
}
