// Owns a repository for one delivery whose agents are real ones: a plan, a bare remote, a local forge, and what a model says in the place of each role.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { pullsOf } from '../e2e/delivery-shop.ts';
import { testOf, type Place } from './harness-lab.ts';

type Placed = Omit<Place, 'fake'>;

export const [SOURCE, TEST] = ['src/greet.mjs', 'tests/greet.test.mjs'] as const;
export const FIRST = "export const greet = () => 'hello' + '';\n";
export const FIXED = "export const greet = () => 'hello';\n";
export const TESTED = testOf('greet', 'hello');

/** The plan is committed and pushed; everything but the agent is the same for every provider. */
export function forOneDelivery({ repo }: Pick<Placed, 'repo'>): void {
  for (const path of ['features.json', TEST, 'tests/part.test.mjs', 'claude-progress.txt', 'reset.sh'])
    rmSync(join(repo.root, path), { force: true });
  const agent = /^ {2}default: (.*)$/m.exec(repo.read('.harness.yaml'))?.[1] ?? '';
  repo.write(
    '.harness.yaml',
    [
      'playbook: delivery',
      'project: { name: words }',
      'agents:',
      `  default: ${agent}`,
      'environment: { init: ./init.sh }',
      'testing: { runner: node, feature: "node --test {test_file}", full: "node --test tests/" }',
      'verification: { mutation: "off" }',
      'forge: { kind: local, ci: "node --test tests/" }',
      '',
    ].join('\n'),
  );
  repo.write('tests/base.test.mjs', "import { test } from 'node:test';\ntest('there is a base', () => {});\n");
  repo.write('docs/plans/0001-greet.md', `# Greet\n\n- Test: ${TEST}\n\n## Work\n\nA user is greeted with hello.\n`);
  const remote = join(dirname(repo.root), 'remote.git');
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote], { env: repo.env });
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', 'a plan');
  repo.git('remote', 'add', 'origin', remote);
  repo.git('push', '-q', 'origin', 'HEAD:refs/heads/main');
}

/** What a role says last, whatever its provider. */
export function lastWords(role: string, attempt: number): string {
  switch (role) {
    case 'reviewer':
      return attempt > 1
        ? 'I read the fix.\n\n**No blocking findings.**'
        : `### Medium: a needless concatenation\nPath: ${SOURCE}\nQuote: ${FIRST.trim()}\nWhy: it says nothing.\n\n- Low: SAID-LOW`;
    case 'preparer':
      return 'Title: Greet users\n\nA user is greeted with hello.';
    case 'merge-checker':
      return 'No findings. Ready to enable auto-merge.';
    default:
      return 'Done.';
  }
}

/** From the plan to its merge; `roles`: whose sessions the model answered, in their order. */
export async function fromPlanToMerge(place: Placed, roles: () => readonly string[]): Promise<void> {
  const { repo, start, alive } = place;
  const ran = await start(['run', '--json']).ended;
  expect([ran.code, ran.stderr, JSON.parse(ran.stdout)]).toMatchObject([0, '', { result: 'done', landed: ['0001'] }]);
  const [pull, ...others] = pullsOf({ repo, remote: '' });
  expect(others).toEqual([]);
  expect(pull).toMatchObject({ state: 'merged', title: 'Greet users', labels: ['ready-to-merge'] });
  expect(pull?.body).toContain('SAID-LOW');
  expect(repo.git('log', '--first-parent', '--format=%s').split('\n').slice(0, 2)).toEqual([
    'chore: plan 0001-greet is merged',
    'Greet users (#1)',
  ]);
  expect(repo.read(SOURCE)).toBe(FIXED);
  expect(repo.git('ls-tree', '-r', '--name-only', 'HEAD', 'docs/')).toBe('docs/plans/completed/0001-greet.md');
  expect(repo.git('rev-parse', 'HEAD')).toBe(repo.git('ls-remote', 'origin', 'refs/heads/main').split('\t')[0]);
  expect([repo.git('status', '--porcelain'), alive()]).toEqual(['', []]);
  expect(roles()).toEqual(['implementer', 'reviewer', 'fixer', 'reviewer', 'preparer', 'merge-checker']);
  expect((await repo.harness('evidence', 'verify')).stdout).toContain('Valid: 1 bundle');
}
