// Asks an agent who it is: starts its program, exchanges the first message of the protocol, and ends it. No request to a model.
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { z } from 'zod';
import { settlesWithin } from '../../host/clock.ts';
import { failure, type Failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { startProgram, type ProgramExit } from '../program.ts';
import { initialized } from './connect.ts';
import { clientCapabilities } from './serve.ts';
import { failureOfError, startProblem } from './errors.ts';
import { loadProtocol } from './session.ts';
import { openWire } from './wire.ts';

export type Introduction = {
  /** Null: it does not say. */
  readonly version: string | null;
  /** An earlier session can be continued. */
  readonly resume: boolean;
  /** The names of its ways to log in. */
  readonly logins: readonly string[];
};

const answer = initialized.extend({
  authMethods: z
    .array(z.looseObject({ name: z.string() }))
    .nullish()
    .catch(null),
});

/** An agent that has not answered by then is not usable. */
const ANSWER_MS = 60_000;
const GRACE_MS = { program: 1_000, leftovers: 1_000 };

/** Never rejects. `program`: its name for failures. `env`: the agent's whole environment. */
export async function introduce(
  program: string,
  argv: readonly string[],
  env: { readonly [name: string]: string },
): Promise<Result<Introduction>> {
  const acp = await loadProtocol();
  const cwd = tmpdir();
  const agent = startProgram({ argv, env, cwd, token: `hello-${randomUUID()}`, graceMs: GRACE_MS });
  const nothing = (): void => undefined;
  const wire = openWire(agent.child.stdin, agent.child.stdout, {
    onUpdate: nothing,
    onGarbage: nothing,
    onHopeless: nothing,
  });
  const connection = acp.client({ name: 'harness' }).connect(wire.stream);
  const asked = connection.agent
    .request(acp.methods.agent.initialize, {
      protocolVersion: acp.PROTOCOL_VERSION,
      clientInfo: { name: 'harness', version: '0' },
      clientCapabilities: clientCapabilities('complete'),
    })
    .then(understood, async (error: unknown) =>
      err(
        error instanceof acp.RequestError ? failureOfError(error) : whyNot(program, await agent.exited, agent.stderr()),
      ),
    );
  const answered = (await settlesWithin(ANSWER_MS, asked))
    ? await asked
    : err(failure('agent-timeout', { program, limitMs: ANSWER_MS, detail: agent.stderr().slice(-500) }));
  connection.close();
  agent.child.stdin.end();
  await agent.end(0);
  return answered;
}

function understood(said: unknown): Result<Introduction> {
  const read = answer.safeParse(said);
  if (!read.success)
    return err(failure('agent-malformed', { what: 'protocol-version', found: JSON.stringify(said).slice(0, 200) }));
  const { agentInfo, agentCapabilities: can, authMethods } = read.data;
  return ok({
    version: agentInfo?.version ?? null,
    resume: can?.loadSession === true || Boolean(can?.sessionCapabilities?.resume),
    logins: (authMethods ?? []).map(({ name }) => name),
  });
}

function whyNot(program: string, exit: ProgramExit, stderr: string): Failure {
  const problem = startProblem(exit.error, stderr, { cwd: tmpdir() });
  if (problem !== null) return failure('agent-not-installed', { program, why: problem });
  return failure('agent-crashed', { program, code: exit.code ?? -1, signal: exit.signal ?? '', stderr });
}
