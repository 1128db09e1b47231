// What a session is started with: the settings of the program and of the thread, and both environments. What may be secret goes over
// stdin, never into an argument.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openNames, type Variables } from '../../host/environment.ts';
import { realPath } from '../../host/paths.ts';
import { ENGINE_FOLDER } from '../../model/engine-folder.ts';
import type { ToolRules } from '../../model/tools.ts';
import type { AgentMode, SessionSpec } from '../port.ts';

/** Background jobs, tools of the program's own, and features that would act without the policy. */
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
  // It would wait for a provider without a limit.
  'unbounded_connection_retries',
  // An interactive shell would get commands without an approval.
  'unified_exec_tty',
  // It reads any file as a picture without an approval.
  'view_image',
] as const;

/** The arguments of the program. A version ignores names that it does not know. */
export function argumentsOf(spec: SessionSpec): readonly string[] {
  const off = [...OFF, ...(spec.mode === 'complete' ? ['shell_tool'] : [])];
  const settings = [
    ...off.map((name) => `features.${name}=false`),
    // The thread asks for its own. With `untrusted` in the user's settings the program does not start.
    'approval_policy="on-request"',
    'check_for_update_on_startup=false',
    'analytics.enabled=false',
    'allow_login_shell=false',
    'project_doc_max_bytes=0',
    'web_search="disabled"',
    'notify=[]',
    // A full context ends the session with a handover; compacted by the program it would lose what is not written down.
    'model_auto_compact_token_limit=9000000000000',
    // A key from the environment is for this session alone: the user's own login does not change.
    ...(keyOf(spec) === null ? [] : ['cli_auth_credentials_store="ephemeral"']),
  ];
  return ['app-server', ...settings.flatMap((setting) => ['-c', setting])];
}

/** The whole environment of the program. The user's own login is found through `spec.env`. */
export const environmentOf = ({ env, agent, token }: SessionSpec): Variables => ({
  ...env,
  ...agent.env,
  HARNESS_TOKEN: token,
});

/** The OpenAI key, which `codex exec` reads and the app server does not; null: none. */
export const keyOf = ({ env, agent }: SessionSpec): string | null =>
  [agent.env['CODEX_API_KEY'], env['CODEX_API_KEY']].find((key) => key !== undefined && key !== '') ?? null;

/** What the user's own settings contain that must not be in this session, by name. */
export type UserSettings = { readonly servers: readonly string[]; readonly skills: readonly string[] };

/** The common parameters of `thread/start` and `thread/resume`. `isConfined`: by the program's own sandbox. */
export function threadOf(spec: SessionSpec, theirs: UserSettings, isConfined: boolean): object {
  return {
    cwd: spec.cwd,
    ...(spec.agent.model === null ? {} : { model: spec.agent.model }),
    // An approval is requested for every command and every change of files, and only from us.
    approvalPolicy: 'untrusted',
    approvalsReviewer: 'user',
    config: {
      // Agents write the repository, so its `.codex` must not configure a session. Set for the work folder, this also keeps the program from
      // recording in the user's own settings that the work folder is trusted.
      projects: Object.fromEntries([spec.cwd, realPath(spec.cwd)].map((path) => [path, { trust_level: 'untrusted' }])),
      ...sandboxOf(spec, isConfined),
      shell_environment_policy: {
        inherit: 'all',
        ignore_default_excludes: true,
        exclude: [],
        include_only: openNames(environmentOf(spec)),
      },
      // Prompts contain text of the repository: no `$skill` in it is run.
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
 * In a box of ours the program's own sandbox is off, because sandboxes do not nest everywhere. Without a box it is on, with the network
 * open as in ours. Denying to read a path makes it strict: else the program repeats outside of the sandbox what failed inside and was
 * allowed. It protects `.git` by itself, but not the harness's repository in a folder without git.
 */
function sandboxOf({ mode, home, cwd }: SessionSpec, isConfined: boolean): object {
  if (!isConfined) return { default_permissions: ':danger-full-access' };
  const closed = [home, ...[join(cwd, ENGINE_FOLDER)].filter((path) => existsSync(path))];
  const filesystem = Object.fromEntries(closed.map((path) => [path, 'deny']));
  const harness = { extends: SANDBOXES[mode], filesystem, network: { enabled: true } };
  return { default_permissions: 'harness', permissions: { harness } };
}

/** The sandbox that the program has to report for the thread. */
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
