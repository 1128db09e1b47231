// Serves the requests of an agent: permissions, files, terminals. The policy makes every decision, and each one becomes an event. Files
// are read and written only inside the session's folder, with links resolved, never in .git/ or .harness/.
import { constants } from 'node:fs';
import { lstat, mkdir, open, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type * as Acp from '@agentclientprotocol/sdk';
import type { AgentEvent } from '../../model/event.ts';
import type { Params } from '../../model/failure.ts';
import { shellWord } from '../../model/shell-quote.ts';
import type { SessionSpec, ToolCall, ToolPolicy } from '../port.ts';
import type { Terminals } from './terminals.ts';
import { closedPath } from '../policy.ts';

export type ServeOptions = {
  readonly spec: SessionSpec;
  readonly env: { readonly [name: string]: string };
  readonly policy: ToolPolicy;
  readonly terminals: Terminals;
  readonly emit: (event: AgentEvent) => void;
  /** Called with the reason, as a sentence, of a permission request that was refused. */
  readonly refused: (reason: string) => void;
  /** The tool call of a permission request, completed from earlier updates. */
  readonly callOf: (toolCall: unknown) => ToolCall;
};

const KEEP_BYTES = 1024 * 1024;
const INVALID_PARAMS = -32602;

export function serveAgent(acp: typeof Acp, app: Acp.ClientApp, options: ServeOptions): Acp.ClientApp {
  const { spec, terminals, emit } = options;
  const { client } = acp.methods;
  const refuse = (why: string): never => {
    throw new acp.RequestError(INVALID_PARAMS, why);
  };
  const decide = (call: ToolCall): boolean => {
    const answer = options.policy(call);
    if (answer.allow) {
      emit({ t: 'permission', tool: call.tool, decision: 'allow', why: '' });
      return true;
    }
    emit({ t: 'permission', tool: call.tool, decision: 'deny', why: answer.why, about: aboutOf(answer) });
    return refuse(answer.say ?? answer.why);
  };
  /** A path outside the work folder is refused before the policy is asked; the event is the same. */
  const inRoot = async (path: string, tool: string): Promise<{ path: string; inside: string; exists: boolean }> => {
    const found = await resolveInside(spec.cwd, path);
    if (found.ok) return found;
    // The policy is asked for the sentence. By name alone it may allow the path; then the code has to suffice.
    const answer = options.policy({ tool, paths: [path], command: null });
    emit({ t: 'permission', tool, decision: 'deny', why: found.why, about: path });
    return refuse(answer.allow || answer.why !== found.why ? found.why : (answer.say ?? found.why));
  };
  const known = <T>(value: T | null): T => value ?? refuse('terminal-unknown');

  return app
    .onRequest(client.session.requestPermission, ({ params }) => {
      const call = options.callOf(params.toolCall);
      const answer = options.policy(call);
      const { allowed, outcome } = answerPermission(params.options, answer.allow);
      if (allowed) {
        emit({ t: 'permission', tool: call.tool, decision: 'allow', why: '' });
        return { outcome };
      }
      const why = answer.allow ? 'no-option-for-once' : answer.why;
      const about = answer.allow ? '' : aboutOf(answer);
      emit({ t: 'permission', tool: call.tool, decision: 'deny', why, about });
      const reason = answer.allow ? why : (answer.say ?? why);
      options.refused(reason);
      // The protocol has no field for a reason. Agents that read `_meta` find it, all others get it before the next turn.
      return { outcome, _meta: { harness: { rule: why, reason } } };
    })
    .onRequest(client.fs.readTextFile, async ({ params }) => {
      if (spec.mode === 'complete') refuse('mode-has-no-tools');
      const file = await inRoot(params.path, 'read');
      const call = { tool: 'read', paths: [file.inside], command: null };
      if (!options.policy(call).allow) decide(call); // no event for reading
      if (!file.exists) throw acp.RequestError.resourceNotFound(params.path);
      return { content: await readSessionFile(file.path, params.line ?? null, params.limit ?? null) };
    })
    .onRequest(client.fs.writeTextFile, async ({ params }) => {
      const file = await inRoot(params.path, 'edit');
      decide({ tool: 'edit', paths: [file.inside], command: null, change: { before: null, after: params.content } });
      await writeSessionFile(file.path, params.content);
      emit({ t: 'file-change', path: file.inside, change: file.exists ? 'update' : 'add' });
      return {};
    })
    .onRequest(client.terminal.create, async ({ params }) => {
      const args = params.args ?? [];
      const folder = (await inRoot(params.cwd ?? spec.cwd, 'execute')).path;
      // Some agents send a whole shell line as the command.
      const isLine = args.length === 0 && /\s/.test(params.command.trim());
      const set = (params.env ?? []).map(({ name, value }) => `${name}=${shellWord(value)}`);
      const line = isLine ? params.command : [params.command, ...args].map(shellWord).join(' ');
      decide({ tool: 'execute', paths: [folder], command: [...set, line].join(' '), folder });
      const argv = isLine ? ['/bin/sh', '-c', params.command] : [params.command, ...args];
      const added = Object.fromEntries((params.env ?? []).map(({ name, value }) => [name, value]));
      const keepBytes = Math.min(params.outputByteLimit ?? KEEP_BYTES, KEEP_BYTES);
      const wallMs = spec.tools === undefined ? null : spec.tools.settings.shell.timeoutSeconds * 1_000;
      const env = { ...options.env, ...added };
      return { terminalId: terminals.create({ argv, cwd: folder, env, keepBytes, wallMs }) };
    })
    .onRequest(client.terminal.output, ({ params }) => known(terminals.output(params.terminalId)))
    .onRequest(client.terminal.waitForExit, ({ params }) => known(terminals.waitForExit(params.terminalId)))
    .onRequest(client.terminal.kill, ({ params }) => (known(terminals.kill(params.terminalId) || null), {}))
    .onRequest(client.terminal.release, ({ params }) => (known(terminals.release(params.terminalId) || null), {}));
}

const aboutOf = ({ params }: { readonly params: Params }): string => String(params['about'] ?? '');

/** The capabilities of the client: a review cannot write, a completion gets nothing. `ownFiles`: no files through us. */
export function clientCapabilities(
  mode: SessionSpec['mode'],
  ownFiles = false,
): {
  fs: { readTextFile: boolean; writeTextFile: boolean };
  terminal: boolean;
} {
  return {
    fs: { readTextFile: !ownFiles && mode !== 'complete', writeTextFile: !ownFiles && mode === 'exec' },
    terminal: mode !== 'complete',
  };
}

type PermissionOption = { readonly optionId: string; readonly kind: string };
type PermissionOutcome = { outcome: { outcome: 'selected'; optionId: string } | { outcome: 'cancelled' } };

/**
 * The response to a permission request: the policy decides, and one of the agent's options expresses the decision. A permanent permission is
 * never given: without an option for this one time the call is refused.
 */
export function answerPermission(
  options: readonly PermissionOption[],
  allow: boolean,
): PermissionOutcome & { allowed: boolean } {
  const of = (kind: string): PermissionOption | undefined => options.find((option) => option.kind === kind);
  const yes = allow ? of('allow_once') : undefined;
  const chosen = yes ?? of('reject_once') ?? of('reject_always');
  return {
    allowed: yes !== undefined,
    outcome: chosen === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: chosen.optionId },
  };
}

