// GitHub as a forge. Loaded only where one is asked for.
import type { Forge } from '../port.ts';
import { createClient, type ClientOptions } from './client.ts';
import { githubIssues } from './issues.ts';
import { githubPulls } from './pulls.ts';
import { githubTalk } from './talk.ts';

/** `headOwner`: whose branches are proposed; the owner of the repository, or of a fork of it. */
export function githubForge(options: ClientOptions & { readonly headOwner: string }): Forge {
  const client = createClient(options);
  return { kind: 'github', ...githubPulls(client, options.headOwner), ...githubTalk(client), ...githubIssues(client) };
}
