// A fixture project with plans, a bare remote and a local forge: its files, what is on the remote, and a person who commits there.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SHOP, type FixtureProject } from '../fixture-project.ts';

const CONFIG = `playbook: delivery
project: { name: shop }
agents: { default: { provider: scripted, scenario: ../scenario.yaml } }
environment: { init: ./init.sh, reset: ./reset.sh }
testing: { runner: tap, feature: "sh {test_file}", full: "sh all.sh" }
sandbox: { level: none }
verification: { mutation: "off", fix_turns: 0 }
features: { max_stuck_sessions: 30 }
`;

const plan = (title: string, word: string, more = ''): string =>
  `# ${title}\n\n${more}\n## Work\n\nA customer can ${word}.\n`;
const TESTED = '- Test: tests/pay.sh\n';
const PLANS: readonly (readonly [name: string, text: string])[] = [
  ['0001-pay', plan('Pay', 'pay')],
  ['0002-leave', plan('Leave', 'leave', '- Depends on: 0001\n')],
];
/** Names of the first plans. */
export const planNames = (count: number): readonly string[] => PLANS.slice(0, count).map(([name]) => name);

/** `ci`: the command of its forge; '': it checks nothing. `isTested`: the plan names its test. `config`: more lines. */
export function deliveryProject({ plans = 1, ci = '', isTested = false, config = '' } = {}): {
  readonly [path: string]: string;
} {
  const { 'features.json': _list, 'claude-progress.txt': _log, 'tests/pay.sh': pay = '', ...files } = SHOP;
  const some = PLANS.slice(0, plans);
  return {
    ...files,
    '.harness.yaml': `${CONFIG}forge: { kind: local${ci === '' ? '' : `, ci: "${ci}"`} }\n${config}`,
    ...Object.fromEntries(some.map(([name, text]) => [`docs/plans/${name}.md`, text])),
    ...(isTested ? { 'docs/plans/0001-pay.md': plan('Pay', 'pay', TESTED) } : {}),
    'tests/pay.sh': pay,
    ...(plans > 1 ? { 'tests/leave.sh': pay.replaceAll('pay', 'leave') } : {}),
  };
}

/** As after the first push. */
export const published = (shop: FixtureProject): void => void shop.git('push', '-q', 'origin', 'main');

const remoteOf = ({ top }: FixtureProject): string => join(top, 'remote.git');
export const inRemote = (shop: FixtureProject, script: string): string =>
  execFileSync('sh', ['-ec', script], {
    cwd: remoteOf(shop),
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: join(shop.top, 'home'),
      GIT_AUTHOR_NAME: 'Bob',
      GIT_AUTHOR_EMAIL: 'bob@example.org',
      GIT_COMMITTER_NAME: 'Bob',
      GIT_COMMITTER_EMAIL: 'bob@example.org',
    },
    encoding: 'utf8',
  });

const BY_HAND = 'a person was here';
/** Once: a person adds a line to a file of the base branch of the remote. */
export function personCommits(shop: FixtureProject, path: string): void {
  inRemote(
    shop,
    `git log --format=%s main | grep -qx '${BY_HAND}' && exit 0
old=$(git rev-parse main)
blob=$({ git show main:${path} 2>/dev/null || true; echo theirs; } | git hash-object -w --stdin)
tree=$({ git ls-tree main | grep -v '	${path}$'; printf '100644 blob %s\\t${path}\\n' "$blob"; } | git mktree)
git update-ref refs/heads/main "$(git commit-tree -p main -m '${BY_HAND}' "$tree")" "$old"`,
  );
}

/** Once: a person merges the pull request of a plan as it is, on the forge. */
export function personMerges(shop: FixtureProject, item: string, title: string): void {
  const own = pullsOn(shop).find(({ head }) => head === `harness/${item}`);
  if (own === undefined || own.state === 'merged') return;
  const at = `pulls/${own.number}.json`;
  const [head = '', merge = ''] = inRemote(
    shop,
    `old=$(git rev-parse main)
head=$(git rev-parse harness/${item})
merge=$(git commit-tree -p "$old" -p "$head" -m '${title} (#${own.number})' "$(git merge-tree --write-tree "$old" "$head")")
git update-ref refs/heads/main "$merge" "$old"
echo "$head $merge"`,
  )
    .trim()
    .split(' ');
  const record = JSON.parse(inRemote(shop, `git show refs/harness/forge:${at}`)) as object;
  const merged = { ...record, state: 'merged', sha: head, commit: merge, labels: ['ready-to-merge'] };
  writeFileSync(join(shop.top, 'record.json'), JSON.stringify(merged));
  inRemote(
    shop,
    `old=$(git rev-parse refs/harness/forge)
export GIT_INDEX_FILE='${join(shop.top, 'forge.index')}'
git read-tree "$old"
printf '100644 %s\\t${at}\\n' "$(git hash-object -w '${join(shop.top, 'record.json')}')" | git update-index --index-info
git update-ref refs/harness/forge "$(git commit-tree -p "$old" -m 'merged by hand' "$(git write-tree)")" "$old"
rm '${join(shop.top, 'record.json')}' "$GIT_INDEX_FILE"`,
  );
}

export type PullOnRemote = {
  readonly number: number;
  readonly state: string;
  readonly head: string;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly commit: string | null;
};
/** The pull requests of the local forge, by number. */
export function pullsOn(shop: FixtureProject): readonly PullOnRemote[] {
  const printed = inRemote(
    shop,
    `git rev-parse -q --verify refs/harness/forge >/dev/null || exit 0
git ls-tree -r --name-only refs/harness/forge pulls/ | while read -r name; do git show "refs/harness/forge:$name"; printf '\\035'; done`,
  );
  return printed
    .split('\u001d')
    .filter((text) => text.trim() !== '')
    .map((text) => JSON.parse(text) as PullOnRemote)
    .sort((a, b) => a.number - b.number);
}

export type BaseCommit = { readonly subject: string; readonly parents: number; readonly id: string };
/** The base branch of the remote, oldest first, without the commits that came by merges. */
export const baseOn = (shop: FixtureProject): readonly BaseCommit[] =>
  inRemote(shop, "git log --reverse --first-parent --format='%H%x09%P%x09%s' main")
    .trimEnd()
    .split('\n')
    .map((row) => {
      const [id = '', parents = '', subject = ''] = row.split('\t');
      return { id, subject, parents: parents.split(' ').filter(Boolean).length };
    });

export const filesOn = (shop: FixtureProject): readonly string[] =>
  inRemote(shop, 'git ls-tree -r --name-only main').trimEnd().split('\n');
/** '' where there is none. */
export const readOn = (shop: FixtureProject, path: string): string =>
  inRemote(shop, `git show 'main:${path}' 2>/dev/null || true`);

/** A file of the folder that an agent works in; '' where there is none. */
export const readIn = (folder: string, path: string): string =>
  existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : '';
