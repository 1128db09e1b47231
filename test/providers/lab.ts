// Owns the place a provider test works in: a lane, private homes, a fake model server, and a look at who is still alive.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claudeRunner } from '../../src/agents/claude/runner.ts';
import type { AgentMode, AgentSession, SessionSpec, ToolPolicy, TurnResult } from '../../src/agents/port.ts';
import type { AgentEvent } from '../../src/model/event.ts';
import { fakeAnthropic, type FakeAnthropic, type Script } from './fake-anthropic.ts';

export type Lab = {
  readonly lane: string;
  readonly fake: FakeAnthropic;
  readonly token: string;
  readonly open: (how?: {
    readonly resume?: string;
    readonly policy?: ToolPolicy;
    readonly mode?: AgentMode;
  }) => Promise<AgentSession>;
  /** Processes of the session that live now, by their command lines; zombies do not live. */
  readonly alive: () => readonly string[];
  readonly kill: () => void;
  /** What the program has written of its sessions so far, which is what it can resume. */
  readonly transcript: () => string;
  readonly close: () => Promise<void>;
};
type More = { readonly env?: { readonly [name: string]: string }; readonly url?: string };

/** The real program, as its SDK brings it. */
export const CLAUDE = join(
  import.meta.dirname,
  `node_modules/@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/claude`,
);

/** What the program needs to keep its keys from the shells it starts: it boxes them. */
export const HAS_BOX = ['bwrap', 'socat'].every((name) =>
  (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, name))),
);
export const KEYS_OUT_OF_SHELLS = { CLAUDE_CODE_SUBPROCESS_ENV_SCRUB: '1' };

const allowAll: ToolPolicy = () => ({ allow: true });

export async function claudeLab(script: (lane: string) => Script, more: More = {}): Promise<Lab> {
  const root = mkdtempSync(join(tmpdir(), 'harness-claude-'));
  const [lane, home, user, temp] = ['lane', 'home', 'user', 'temp'].map((name) => join(root, name)) as [
    string,
    string,
    string,
    string,
  ];
  for (const folder of [lane, home, user, temp]) mkdirSync(folder);
  const fake = await fakeAnthropic(script(lane));
  const token = `test-${root.slice(-6)}`;
  const sessions: AgentSession[] = [];
  const spec = (mode: AgentMode, resume: string | null): SessionSpec => ({
    agent: {
      provider: 'claude',
      model: 'claude-sonnet-4-5',
      command: [],
      scenario: null,
      env: {
        CLAUDE_CODE_MAX_RETRIES: '0',
        API_TIMEOUT_MS: '5000',
        ...more.env,
      },
    },
    mode,
    cwd: lane,
    token,
    env: {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      HOME: user,
      TMPDIR: temp,
      LANG: 'C.UTF-8',
      ANTHROPIC_BASE_URL: more.url ?? fake.url,
      ANTHROPIC_API_KEY: 'dummy-key-of-a-test',
    },
    resume: resume === null ? null : { id: resume, costUsd: null },
    home,
  });
  return {
    lane,
    fake,
    token,
    async open({ resume, policy = allowAll, mode = 'exec' } = {}) {
      const session = await claudeRunner.open(spec(mode, resume ?? null), policy);
      sessions.push(session);
      return session;
    },
    alive: () => marked(token).map((pid) => commandOf(pid)),
    kill: () => killMarked(token),
    transcript: () => [home, user].flatMap(transcriptsIn).map(read).join(''),
    async close() {
      for (const session of sessions) await session.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
      await fake.close();
    },
  };
}

/** Runs a turn and keeps what it reported. `on` may act on an event as it comes. */
export async function runTurn(
  session: AgentSession,
  prompt: string,
  on: (event: AgentEvent) => void = () => undefined,
): Promise<{ readonly result: TurnResult; readonly events: readonly AgentEvent[] }> {
  const events: AgentEvent[] = [];
  const result = await session.turn(prompt, (event) => {
    events.push(event);
    on(event);
  });
  return { result, events };
}

const transcriptsIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name));

/** Waits for a file that a tool of the running turn writes when it has begun; throws if the turn ends without it. */
export const appears = (path: string, turn: Promise<{ readonly result: TurnResult }>): Promise<void> =>
  holds(() => existsSync(path), path, turn);

/** Waits until something holds while a turn runs; throws, with its name, if the turn ends first. */
export async function holds(
  isSo: () => boolean,
  name: string,
  turn: Promise<{ readonly result: TurnResult }>,
): Promise<void> {
  let ended: TurnResult | null = null;
  void turn.then(({ result }) => (ended = result));
  while (!isSo()) {
    if (ended !== null) throw new Error(`the turn ended before ${name}: ${JSON.stringify(ended)}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Processes that carry the token; zombies have no environment. */
export const marked = (token: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => read(`/proc/${pid}/environ`).split('\0').includes(`HARNESS_TOKEN=${token}`));
/** One of them can take the next with it. */
export function killMarked(token: string): void {
  for (const pid of marked(token))
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // gone by itself
    }
}
export const commandOf = (pid: number): string => read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
