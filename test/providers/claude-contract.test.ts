// The contract of agents on Claude: its real program, driven by a scripted model.
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { claudeRunner } from '../../src/agents/claude/runner.ts';
import type { AgentConfig } from '../../src/model/config.ts';
import { agentContract, type AgentScript, type Place, type ScriptStep } from '../contract/agents.ts';
import { fail, fakeAnthropic, type Asked, type Counts, type Part, type Step } from './fake-anthropic.ts';

const NOTHING: Counts = { input: 0, output: 0, written: 0, read: 0 };
const agent = (env: { readonly [name: string]: string }): AgentConfig => ({
  provider: 'claude',
  model: 'claude-sonnet-4-5',
  command: [],
  scenario: null,
  env: { CLAUDE_CODE_MAX_RETRIES: '0', ...env },
});
const environment = (place: Place, more: { readonly [name: string]: string } = {}) => ({
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME: join(place.home, 'user'),
  LANG: 'C.UTF-8',
  ...more,
});

agentContract('claude', {
  runner: () => Promise.resolve(claudeRunner),
  async world(script, place) {
    const fake = await fakeAnthropic((asked) => answerTo(asked, script, place));
    return {
      agent: agent({}),
      env: environment(place, { ANTHROPIC_BASE_URL: fake.url, ANTHROPIC_API_KEY: 'dummy-key-of-a-test' }),
      dispose: () => fake.close(),
    };
  },
  missing: (place) => ({
    agent: agent({ HARNESS_PROVIDERS_DIR: place.home }),
    env: environment(place),
  }),
});

/** Which turn is asked for shows in the prompts of the conversation, how far it is in the tools answered since. */
function answerTo(asked: Asked, script: AgentScript, place: Place): Step | null {
  const prompts = asked.heard.flatMap((h, i) =>
    h.kind === 'text' && h.text.includes('## Runtime context') ? [i] : [],
  );
  const turn = script[prompts.length - 1];
  const position = asked.heard.slice(prompts.at(-1)).filter((h) => h.kind === 'tool-result').length;
  return turn === undefined ? null : (replies(turn, place)[position]?.() ?? null);
}

/** A turn's steps as the replies of a model: words go with the tool call after them, or end the turn. */
function replies(steps: readonly ScriptStep[], place: Place): (() => Step)[] {
  const made: (() => Step)[] = [];
  let parts: Part[] = [];
  let counts = NOTHING;
  let words = '';
  const use = (name: string, input: object): void => {
    const said = [...parts, { type: 'tool_use' as const, name, input }];
    made.push(() => ({ does: 'say', parts: said, counts: NOTHING }));
    parts = [];
  };
  for (const step of steps)
    switch (step.do) {
      case 'say':
        parts = [...parts, { type: 'text', text: step.text }];
        words += step.text;
        break;
      case 'flood':
        parts = [...parts, { type: 'text', text: 'flood '.repeat(step.bytes / 6) }];
        break;
      case 'usage':
        counts = { input: step.input, output: step.output, written: 0, read: step.cached };
        break;
      case 'write':
        use('Write', { file_path: join(place.lane, step.path), content: step.text });
        break;
      case 'run':
        use('Bash', { command: step.command, description: 'run' });
        break;
      case 'auth-failure':
        return [...made, () => fail(401, 'authentication_error', 'invalid x-api-key')];
      case 'hang':
        return [...made, () => ({ does: 'hang', after: words })];
      default:
        return [
          ...made,
          () => {
            killProgram(place.lane);
            return { does: 'hang' };
          },
        ];
    }
  const last = parts.length > 0 ? parts : [{ type: 'text' as const, text: 'ok' }];
  return [...made, () => ({ does: 'say', parts: last, counts })];
}

/** The program works in the lane and is called claude; its shells are not. */
function killProgram(lane: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    if (linkOf(`/proc/${pid}/cwd`) === lane && linkOf(`/proc/${pid}/exe`).endsWith('/claude'))
      process.kill(Number(pid), 'SIGKILL');
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
