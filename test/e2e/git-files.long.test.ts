// Agents without a box that plant what git obeys: the session is rejected, git's files are as they were, and what a user types next runs
// nothing of the agent's.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectExit, honest, session, work, workshop, type Workshop } from './workshop.ts';

const config = 'sandbox: { level: none }\nverification: { fix_turns: 0 }';
/** Anything of the agent's that runs writes this file. */
const TRAP = '../trap';
const PROGRAM = `printf '#!/bin/sh\\necho "$0" >> ${TRAP}\\n' > ../evil && chmod +x ../evil`;

/** What a user does next. */
function use(shop: Workshop): void {
  for (const command of [['status'], ['log', '--oneline'], ['diff'], ['stash', 'list'], ['fetch', '--all']])
    try {
      shop.git(...command);
    } catch {
      // Without a remote there is nothing to fetch.
    }
  writeFileSync(join(shop.root, 'mine'), 'mine\n');
  shop.git('add', 'mine');
  shop.git('commit', '-q', '-m', 'mine');
}

/** What git obeys, with the right to run. */
const obeyed = (shop: Workshop): readonly string[] =>
  [
    shop.git('replace', '--list'),
    ...['config', 'config.worktree', 'shallow', 'objects/info/alternates', 'hooks', 'info', 'modules'].flatMap(
      (name) => {
        const path = join(shop.root, '.git', name);
        const folder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
        const names = folder ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : [''];
        return names
          .map((one) => join(path, one))
          .flatMap((one) => {
            const facts = lstatSync(one, { throwIfNoEntry: false });
            return facts?.isFile() === true
              ? [`${one} ${facts.mode}\n${readFileSync(one, 'latin1')}`]
              : facts === undefined
                ? []
                : [one];
          });
      },
    ),
  ].sort();

const PLANTS: readonly [string, string, string][] = [
  ['a hook', 'cp ../evil .git/hooks/post-commit', '.git/hooks/post-commit'],
  ['a link as a hook', 'ln -s ../../../evil .git/hooks/pre-commit', '.git/hooks/pre-commit'],
  ['the right to run for a hook that had none', 'chmod +x .git/hooks/post-checkout', '.git/hooks/post-checkout'],
  ['core.fsmonitor', 'git config core.fsmonitor "$PWD/../evil"', '.git/config'],
  [
    'core.hooksPath',
    'mkdir -p ../hooks; cp ../evil ../hooks/post-commit; git config core.hooksPath "$PWD/../hooks"',
    '.git/config',
  ],
  ['a remote that is a command', 'git config remote.evil.url "ext::$PWD/../evil"', '.git/config'],
  ['a configuration that git cannot read', 'echo "[core" >> .git/config', '.git/config'],
  [
    'a configuration of this work tree',
    'printf "[core]\\n\\tfsmonitor = $PWD/../evil\\n" > .git/config.worktree',
    '.git/config.worktree',
  ],
  ['a replaced commit', 'git replace HEAD $(git commit-tree -m other HEAD^{tree})', '.git/refs/replace/'],
  [
    'a replaced commit among the packed refs',
    'git replace HEAD $(git commit-tree -m other HEAD^{tree}); git pack-refs --all',
    '.git/packed-refs',
  ],
  [
    'alternates',
    'git init -q --bare ../other.git; echo "$PWD/../other.git/objects" > .git/objects/info/alternates',
    '.git/objects/info/alternates',
  ],
  ['a graft', 'git rev-parse HEAD > .git/info/grafts', '.git/info/grafts'],
  ['an end of the history', 'git rev-parse HEAD > .git/shallow', '.git/shallow'],
  [
    'a filter',
    'echo "* filter=evil" > .git/info/attributes; git config filter.evil.clean "$PWD/../evil"',
    '.git/info/attributes',
  ],
  ['an ignored source', 'echo "src/secret" >> .git/info/exclude', '.git/info/exclude'],
  [
    'a submodule',
    'git init -q --bare .git/modules/lib && git -C .git/modules/lib config core.fsmonitor "$PWD/../evil"',
    '.git/modules/lib',
  ],
];

