// A tool policy over an imaginary project, and the verdict on one command.
import { judgeToolCall, type PolicySettings } from '../../src/agents/policy/judge.ts';
import { STANDARD_TOOLS, type ToolSettings } from '../../src/model/tools.ts';

/** What a session that judges must not see; the policy of any other has none of it. */
export const UNSEEN = { folders: ['kept/away'], but: ['kept/away/spec.md'], outside: ['/home/ada/.claude/projects'] };

const links: { readonly [path: string]: string } = {
  '/work/shop/out': '/etc',
  '/work/shop/hooks': '/work/shop/.git/hooks',
};
export const policy = (settings: Partial<ToolSettings> = {}, mode: PolicySettings['mode'] = 'exec'): PolicySettings => {
  const all = { ...STANDARD_TOOLS, ...settings };
  return {
    mode,
    settings: all,
    backlog: 'features.json',
    isBoxed: false,
    places: {
      root: '/work/shop',
      home: '/home/ada',
      temporary: '/tmp',
      state: '.harness',
      closed: ['.harness.yaml', 'harness.config.json'],
      kept: ['features.json', 'claude-progress.txt'],
      unseen: UNSEEN,
      allowed: all.filesystem.allowedPaths,
      denied: all.filesystem.deniedPaths,
      real: (path) => {
        const from = Object.keys(links).find((link) => path === link || path.startsWith(`${link}/`));
        return from === undefined ? path : (links[from] ?? '') + path.slice(from.length);
      },
    },
  };
};
const command = (line: string) => ({ tool: 'Bash', paths: [], command: line });
export const judged = (line: string, how: PolicySettings = policy()): string => {
  const verdict = judgeToolCall(command(line), how);
  return verdict.allow ? 'allowed' : verdict.why;
};