type SessionPath =
  | { readonly ok: true; readonly path: string; readonly inside: string; readonly exists: boolean }
  | { readonly ok: false; readonly why: string };

/** A larger file is not sent to an agent in one message. */
const READ_BYTES = 16 * 1024 * 1024;

/** The real path of a path that the agent gave. `inside` is relative to the session's folder. Never throws. */
async function resolveInside(folder: string, path: string): Promise<SessionPath> {
  try {
    const root = await realpath(folder);
    const asked = isAbsolute(path) ? path : resolve(root, path);
    const { real, exists } = await realWhereItExists(asked);
    const why = closedPath(root, real);
    return why === null ? { ok: true, path: real, inside: relative(root, real), exists } : { ok: false, why };
  } catch {
    return { ok: false, why: 'unreadable-path' };
  }
}

/** Resolves links as far as the path exists. A link without a target is refused, because writing would follow it. */
async function realWhereItExists(path: string): Promise<{ real: string; exists: boolean }> {
  const found = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (found !== null) return { real: await realpath(path), exists: true };
  const parent = await realWhereItExists(dirname(path));
  return { real: join(parent.real, basename(path)), exists: false };
}

/** The text of a file, or `limit` lines of it from `line` (1-based). Throws the errors of the file system. */
async function readSessionFile(path: string, line: number | null, limit: number | null): Promise<string> {
  const { size } = await stat(path);
  if (size > READ_BYTES) throw new Error('file-too-large');
  const text = await readFile(path, 'utf8');
  if (line === null && limit === null) return text;
  const from = Math.max(0, (line ?? 1) - 1);
  return text
    .split('\n')
    .slice(from, limit === null ? undefined : from + limit)
    .join('\n');
}

/** Writes to a resolved path; its last part is not followed if it has become a link meanwhile. */
async function writeSessionFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
  const file = await open(path, flags, 0o666);
  try {
    await file.writeFile(text, 'utf8');
  } finally {
    await file.close();
  }
}