describe('a session that leaves this in git is rejected, and it is gone', () => {
  test.each(PLANTS)('%s', async (_what, plant, file) => {
    const bad = session(1, ...work(1), { run: PROGRAM }, { run: plant });
    const shop = workshop({ config, sessions: [bad] });
    const idle = join(shop.root, '.git/hooks/post-checkout');
    mkdirSync(join(shop.root, '.git/hooks'), { recursive: true });
    writeFileSync(idle, `#!/bin/sh\necho idle >> ${TRAP}\n`);
    chmodSync(idle, 0o644);
    const before = obeyed(shop);
    const ran = await shop.harness('run', '--json');
    expectExit(ran, 9);
    expect(ran.json()).toMatchObject({
      result: 'rejected',
      landed: [],
      items: [{ id: '1', problems: expect.arrayContaining(['git-files-edited']) as unknown }],
    });
    expect(obeyed(shop)).toEqual(before);
    use(shop);
    expect(existsSync(join(shop.around, 'trap'))).toBe(false);
    expect(shop.git('fsck', '--full', '--no-dangling')).toBe('');
    shop.play(honest);
    const next = await shop.harness('run', '--json');
    expectExit(next, 0);
    expect(next.json()).toMatchObject({ landed: ['1'] });
    expect(shop.read('.harness/sessions/2/prompt-1.md')).toContain(file);
  });
});

test.each([
  ['a hook', 'cp ../evil .git/hooks/post-commit'],
  ['a configuration that git cannot read', 'echo "[core" >> .git/config'],
  ['another work tree', 'git config core.worktree /nowhere'],
  ['another common folder', 'echo /nowhere > .git/commondir'],
])(
  'kill -9 after an agent planted %s: the next start puts it back, and the session is rejected',
  async (_what, plant) => {
    const steps = [
      { run: PROGRAM },
      { run: plant },
      { write: { path: '../at-work', text: '' } },
      { wait_for_file: '../go' },
    ];
    const shop = workshop({ config, sessions: [session(1, ...steps)] });
    const before = obeyed(shop);
    const run = shop.start('run', '--json');
    await run.until(join(shop.around, 'at-work'));
    run.signal('SIGKILL');
    await run.ended;
    shop.play(honest);
    const found = await shop.harness('run', '--json');
    expectExit(found, 9);
    expect(found.json()).toMatchObject({ result: 'rejected', reason: 'git-files-edited', landed: [] });
    expect(obeyed(shop)).toEqual(before);
    use(shop);
    expect(existsSync(join(shop.around, 'trap'))).toBe(false);
    expectExit(await shop.harness('run', '--json'), 0);
  },
);

test('a lock that an agent left is no obstacle to its own landing', async () => {
  const plant = { run: 'touch -d 2099-01-01 .git/index.lock; mkdir .git/HEAD.lock' };
  const shop = workshop({ config, sessions: [session(1, ...work(1), plant)] });
  const ran = await shop.harness('run', '--json');
  expectExit(ran, 0);
  expect(ran.json()).toMatchObject({ landed: ['1'] });
  expect([shop.git('status', '--porcelain'), existsSync(join(shop.root, '.git/index.lock'))]).toEqual(['', false]);
});

test('a setting that a user made meanwhile is put back too, and is kept under a name that is shown', async () => {
  const steps = [{ write: { path: '../at-work', text: '' } }, { wait_for_file: '../go' }, ...work(1)];
  const shop = workshop({ config, sessions: [session(1, ...steps)] });
  const run = shop.start('run');
  await run.until(join(shop.around, 'at-work'));
  shop.git('config', 'alias.st', 'status');
  writeFileSync(join(shop.around, 'go'), '');
  const ran = await run.ended;
  expectExit(ran, 9);
  const [, folder = ''] =
    /git obeys it: restored; what was there instead is kept in (\S+)/.exec(ran.stdout + ran.stderr) ?? [];
  const texts = readdirSync(join(shop.root, folder)).map((name) => shop.read(join(folder, name)));
  expect(texts).toEqual([expect.stringContaining('[alias]')]);
  expect(shop.read('.git/config')).not.toContain('alias');
});
