// Connects to an agent: agrees on the protocol's version and opens a session, new or resumed.
import type * as Acp from '@agentclientprotocol/sdk';
import { z } from 'zod';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { SessionSpec } from '../port.ts';
import type { RpcError } from './errors.ts';
import { clientCapabilities } from './serve.ts';

export type AcpSessionInfo = { readonly sessionId: string; readonly version: string | null };

/** Modes in which the agent itself changes nothing. */
const READING_MODE = /^(plan|ask|read-?only|review)$/i;

/** The answer to the first message of the protocol. */
export const initialized = z.looseObject({
  protocolVersion: z.number(),
  agentInfo: z.looseObject({ version: z.string().nullish() }).nullish().catch(null),
  agentCapabilities: z
    .looseObject({
      loadSession: z.boolean().nullish(),
      sessionCapabilities: z.looseObject({ resume: z.looseObject({}).nullish() }).nullish(),
    })
    .nullish()
    .catch(null),
});
const opened = z.looseObject({
  sessionId: z.string().min(1),
  modes: z
    .looseObject({ currentModeId: z.string(), availableModes: z.array(z.looseObject({ id: z.string() })) })
    .nullish()
    .catch(null),
});

/** Only for sessions that may write, because tool servers can write. */
const serversOf = ({ mode, tools }: SessionSpec): Acp.McpServer[] =>
  mode !== 'exec'
    ? []
    : Object.entries(tools?.settings.mcpServers ?? {}).map(([name, { command, args, env }]) => ({
        name,
        command,
        args: [...args],
        env: Object.entries(env).map(([key, value]) => ({ name: key, value })),
      }));

/** An error response of the agent is a failure. Rejects only where the connection ended before the response. */
export async function openSession(
  acp: typeof Acp,
  agent: Acp.ClientContext,
  spec: SessionSpec,
  { explain, ownFiles }: { readonly explain: (error: RpcError) => Failure; readonly ownFiles: boolean },
): Promise<Result<AcpSessionInfo>> {
  const { methods, PROTOCOL_VERSION } = acp;
  try {
    const hello = initialized.safeParse(
      await agent.request(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientInfo: { name: 'harness', version: '0' },
        clientCapabilities: clientCapabilities(spec.mode, ownFiles),
      }),
    );
    const protocolVersion = hello.data?.protocolVersion ?? 'none';
    if (!hello.success || protocolVersion !== PROTOCOL_VERSION)
      return err(
        failure('agent-malformed', { what: 'protocol-version', expected: PROTOCOL_VERSION, found: protocolVersion }),
      );
    const version = hello.data.agentInfo?.version ?? null;
    if (spec.resume !== null) {
      const can = hello.data.agentCapabilities;
      const how = can?.sessionCapabilities?.resume
        ? methods.agent.session.resume
        : can?.loadSession === true
          ? methods.agent.session.load
          : null;
      if (how === null) return err(failure('agent-session-lost', { session: spec.resume.id, why: 'not-supported' }));
      await agent.request(how, { cwd: spec.cwd, mcpServers: serversOf(spec), sessionId: spec.resume.id });
      return ok({ sessionId: spec.resume.id, version });
    }
    const made = opened.safeParse(
      await agent.request(methods.agent.session.new, { cwd: spec.cwd, mcpServers: serversOf(spec) }),
    );
    if (!made.success) return err(failure('agent-malformed', { what: 'session-id' }));
    const { sessionId, modes } = made.data;
    const mode = modes?.availableModes.find((m) => READING_MODE.test(m.id));
    if (spec.mode !== 'exec' && mode !== undefined && mode.id !== modes?.currentModeId)
      await agent.request(methods.agent.session.setMode, { sessionId, modeId: mode.id });
    return ok({ sessionId, version });
  } catch (error) {
    if (error instanceof acp.RequestError) return err(explain(error));
    throw error;
  }
}
