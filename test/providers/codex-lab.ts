// Owns the place a test of Codex works in: a lane, a person with a Codex of their own, a fake model server, and a look at
// who is still alive.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { codexRunner } from '../../src/agents/codex/runner.ts';
import type { AgentMode, AgentSession, SessionSpec, ToolPolicy } from '../../src/agents/port.ts';
import type { ToolRules } from '../../src/model/tools.ts';
import { codexHome, KEY } from './codex-home.ts';
import { fakeOpenAI, type FakeOpenAI, type Script } from './fake-openai.ts';
import { commandOf, killMarked, marked } from './lab.ts';

export type Lab = {
  readonly lane: string;
  /** `CODEX_HOME` of the person. */
  readonly own: string;
  readonly fake: FakeOpenAI;
  readonly open: (how?: {
    readonly resume?: string;
    readonly policy?: ToolPolicy;
    readonly mode?: AgentMode;
    readonly tools?: ToolRules;
  }) => Promise<AgentSession>;
  /** Processes of the session that live now, by their command lines; zombies do not live. */
  readonly alive: () => readonly string[];
  readonly kill: () => void;
  readonly close: () => Promise<void>;
};
type More = {
  readonly env?: { readonly [name: string]: string };
  readonly url?: string;
  /** How often the person's Codex may try again. */
  readonly retries?: number;
};

const allowAll: ToolPolicy = () => ({ allow: true });

export async function codexLab(script: (lane: string) => Script, more: More = {}): Promise<Lab> {
  const root = mkdtempSync(join(tmpdir(), 'harness-codex-'));
  const folder = (name: string): string => {
    const path = join(root, name);
    mkdirSync(path);
    return path;
  };
  const [lane, home, person, temp, own] = [
    folder('lane'),
    folder('home'),
    folder('person'),
    folder('temp'),
    folder('codex'),
  ];
  const fake = await fakeOpenAI(script(lane));
  codexHome(own, more.url ?? fake.url, { retries: more.retries ?? 0 });
  const token = `test-${root.slice(-6)}`;
  const sessions: AgentSession[] = [];
  const spec = (mode: AgentMode, resume: string | null, tools: ToolRules | null): SessionSpec => ({
    agent: { provider: 'codex', model: null, command: [], scenario: null, env: {} },
    mode,
    cwd: lane,
    token,
    env: {
      PATH: process.env['PATH'] ?? '/usr/bin:/bin',
      HOME: person,
      CODEX_HOME: own,
      // Beside it, not above: below its own temporary folder the program makes no helpers, and no sandbox then.
      TMPDIR: temp,
      LANG: 'C.UTF-8',
      OUR_KEY: KEY,
      ...more.env,
    },
    resume: resume === null ? null : { id: resume, costUsd: null },
    ...(tools === null ? {} : { tools }),
    home,
  });
  return {
    lane,
    own,
    fake,
    async open({ resume, policy = allowAll, mode = 'exec', tools } = {}) {
      const session = await codexRunner.open(spec(mode, resume ?? null, tools ?? null), policy);
      sessions.push(session);
      return session;
    },
    alive: () => marked(token).map((pid) => commandOf(pid)),
    kill: () => killMarked(token),
    async close() {
      for (const session of sessions) await session.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
      await fake.close();
    },
  };
}
