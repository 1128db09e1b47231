// Connects to an agent: agrees on the protocol's version and opens a session, new or resumed.
import type * as Acp from '@agentclientprotocol/sdk';
import { z } from 'zod';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import type { SessionSpec } from '../port.ts';
import type { RpcError } from './errors.ts';
import { modeChange, offered, type Offered } from './modes.ts';
import { clientCapabilities } from './serve.ts';

export type AcpSessionInfo = { readonly sessionId: string; readonly version: string | null };

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
const opened = offered.extend({ sessionId: z.string().min(1) });

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
  const setMode = async (sessionId: string, said: Offered): Promise<void> => {
    const change = modeChange(spec.mode, said);
    if (change === null) return;
    if ('modeId' in change) await agent.request(methods.agent.session.setMode, { sessionId, ...change });
    else await agent.request(methods.agent.session.setConfigOption, { sessionId, ...change });
  };
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
      const { id } = spec.resume;
      let said: unknown;
      try {
        said = await agent.request(how, { cwd: spec.cwd, mcpServers: serversOf(spec), sessionId: id });
      } catch (error) {
        if (!(error instanceof acp.RequestError)) throw error;
        const why = explain(error);
        // Agents name a session that they do not have in words of their own. Without it a new one starts.
        return err(
          why.reason === 'agent-unknown' ? failure('agent-session-lost', { ...why.params, session: id }) : why,
        );
      }
      await setMode(id, offered.safeParse(said).data ?? {});
      return ok({ sessionId: id, version });
    }
    const made = opened.safeParse(
      await agent.request(methods.agent.session.new, { cwd: spec.cwd, mcpServers: serversOf(spec) }),
    );
    if (!made.success) return err(failure('agent-malformed', { what: 'session-id' }));
    const { sessionId } = made.data;
    await setMode(sessionId, made.data);
    return ok({ sessionId, version });
  } catch (error) {
    if (error instanceof acp.RequestError) return err(explain(error));
    throw error;
  }
}
