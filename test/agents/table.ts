// The real agents as data: how each is started with a model on 127.0.0.1, what its tools are called, and what it does in each case. What an agent
// cannot do has its reason here, and in the table of docs/agents.md.
import { codexSettings, KEY } from '../providers/codex-home.ts';
import type { Step } from './any-model.ts';

/** What is seen of an agent in each case (cases.ts). */
export type Seen = {
  readonly permission: 'asks' | 'does not ask';
  /** Which of the two tries again. */
  readonly outage: 'the agent' | 'the harness';
  readonly resume: 'continues' | 'starts again';
  readonly reports: 'tokens, money' | 'tokens' | 'nothing';
};
export type Real = {
  readonly name: string;
  readonly agent: (url: string) => object;
  /** Its tools for a shell line and for a new file. */
  readonly shell: (line: string) => Step;
  readonly write: (path: string, text: string) => Step;
  /** Settings in its home. */
  readonly home?: (url: string) => { readonly [path: string]: string };
  /** What the answer to a refused key names. */
  readonly refusal: RegExp;
  readonly seen: Seen;
  /** Why, where it does less than others. */
  readonly because?: { readonly [what in keyof Seen]?: string };
};

const shell =
  (call: string) =>
  (command: string): Step => ({ call, args: { command, description: 'work', is_background: false } });
const acp =
  (command: readonly string[], env: (url: string) => { readonly [name: string]: string }) =>
  (url: string): object => ({ provider: 'acp', command, env: env(url) });

const OPENCODE = {
  enabled_providers: ['local'],
  model: 'local/m',
  small_model: 'local/m',
  share: 'disabled',
  autoupdate: false,
  permission: { edit: 'ask', bash: 'ask' },
};
const CLAUDE = (url: string): { readonly [name: string]: string } => ({
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: KEY,
  CLAUDE_CONFIG_DIR: '${HOME}/claude',
  CLAUDE_CODE_MAX_RETRIES: '0',
});
const codexToml = (url: string): string => `${codexSettings(url).join('\n')}\n`;
/** Its own sandbox cannot be made inside of the harness's box: its model asks for each command to run without it. */
const escalated = (cmd: string): Step => ({
  call: 'exec_command',
  args: { cmd, sandbox_permissions: 'require_escalated', justification: 'The sandbox cannot be made here.' },
});

export const REAL: readonly Real[] = [
  {
    name: 'claude',
    agent: (url) => ({ provider: 'claude', model: 'claude-sonnet-4-5', env: CLAUDE(url) }),
    shell: (command) => ({ call: 'Bash', args: { command, description: 'work' } }),
    write: (file_path, content) => ({ call: 'Write', args: { file_path, content } }),
    home: () => ({ 'claude/.keep': '' }),
    refusal: /Incorrect API key|401/,
    seen: { permission: 'asks', outage: 'the harness', resume: 'continues', reports: 'tokens, money' },
  },
  {
    name: 'codex',
    agent: () => ({ provider: 'codex', env: { CODEX_HOME: '${HOME}/codex', OUR_KEY: KEY } }),
    shell: (cmd) => ({ call: 'exec_command', args: { cmd } }),
    write: (path, text) => ({ call: 'exec_command', args: { cmd: `cat > ${path} <<'END'\n${text}END` } }),
    home: (url) => ({ 'codex/config.toml': codexToml(url) }),
    refusal: /Incorrect API key|401/,
    seen: { permission: 'asks', outage: 'the harness', resume: 'continues', reports: 'tokens' },
  },
  {
    name: 'opencode',
    agent: acp(['opencode', 'acp'], (url) => {
      const models = { m: { name: 'm', limit: { context: 100_000, output: 8_000 }, cost: { input: 1, output: 1 } } };
      const options = { baseURL: `${url}/v1`, apiKey: KEY };
      const local = { npm: '@ai-sdk/openai-compatible', options, models };
      return {
        OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...OPENCODE, provider: { local } }),
        OPENCODE_DISABLE_MODELS_FETCH: '1',
        OPENCODE_DISABLE_AUTOUPDATE: '1',
        OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      };
    }),
    shell: shell('bash'),
    write: (filePath, content) => ({ call: 'write', args: { filePath, content } }),
    refusal: /Incorrect API key|401/,
    seen: { permission: 'asks', outage: 'the agent', resume: 'continues', reports: 'tokens, money' },
  },
  {
    name: 'gemini',
    agent: acp(['gemini', '--acp'], (url) => ({ GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: url })),
    shell: shell('run_shell_command'),
    write: (file_path, content) => ({ call: 'write_file', args: { file_path, content } }),
    home: () => ({ '.gemini/settings.json': '{"security":{"auth":{"selectedType":"gemini-api-key"}}}' }),
    refusal: /Incorrect API key|401/,
    seen: { permission: 'asks', outage: 'the agent', resume: 'continues', reports: 'nothing' },
  },
  {
    name: 'qwen',
    agent: acp(['qwen', '--acp'], (url) => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'm' })),
    shell: shell('run_shell_command'),
    write: (file_path, content) => ({ call: 'write_file', args: { file_path, content } }),
    refusal: /Incorrect API key|401/,
    seen: { permission: 'asks', outage: 'the agent', resume: 'continues', reports: 'nothing' },
  },
  {
    name: 'copilot',
    agent: acp(['copilot', '--acp'], (url) => ({
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: KEY,
      COPILOT_MODEL: 'm',
      COPILOT_OFFLINE: 'true',
    })),
    shell: shell('bash'),
    write: (path, file_text) => ({ call: 'create', args: { path, file_text } }),
    refusal: /Authentication failed|401/,
    seen: { permission: 'asks', outage: 'the agent', resume: 'continues', reports: 'tokens' },
  },
  {
    name: 'claude-agent-acp',
    agent: acp(['claude-agent-acp'], (url) => ({ ...CLAUDE(url), IS_SANDBOX: '1' })),
    shell: (command) => ({ call: 'Bash', args: { command, description: 'work' } }),
    write: (file_path, content) => ({ call: 'Write', args: { file_path, content } }),
    home: () => ({ 'claude/.keep': '' }),
    refusal: /Incorrect API key|401|Authentication required|not logged in/,
    seen: { permission: 'asks', outage: 'the harness', resume: 'continues', reports: 'tokens, money' },
  },
  {
    name: 'codex-acp',
    agent: acp(['codex-acp'], () => ({ CODEX_HOME: '${HOME}/codex', OUR_KEY: KEY })),
    shell: escalated,
    write: (path, text) => escalated(`cat > ${path} <<'END'\n${text}END`),
    home: (url) => ({ 'codex/config.toml': codexToml(url) }),
    refusal: /Incorrect API key|401|Authentication required/,
    seen: { permission: 'asks', outage: 'the harness', resume: 'continues', reports: 'tokens' },
    because: { permission: 'each command, since its own sandbox cannot be made in the box' },
  },
];
