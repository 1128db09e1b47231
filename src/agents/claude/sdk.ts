// The part of `@anthropic-ai/claude-agent-sdk` that we use: a few types, and where the package is found.
// It is an optional peer: it need not be installed, and is loaded when the first session opens.
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import type { Json } from '../../model/json.ts';
import type { McpServer } from '../../model/tools.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { searchFolders, versionIn } from '../provider-packages.ts';

const PACKAGE = '@anthropic-ai/claude-agent-sdk';

export type ContentBlock = {
  readonly type: string;
  readonly text?: string;
  readonly thinking?: string;
  readonly id?: string;
  readonly name?: string;
  /** Parsed from JSON, so it is JSON. */
  readonly input?: Json;
  readonly tool_use_id?: string;
  readonly is_error?: boolean;
  readonly content?: unknown;
};
export type ApiUsage = {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
};
export type ModelUsage = {
  readonly contextWindow?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadInputTokens?: number;
  readonly cacheCreationInputTokens?: number;
};

/** Every message that the program sends, with the fields that we read. Which of them exist depends on `type` and `subtype`. */
export type SdkMessage = {
  readonly type: string;
  readonly subtype?: string;
  readonly session_id?: string;
  // system
  readonly claude_code_version?: string;
  readonly content?: unknown;
  readonly tool_name?: string;
  readonly tool_use_id?: string;
  readonly decision_reason?: string;
  readonly attempt?: number;
  readonly retry_delay_ms?: number;
  readonly error_status?: number | null;
  readonly rate_limit_info?: {
    readonly status?: string;
    /** Seconds since the epoch. */
    readonly resetsAt?: number;
    readonly rateLimitType?: string;
    /** A share of the window, 0 to 1. */
    readonly utilization?: number;
  };
  // assistant, user
  readonly message?: {
    readonly id?: string;
    readonly content?: string | readonly ContentBlock[];
    readonly usage?: ApiUsage;
  };
  readonly error?: string;
  readonly api_error_type?: string | null;
  readonly api_error?: unknown;
  readonly tool_use_result?: unknown;
  readonly user_message_uuids?: readonly string[];
  // result
  readonly is_error?: boolean;
  readonly result?: string;
  readonly errors?: readonly string[];
  readonly stop_reason?: string | null;
  readonly terminal_reason?: string | null;
  readonly api_error_status?: number | null;
  readonly startup_failure_reason?: string;
  readonly queued_turn_count?: number;
  readonly total_cost_usd?: number;
  readonly usage?: ApiUsage;
  readonly modelUsage?: { readonly [model: string]: ModelUsage };
};

/** `cache_control`: what comes before its end is kept in the provider's cache. */
export type PromptBlock = {
  readonly type: 'text';
  readonly text: string;
  readonly cache_control?: { readonly type: 'ephemeral' };
};
export type UserMessage = {
  readonly type: 'user';
  readonly uuid: string;
  readonly parent_tool_use_id: null;
  readonly message: { readonly role: 'user'; readonly content: string | readonly PromptBlock[] };
};
type HookInput = {
  readonly cwd?: string;
  readonly tool_name?: string;
  readonly tool_input?: unknown;
  readonly tool_use_id?: string;
};
export type HookAnswer = {
  readonly hookSpecificOutput?: {
    readonly hookEventName: 'PreToolUse';
    readonly permissionDecision: 'deny';
    readonly permissionDecisionReason: string;
  };
};
export type PermissionAnswer =
  | { readonly behavior: 'allow'; readonly updatedInput: unknown }
  | { readonly behavior: 'deny'; readonly message: string };

/** How the package asks for its program to be started. */
export type SpawnOptions = {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: { readonly [name: string]: string | undefined };
  readonly signal?: AbortSignal;
};

export type QueryOptions = {
  readonly cwd: string;
  readonly model?: string;
  readonly env: { readonly [name: string]: string };
  readonly tools: readonly string[];
  readonly permissionMode: 'default';
  readonly settingSources: readonly [];
  readonly strictMcpConfig: true;
  readonly mcpServers?: { readonly [name: string]: McpServer & { readonly type: 'stdio' } };
  readonly verbatimPrompts: true;
  readonly persistSession: boolean;
  readonly systemPrompt?: string;
  readonly sessionId?: string;
  readonly resume?: string;
  readonly canUseTool: (
    tool: string,
    input: unknown,
    more: { readonly toolUseID?: string },
  ) => Promise<PermissionAnswer>;
  readonly hooks: {
    readonly PreToolUse: readonly [{ readonly hooks: readonly [(input: HookInput) => Promise<HookAnswer>] }];
  };
  readonly spawnClaudeCodeProcess: (options: SpawnOptions) => { readonly stdin: Writable; readonly stdout: Readable };
};
export type SdkQuery = AsyncIterable<SdkMessage> & { interrupt(): Promise<unknown>; close(): void };
export type Sdk = {
  query(start: { readonly prompt: AsyncIterable<UserMessage>; readonly options: QueryOptions }): SdkQuery;
};

/** `folders`: the real folders of the package and of its program. */
export type FoundPackage = {
  readonly entry: string;
  readonly program: string;
  readonly version: string | null;
  readonly folders: readonly string[];
};

/** Searches the package in `searchFolders`. Fails with `agent-not-installed`. */
export function findSdk(folders: readonly string[]): Result<FoundPackage> {
  for (const from of searchFolders(folders)) {
    const entry = resolveFrom(from);
    if (entry === null) continue;
    const program = programOf(entry);
    if (program === null) return err(missing('program-missing', dirname(entry)));
    const folders = [entry, program].map((file) => dirname(realpathSync(file)));
    return ok({ entry, program, version: versionIn(dirname(entry)), folders });
  }
  return err(missing('package-missing', ''));
}

export async function loadSdk(folders: readonly string[]): Promise<Result<Sdk>> {
  const found = findSdk(folders);
  if (!found.ok) return found;
  try {
    const loaded: unknown = await import(pathToFileURL(found.value.entry).href);
    if (isSdk(loaded)) return ok(loaded);
    return err(missing('package-unusable', found.value.entry));
  } catch (error) {
    return err(missing(error instanceof Error ? error.message : String(error), found.value.entry));
  }
}

const missing = (why: string, where: string) =>
  failure('agent-not-installed', {
    provider: 'claude',
    package: PACKAGE,
    install: 'harness agents add claude',
    why,
    where,
  });

const isSdk = (loaded: unknown): loaded is Sdk =>
  typeof loaded === 'object' && loaded !== null && 'query' in loaded && typeof loaded.query === 'function';

function resolveFrom(folder: string): string | null {
  try {
    return createRequire(join(folder, 'package.json')).resolve(PACKAGE);
  } catch {
    return null; // not there: the next folder is searched
  }
}

/** The program comes as one package per platform, and npm silently leaves out those of other platforms. */
function programOf(entry: string): string | null {
  const require = createRequire(entry);
  const name = process.platform === 'win32' ? 'claude.exe' : 'claude';
  for (const suffix of ['', '-musl'])
    try {
      const path = require.resolve(`${PACKAGE}-${process.platform}-${process.arch}${suffix}/${name}`);
      if (existsSync(path)) return path;
    } catch {
      continue; // of another platform
    }
  return null;
}
