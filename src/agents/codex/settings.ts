// Owns what a session is started with: the measured settings of the program, of the thread, and both environments. What may
// be secret goes over stdin, never into an argument.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openNames } from '../../host/environment.ts';
import { realPath } from '../../host/paths.ts';
import { ENGINE_FOLDER } from '../../model/engine-folder.ts';
import type { ToolRules } from '../../model/tools.ts';
import type { AgentMode, SessionSpec } from '../port.ts';

type Variables = { readonly [name: string]: string };

/** Side jobs, standing tools of the program's own, and what would act past the policy: none of it is the harness's to offer. */
const OFF = [
  'apps',
  'browser_use',
  'computer_use',
  'goals',
  'guardian_approval',
  'hooks',
  'image_generation',
  'in_app_browser',
  'memories',
  'multi_agent',
  'plugins',
  'remote_plugin',
  'shell_snapshot',
  'skill_mcp_dependency_install',
  'tool_suggest',
  // Without an end it would wait for a provider by itself.
  'unbounded_connection_retries',
  // A shell that is typed into would get commands that nobody was asked about.
  'unified_exec_tty',
  // It reads any file as a picture, unasked.
  'view_image',
] as const;

/** What the program is started with, after its own name. Names that another version does not know are ignored by it. */
export function argumentsOf(spec: SessionSpec): readonly string[] {
  const off = [...OFF, ...(spec.mode === 'complete' ? ['shell_tool'] : [])];
  const settings = [
    ...off.map((name) => `features.${name}=false`),
    'check_for_update_on_startup=false',
    'analytics.enabled=false',
    'allow_login_shell=false',
    'project_doc_max_bytes=0',
    'web_search="disabled"',
    'notify=[]',
    // A full context ends the session with a handover; shortened behind our back it would lose what nobody wrote down.
    'model_auto_compact_token_limit=9000000000000',
    // A key of the environment is for this session alone: the user's own login stays as it is.
    ...(keyOf(spec) === null ? [] : ['cli_auth_credentials_store="ephemeral"']),
  ];
  return ['app-server', ...settings.flatMap((setting) => ['-c', setting])];
}

/** The whole environment of the program. The user's own login is found where `spec.env` says it is. */
export const environmentOf = ({ env, agent, token }: SessionSpec): Variables => ({
  ...env,
  ...agent.env,
  HARNESS_TOKEN: token,
});

/** The key for OpenAI itself that `codex exec` takes as well, and the app server does not read; null: none. */
export const keyOf = ({ env, agent }: SessionSpec): string | null =>
  [agent.env['CODEX_API_KEY'], env['CODEX_API_KEY']].find((key) => key !== undefined && key !== '') ?? null;

/** What the user's own settings have that must not be in this session, by name. */
export type Theirs = { readonly servers: readonly string[]; readonly skills: readonly string[] };

/** The parameters of `thread/start` and `thread/resume` that both know. `isConfined`: by the program's own sandbox. */
export function threadOf(spec: SessionSpec, theirs: Theirs, isConfined: boolean): object {
  return {
    cwd: spec.cwd,
    ...(spec.agent.model === null ? {} : { model: spec.agent.model }),
    // Every command and every change of files is asked about, and by us alone.
    approvalPolicy: 'untrusted',
    approvalsReviewer: 'user',
    config: {
      // The repository is written by agents: its `.codex` must not configure who works on it. Said for the lane, it also
      // keeps the program from noting in the user's own settings that the lane is trusted.
      projects: Object.fromEntries([spec.cwd, realPath(spec.cwd)].map((path) => [path, { trust_level: 'untrusted' }])),
      ...sandboxOf(spec, isConfined),
      shell_environment_policy: {
        inherit: 'all',
        ignore_default_excludes: true,
        exclude: [],
        include_only: openNames(environmentOf(spec)),
      },
      // Prompts carry text of the repository: no `$skill` in it is obeyed.
      skills: {
        include_instructions: false,
        config: theirs.skills.map((name) => ({ name, enabled: false })),
      },
      mcp_servers: {
        ...Object.fromEntries(theirs.servers.map((name) => [name, { enabled: false }])),
        ...(spec.mode === 'exec' && spec.tools !== undefined ? serversOf(spec.tools, spec.token) : {}),
      },
    },
  };
}

/** The program's own sandboxes, by the names of its profiles. */
export const SANDBOXES: { readonly [mode in AgentMode]: string } = {
  exec: ':workspace',
  review: ':read-only',
  complete: ':read-only',
};

/**
 * In a box of ours the program's own is off: one encloses the other, and boxes do not nest everywhere. Without one it holds,
 * with the network open as in ours. A path whose reading is denied is what makes it strict: else the program repeats outside
 * of the sandbox what failed inside and was allowed. It knows by itself that `.git` is not to be written, and not what
 * stands for it in a folder without git.
 */
function sandboxOf({ mode, home, cwd }: SessionSpec, isConfined: boolean): object {
  if (!isConfined) return { default_permissions: ':danger-full-access' };
  const closed = [home, ...[join(cwd, ENGINE_FOLDER)].filter((path) => existsSync(path))];
  const filesystem = Object.fromEntries(closed.map((path) => [path, 'deny']));
  const harness = { extends: SANDBOXES[mode], filesystem, network: { enabled: true } };
  return { default_permissions: 'harness', permissions: { harness } };
}

/** What the program must say of its sandbox once the thread is there. */
export const wantedSandbox = (mode: AgentMode, isConfined: boolean): string =>
  !isConfined ? 'dangerFullAccess' : mode === 'exec' ? 'workspaceWrite' : 'readOnly';

const serversOf = ({ settings }: ToolRules, token: string): object =>
  Object.fromEntries(
    Object.entries(settings.mcpServers).map(([name, { command, args, env }]) => [
      name,
      {
        command,
        args,
        env: { ...env, HARNESS_TOKEN: token },
        enabled: true,
        default_tools_approval_mode: 'prompt',
      },
    ]),
  );
