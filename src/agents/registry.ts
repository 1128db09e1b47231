// The adapter of each provider. It is loaded on first use, because none of them is small.
import type { ProviderName } from '../model/config.ts';
import { ok, type Result } from '../model/result.ts';
import type { AgentRunner } from './port.ts';

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
    case 'replay':
      return ok((await import('./replay/runner.ts')).replayRunner);
  }
}
