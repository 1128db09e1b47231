import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { barePath } from '../support/bare-path.ts';
import { makeRepo, type Repo } from '../support/repo.ts';
import { golden, transcript } from './golden.ts';

const git = execFileSync('git', ['--version'], { encoding: 'utf8' }).trim().replace('git version ', '');
const SCENARIO = 'schema: 1\nsessions: []\n';

/** A machine without any sandbox: the same words everywhere. */
function withoutSandbox(config: string): Repo {
  const repo = makeRepo({ '.scenario.yaml': SCENARIO });
  repo.env['PATH'] = barePath(dirname(repo.root));
  repo.write('.harness.yaml', `${repo.read('.harness.yaml')}${config}# as committed\n`);
  repo.git('commit', '-q', '-am', 'configured');
  return repo;
}
const seenBy = async (repo: Repo, ...calls: readonly string[]): Promise<string> =>
  (await transcript(repo, calls)).replaceAll(git, '<git>');

test('doctor says whether a run could start, and what to do where it could not', async () => {
  const seen = [await seenBy(withoutSandbox(''), 'doctor', 'doctor --json', 'doctor --lang de')];
  const repo = withoutSandbox('sandbox: { level: bwrap }\n');
  repo.write('.harness/session_state.json', 'not json');
  repo.write('features.json', 'not json');
  seen.push(await seenBy(repo, 'doctor', '-C / doctor'));
  const text = seen.join('\n');
  expect(text).toBe(golden('doctor', text));
});
