// The provider `scripted`: the adapter for the Agent Client Protocol with our own scripted agent as its program.
// Never chosen silently: it needs a scenario, and mistakes in it are reported before anything is started.
import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { failure, type Failure } from '../../model/failure.ts';
import type { RpcError } from '../acp/errors.ts';
import { ACP_CAPABILITIES } from '../acp/runner.ts';
import { loadProtocol, openAcpSession } from '../acp/session.ts';
import { failedSession } from '../failed-session.ts';
import type { AgentRunner } from '../port.ts';
import { readScenario } from './scenario.ts';

export const scriptedRunner: AgentRunner = {
  provider: 'scripted',
  capabilities: ACP_CAPABILITIES,
  /** A relative scenario is searched once the work folder is known. */
  probe(agent) {
    const { scenario } = agent;
    const wrong =
      scenario === null
        ? failure('agent-not-configured', { provider: 'scripted', missing: 'scenario' })
        : isAbsolute(scenario)
          ? problemOf(scenario)
          : null;
    return Promise.resolve(wrong === null ? { ready: true, version: '1' } : { ready: false, failure: wrong });
  },
  open(spec, policy) {
    const { scenario } = spec.agent;
    if (scenario === null)
      return Promise.resolve(
        failedSession(failure('agent-not-configured', { provider: 'scripted', missing: 'scenario' })),
      );
    const file = resolve(spec.cwd, scenario);
    const wrong = problemOf(file);
    if (wrong !== null) return Promise.resolve(failedSession(wrong));
    const command = [process.execPath, scriptedProgram(), '--scenario', file, '--home', join(spec.home, 'scripted')];
    return Promise.resolve(openAcpSession({ spec, policy, command, explain: (error) => scenarioFailure(file, error) }));
  },
  load: loadProtocol,
};

/** The agent program next to this file, in the sources or in the bundle. */
export function scriptedProgram(): string {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const places = [join(here, 'main.ts'), join(here, 'scripted.mjs'), join(here, '..', 'scripted.mjs')];
  const isBundled = import.meta.url.endsWith('.mjs');
  return places.slice(isBundled ? 1 : 0).find((place) => existsSync(place)) ?? places[0] ?? '';
}

function problemOf(file: string): Failure | null {
  const read = readScenario(file);
  return read.ok ? null : read.failure;
}

const scenarioError = z.looseObject({
  scenario: z.string(),
  line: z.number().optional(),
  column: z.number().optional(),
  key: z.string().optional(),
});

/** The data of an error response says whether the scenario caused it. */
function scenarioFailure(file: string, error: RpcError): Failure | null {
  const read = scenarioError.safeParse(error.data);
  if (!read.success) return null;
  const { scenario, line, column, key } = read.data;
  const place = { file, ...(line === undefined ? {} : { line }), ...(column === undefined ? {} : { column }) };
  const at = key === undefined ? place : { ...place, key };
  const prefix = key === undefined ? '' : `${key}: `;
  const problem = error.message.startsWith(prefix) ? error.message.slice(prefix.length) : error.message;
  const cause = failure('scenario-mistake', { problem }, { at });
  return failure('scenario-invalid', { what: scenario }, { at, causes: [cause] });
}
