// A forge that is only a git remote: pull requests, issues and results of checks are files on a ref of it.
import type { Waiting } from '../patience.ts';
import type { Forge } from '../port.ts';
import type { Ci, ForgeGit } from './git.ts';
import { localIssues } from './issues.ts';
import { localPulls } from './pulls.ts';
import { openStore } from './store.ts';
import { localTalk } from './talk.ts';

export function localForge(ask: { readonly git: ForgeGit; readonly ci: Ci | null; readonly waiting: Waiting }): Forge {
  const store = openStore(ask.git, ask.waiting);
  return { kind: 'local', ...localPulls(store), ...localTalk(store, ask.ci), ...localIssues(store) };
}
