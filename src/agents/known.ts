// The agents that we know, as data: how each is started and installed, where it keeps its login, what it reports, and what is
// known to need care. An agent that is not here is configured as `acp` with its command.
import { basename } from 'node:path';
import type { AgentConfig } from '../model/config.ts';

/** What needs care; each has a sentence (`words` of the catalogue). */
export const CARES = [
  'care-no-money',
  'care-no-tokens',
  'care-last-tokens',
  'care-own-files',
  'care-failure-in-words',
  'care-root',
  'care-nested-box',
  'care-not-on-npm',
  'care-large',
] as const;
export type Care = (typeof CARES)[number];

/** `last-request`: only those of a turn's last request, so sums are too low. */
export type ReportedTokens = 'yes' | 'last-request' | 'no';

export type KnownAgent = {
  readonly name: string;
  readonly title: string;
  readonly provider: 'claude' | 'codex' | 'acp';
  /** The command of an `acp` agent; empty: the provider finds its program itself. */
  readonly command: readonly string[];
  /** On the npm registry, and the version that we tried; null: it is installed by hand. */
  readonly package: { readonly name: string; readonly version: string } | null;
  readonly page: string;
  /** Where a login can be seen: variables that are set, files below the home that only a login creates. `how`: how a user logs in. */
  readonly login: { readonly variables: readonly string[]; readonly files: readonly string[]; readonly how: string };
  readonly tokens: ReportedTokens;
  readonly money: boolean;
  readonly care: readonly Care[];
};

const CLAUDE_LOGIN: KnownAgent['login'] = {
  variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
  files: ['.claude/.credentials.json'],
  how: 'claude, then /login; or ANTHROPIC_API_KEY',
};

export const KNOWN_AGENTS: readonly KnownAgent[] = [
  {
    name: 'claude',
    title: 'Claude Code',
    provider: 'claude',
    command: [],
    package: { name: '@anthropic-ai/claude-agent-sdk', version: '0.3.329' },
    page: 'https://docs.claude.com/en/api/agent-sdk/overview',
    login: CLAUDE_LOGIN,
    tokens: 'yes',
    money: true,
    care: ['care-large'],
  },
  {
    name: 'codex',
    title: 'OpenAI Codex',
    provider: 'codex',
    command: [],
    package: { name: '@openai/codex', version: '0.171.0' },
    page: 'https://developers.openai.com/codex',
    login: { variables: ['CODEX_API_KEY'], files: ['.codex/auth.json'], how: 'codex login' },
    tokens: 'yes',
    money: false,
    care: ['care-large', 'care-no-money'],
  },
  {
    name: 'opencode',
    title: 'opencode',
    provider: 'acp',
    command: ['opencode', 'acp'],
    package: { name: 'opencode-ai', version: '1.18.33' },
    page: 'https://opencode.ai/docs',
    login: {
      variables: ['OPENCODE_CONFIG_CONTENT'],
      files: ['.local/share/opencode/auth.json'],
      how: 'opencode auth login',
    },
    tokens: 'last-request',
    money: true,
    care: ['care-last-tokens'],
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    provider: 'acp',
    command: ['gemini', '--acp'],
    package: { name: '@google/gemini-cli', version: '0.61.0' },
    page: 'https://geminicli.com/docs',
    login: {
      variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_APPLICATION_CREDENTIALS'],
      files: ['.gemini/oauth_creds.json'],
      how: 'gemini, then /auth; or GEMINI_API_KEY',
    },
    tokens: 'no',
    money: false,
    care: ['care-own-files', 'care-no-tokens', 'care-no-money'],
  },
  {
    name: 'qwen',
    title: 'Qwen Code',
    provider: 'acp',
    command: ['qwen', '--acp'],
    package: { name: '@qwen-code/qwen-code', version: '0.24.4' },
    page: 'https://qwenlm.github.io/qwen-code-docs',
    login: {
      variables: ['OPENAI_API_KEY', 'DASHSCOPE_API_KEY'],
      files: ['.qwen/oauth_creds.json'],
      how: 'qwen, then /auth; or OPENAI_API_KEY with OPENAI_BASE_URL',
    },
    tokens: 'no',
    money: false,
    care: ['care-no-tokens', 'care-no-money'],
  },
  {
    name: 'copilot',
    title: 'GitHub Copilot CLI',
    provider: 'acp',
    command: ['copilot', '--acp'],
    package: { name: '@github/copilot', version: '1.0.102' },
    page: 'https://docs.github.com/copilot/how-tos/copilot-cli',
    login: {
      variables: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN'],
      files: [],
      how: 'copilot, then /login; or COPILOT_GITHUB_TOKEN',
    },
    tokens: 'yes',
    money: false,
    care: ['care-failure-in-words', 'care-no-money'],
  },
  {
    name: 'claude-agent-acp',
    title: 'Claude Code over ACP',
    provider: 'acp',
    command: ['claude-agent-acp'],
    package: { name: '@agentclientprotocol/claude-agent-acp', version: '0.101.0' },
    page: 'https://github.com/agentclientprotocol/claude-agent-acp',
    login: CLAUDE_LOGIN,
    tokens: 'yes',
    money: true,
    care: ['care-root', 'care-large'],
  },
  {
    name: 'codex-acp',
    title: 'OpenAI Codex over ACP',
    provider: 'acp',
    command: ['codex-acp'],
    package: { name: '@agentclientprotocol/codex-acp', version: '2.6.0' },
    page: 'https://github.com/agentclientprotocol/codex-acp',
    login: {
      variables: ['CODEX_API_KEY', 'OPENAI_API_KEY'],
      files: ['.codex/auth.json'],
      how: 'codex login; or OPENAI_API_KEY',
    },
    tokens: 'yes',
    money: false,
    care: ['care-nested-box', 'care-large', 'care-no-money'],
  },
  {
    name: 'goose',
    title: 'goose',
    provider: 'acp',
    command: ['goose', 'acp'],
    package: null,
    page: 'https://block.github.io/goose',
    login: { variables: [], files: ['.config/goose/config.yaml'], how: 'goose configure' },
    tokens: 'no',
    money: false,
    care: ['care-not-on-npm', 'care-no-tokens', 'care-no-money'],
  },
];

export const knownAgent = (name: string): KnownAgent | null => KNOWN_AGENTS.find((one) => one.name === name) ?? null;

/** Which of them a configuration means: by its provider, or by the program or package that its command names; null: another one. */
export function knownAs({ provider, command }: Pick<AgentConfig, 'provider' | 'command'>): KnownAgent | null {
  if (provider !== 'acp') return KNOWN_AGENTS.find((one) => one.provider === provider) ?? null;
  const names = (word: string, { command: [program = ''], package: from }: KnownAgent): boolean =>
    basename(word) === program || (from !== null && word.includes(`/node_modules/${from.name}/`));
  // `node /path/to/program`: the first words name it, later ones are arguments.
  const words = command.slice(0, 2);
  return KNOWN_AGENTS.find((one) => one.provider === 'acp' && words.some((word) => names(word, one))) ?? null;
}
