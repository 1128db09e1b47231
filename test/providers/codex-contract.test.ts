// The contract of agents on Codex: its real program, driven by a scripted model.
import { mkdirSync, readdirSync, readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codexRunner } from '../../src/agents/codex/runner.ts';
import type { AgentConfig } from '../../src/model/config.ts';
import { agentContract, type AgentScript, type Place, type ScriptStep } from '../contract/agents.ts';
import { codexHome, KEY } from './codex-home.ts';
import { added, fail, fakeOpenAI, patchOf, type Asked, type Counts, type Part, type Step } from './fake-openai.ts';

const NOTHING: Counts = { input: 0, output: 0, read: 0 };
const agent = (env: { readonly [name: string]: string } = {}): AgentConfig => ({
  provider: 'codex',
  model: null,
  command: [],
  scenario: null,
  env,
});
/** The person's own folders are beside the private one of the session, which no command may read. */
const environment = (place: Place) => {
  const own = join(dirname(place.home), 'person');
  const [home, temporary] = [join(own, 'home'), join(own, 'tmp')];
  for (const folder of [home, temporary]) mkdirSync(folder, { recursive: true });
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: home,
    CODEX_HOME: join(own, 'codex'),
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    OUR_KEY: KEY,
  };
};

agentContract('codex', {
  runner: () => Promise.resolve(codexRunner),
  async world(script, place) {
    const fake = await fakeOpenAI((asked) => answerTo(asked, script, place));
    const env = environment(place);
    // What is not asked about is what the person has allowed for good.
    const rules = script.flat().flatMap((step) => (step.do === 'run' && step.asks !== true ? [step.command] : []));
    codexHome(env.CODEX_HOME, fake.url, { rules });
    return { agent: agent(), env, dispose: () => fake.close() };
  },
  missing: (place) => ({ agent: agent({ HARNESS_PROVIDERS_DIR: place.home }), env: environment(place) }),
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
  const use = (part: Part): void => {
    const said = [...parts, part];
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
        counts = { input: step.input + step.cached, output: step.output, read: step.cached };
        break;
      case 'write':
        use({ type: 'patch', patch: patchOf(added(step.path, step.text)) });
        break;
      case 'run':
        use({ type: 'call', name: 'exec_command', args: { cmd: step.command, yield_time_ms: 30_000 } });
        break;
      case 'auth-failure':
        return [...made, () => fail(401, 'Incorrect API key provided')];
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

/** The program works in the lane and is called codex; its shells are not. */
function killProgram(lane: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    if (linkOf(`/proc/${pid}/cwd`) === lane && linkOf(`/proc/${pid}/exe`).endsWith('/codex'))
      process.kill(Number(pid), 'SIGKILL');
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
