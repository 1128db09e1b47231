// Which adapter stands for which provider. Each is loaded when it is asked for: none of them is small.
import type { ProviderName } from '../model/config.ts';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import type { AgentRunner } from './port.ts';

/** `agent-not-configured` with `missing: 'adapter'` for providers whose adapter comes in a later version. */
export async function runnerFor(provider: ProviderName): Promise<Result<AgentRunner>> {
  switch (provider) {
    case 'acp':
      return ok((await import('./acp/runner.ts')).acpRunner);
    case 'scripted':
      return ok((await import('./scripted/runner.ts')).scriptedRunner);
    case 'claude':
      return ok((await import('./claude/runner.ts')).claudeRunner);
    case 'codex':
      return ok((await import('./codex/runner.ts')).codexRunner);
    default:
      return err(failure('agent-not-configured', { provider, missing: 'adapter', available: 'later' }));
  }
}
