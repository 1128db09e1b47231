// A delivery on the stand-in for GitHub.
import { onTestFinished } from 'vitest';
import { standInForGithub, type GitHub } from '../support/github/server.ts';
import { deliveryShop, SESSIONS, type Session, type Shop } from './delivery-shop.ts';

type OnGithub = { readonly shop: Shop; readonly github: GitHub };

export async function shopOnGithub(
  sessions: readonly Session[],
  about: { readonly plans?: number; readonly config: string },
): Promise<OnGithub> {
  const forge = '{ kind: github, repository: ada/shop, api_url: "http://127.0.0.1:1" }';
  const shop = deliveryShop(sessions, { forge, ...about });
  const { repo } = shop;
  const github = await standInForGithub(shop.remote);
  onTestFinished(() => github.close());
  repo.write('.harness.yaml', repo.read('.harness.yaml').replace('http://127.0.0.1:1', github.url));
  repo.git('commit', '-qam', 'the address');
  repo.git('push', '-q', 'origin', 'main');
  Object.assign(repo.env, { GITHUB_API_URL: github.url, GH_TOKEN: github.token });
  return { shop, github };
}
/** Its backlog is the issues there. */
export const shopOfIssues = (more: string, sessions = SESSIONS): Promise<OnGithub> =>
  shopOnGithub(sessions, { plans: 0, config: `backlog: github\n${more}` });

export const plansOf = ({ repo }: GitHub): readonly string[] =>
  repo
    .git('ls-tree', '-r', '--name-only', 'main', 'docs/plans')
    .split('\n')
    .filter((path) => path.endsWith('.md'));
