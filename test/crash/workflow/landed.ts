// What a workflow committed: once, what was chosen, and nothing beside it.
import { isDeepStrictEqual } from 'node:util';
import type { FixtureProject } from '../fixture-project.ts';
import type { WorkflowScenario } from './scenario.ts';

export const newCommits = (shop: FixtureProject): readonly string[] =>
  shop
    .git('log', '--format=%H%x1f%(trailers:key=Harness-Item,valueonly)', 'main..HEAD')
    .split('\n')
    .filter((row) => (row.split('\x1f')[1] ?? '') !== '');

/** At most one commit, ever; at the end, the one that was chosen, with what it should carry. */
export function landedOf(shop: FixtureProject, scenario?: WorkflowScenario): readonly string[] {
  const commits = newCommits(shop);
  if (commits.length > 1) return [`it is committed ${commits.length} times`];
  if (scenario === undefined) return [];
  const { lands, isProved } = scenario;
  const changed = shop.git('diff', '--name-only', 'main', 'HEAD').split('\n').filter(Boolean);
  const wanted = Object.entries(lands ?? {});
  const other = wanted
    .filter(([, text]) => text !== '')
    .filter(([path, text]) => `${shop.git('show', `HEAD:${path}`)}\n` !== text)
    .map(([path]) => `${path} is committed otherwise`);
  const [head = '', remote = ''] = shop.gits(['rev-parse', 'HEAD'], ['ls-remote', 'origin']);
  const isEvident = shop.git('log', '-1', '--format=%(trailers:key=Harness-Evidence,valueonly)') !== '';
  return [
    ...(commits.length === (lands === null ? 0 : 1) ? [] : [`it is committed ${commits.length} times`]),
    ...(isDeepStrictEqual([...changed].sort(), wanted.map(([path]) => path).sort())
      ? other
      : [`it lands ${changed.join(' ')}`]),
    ...(lands === null || remote.startsWith(head) ? [] : ['the remote lags']),
    ...(isEvident === (isProved && lands !== null) ? [] : [`its commit ${isEvident ? 'has' : 'has no'} evidence`]),
  ];
}
