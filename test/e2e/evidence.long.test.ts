// Evidence through the program itself: anyone can check what landed, here, on a clone, or from a file elsewhere;
// what was tampered with is named, and what hashes cannot show is shown by running it again.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { acquireLock } from '../../src/host/lock.ts';
import { restoreLanded } from '../support/landed-state.ts';
import { PROGRAM } from '../support/repo.ts';
import { expectExit, session, work, workshop, type Workshop } from './workshop.ts';

const ROOT = 'refs/harness/evidence';
type Answer = {
  readonly holds: boolean;
  readonly broken: { readonly code: string; readonly item: string; readonly file: string } | null;
  readonly bundles: readonly { readonly item: string; readonly sha256: string; readonly landing: string }[];
};

/** Two items landed. */
async function landed(options: Parameters<typeof workshop>[0] = {}): Promise<Workshop> {
  const repo = workshop(options);
  for (let n = 0; n < 2; n += 1) expectExit(await repo.harness('run'), 0);
  return repo;
}
/** The program in another folder than the repository. */
function harnessIn(folder: string, repo: Workshop, ...args: string[]): { code: number | null; out: string } {
  const ran = spawnSync(process.execPath, [PROGRAM, ...args], { cwd: folder, env: repo.env, encoding: 'utf8' });
  return { code: ran.status, out: ran.stdout === '' ? ran.stderr : ran.stdout };
}
const gitIn = (folder: string, repo: Workshop, args: readonly string[], input = ''): string =>
  execFileSync('git', args, { cwd: folder, env: { ...repo.env, LC_ALL: 'C' }, encoding: 'utf8', input }).trimEnd();
const verified = async (repo: Workshop, ...args: string[]): Promise<Answer & { readonly code: number | null }> => {
  const ran = await repo.harness('evidence', 'verify', ...args, '--json');
  return { ...(ran.json() as Answer), code: ran.code };
};

/** A bundle with one file replaced, as a person who knows git makes it: a new blob, tree and commit on the same parent. */
function withFile(repo: Workshop, rev: string, path: string, text: string, parents?: readonly string[]): string {
  const index = join(repo.around, 'forged-index');
  rmSync(index, { force: true });
  const env = { ...repo.env, GIT_INDEX_FILE: index };
  const git = (args: readonly string[], input = ''): string =>
    execFileSync('git', args, { cwd: repo.root, env, encoding: 'utf8', input }).trim();
  git(['read-tree', rev]);
  const blob = git(['hash-object', '-w', '--stdin'], text);
  git(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`]);
  const own = repo.git('rev-list', '--parents', '-1', rev).split(' ').slice(1);
  const on = (parents ?? own).flatMap((parent) => ['-p', parent]);
  return git(['commit-tree', git(['write-tree']), ...on, '-m', 'forged']);
}
const point = (repo: Workshop, ref: string, to: string): string => repo.git('update-ref', `${ROOT}/${ref}`, to);

describe('what landed', () => {
  test('has a bundle each: chained, bound to the commit by its hash, and everything in it is proved', async () => {
    const repo = await landed();
    const all = await verified(repo, '--all');
    expect(all).toMatchObject({ code: 0, holds: true, broken: null, bundles: [{ item: '1' }, { item: '2' }] });
    const manifest = repo.git('show', `${ROOT}/2:manifest.json`);
    const hash = createHash('sha256').update(`${manifest}\n`).digest('hex');
    expect(repo.trailers('HEAD')['Harness-Evidence']).toBe(`sha256:${hash}`);
    expect(JSON.parse(manifest)).toMatchObject({
      schema: 2,
      item: '2',
      session: 2,
      claim: 'flip',
      proof: { strength: 'exit-code', held: ['feature', 'full', 'red'] },
      landing: {
        list: { path: 'features.json' },
        tree: repo.git('rev-parse', 'HEAD^{tree}'),
        parent: repo.git('rev-parse', 'HEAD^'),
      },
      agent: {
        provider: 'scripted',
        role: 'coding',
        prompts: [{ turn: 1, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }],
      },
      verdict: {
        holds: true,
        checks: [{ name: 'feature', exit: 0 }, { name: 'full' }],
        sandbox: expect.stringMatching(/^(bwrap|srt|pidns|none)$/) as string,
      },
      previous: { item: '1', session: 1, sha256: all.bundles[0]?.sha256 },
      journal: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    });
    const claim = JSON.parse(repo.git('show', `${ROOT}/2:claim.json`)) as unknown;
    expect(claim).toMatchObject({ before: { id: 2, passes: false }, after: { id: 2, passes: true } });
    expect(repo.git('ls-tree', '-r', '--name-only', `${ROOT}/2`)).toMatch(/checks\/.*\/1-feature\.stdout\.txt/);
    const shown = await repo.harness('evidence', 'show', '#2');
    for (const line of ['A saw hangs on the wall', '$ sh run.sh tests/saw.test   exit 0', `sha256:${hash}`])
      expect(shown.stdout).toContain(line);
    expect(repo.git('for-each-ref', 'refs/harness/pending')).toBe('');
  });

  test('is looked at while a run holds the lock, and without any configuration', async () => {
    const repo = await landed();
    const owner = { pid: process.pid, startedAt: '2025-01-16T14:30:00.000Z', command: 'harness run', run: 'r-1' };
    const lock = acquireLock(repo.privateDir, owner);
    if (!lock.ok) throw new Error(lock.failure.reason);
    onTestFinished(() => lock.value.release());
    rmSync(join(repo.root, '.harness.yaml'));
    rmSync(join(repo.root, '.harness'), { recursive: true });
    expect(await verified(repo, '1')).toMatchObject({ code: 0, holds: true, bundles: [{ item: '1' }] });
  });

  test('of an item without evidence, or in a repository without any, is said', async () => {
    const repo = workshop();
    expect((await repo.harness('evidence', 'show', '1', '--json')).json()).toMatchObject({
      error: { code: 'evidence-not-here', exit: 5 },
    });
    expectExit(await repo.harness('run'), 0);
    expect((await repo.harness('evidence', 'verify', '3', '--json')).json()).toMatchObject({
      error: { code: 'evidence-unknown', exit: 2 },
    });
  });
});

describe('what was tampered with is named, exit 9', () => {
  test('each kind of it', async () => {
    const repo = await landed();
    const [first, second] = [repo.git('rev-parse', `${ROOT}/1`), repo.git('rev-parse', `${ROOT}/2`)];
    const back = (): void => {
      for (const [ref, to] of [
        ['1', first],
        ['2', second],
        ['%chain', second],
      ] as const)
        point(repo, ref, to);
    };
    const stdout = repo
      .git('ls-tree', '-r', '--name-only', second)
      .split('\n')
      .find((path) => path.endsWith('1-feature.stdout.txt'));
    if (stdout === undefined) throw new Error('no output was kept');
    const broken = async (code: string, item: string, file: string, ...args: string[]): Promise<void> => {
      const found = await verified(repo, ...args);
      expect(found).toMatchObject({ code: 9, holds: false, broken: { code, item, file } });
      back();
    };

    // a file of the newest bundle
    const forged = withFile(repo, second, stdout, 'ok 1 - everything\n');
    for (const ref of ['2', '%chain']) point(repo, ref, forged);
    await broken('file-changed', '2', stdout, '2');
    // the manifest of the oldest, with the newer bundle put on top of it again
    const other = repo.git('show', `${first}:manifest.json`).replace('A bench can be set up', 'A bench');
    const base = withFile(repo, first, 'manifest.json', `${other}\n`);
    const above = withFile(repo, second, 'manifest.json', `${repo.git('show', `${second}:manifest.json`)}\n`, [base]);
    point(repo, '1', base);
    for (const ref of ['2', '%chain']) point(repo, ref, above);
    await broken('landing-hash-differs', '1', 'manifest.json', '--all');
    // a file that is not in the list
    const more = withFile(repo, second, 'approved.txt', 'by everybody\n');
    for (const ref of ['2', '%chain']) point(repo, ref, more);
    await broken('file-unlisted', '2', 'approved.txt', '--all');
    // a link taken out
    const alone = withFile(repo, second, 'manifest.json', `${repo.git('show', `${second}:manifest.json`)}\n`, []);
    for (const ref of ['2', '%chain']) point(repo, ref, alone);
    repo.git('update-ref', '-d', `${ROOT}/1`);
    await broken('previous-differs', '2', 'manifest.json', '--all');
    // the newest taken away
    point(repo, '%chain', first);
    repo.git('update-ref', '-d', `${ROOT}/2`);
    await broken('bundle-missing', '2', '', '--all');
    // the evidence of another session under this item's name
    point(repo, '2', first);
    await broken('item-differs', '2', `${ROOT}/2`, '2');
    const copy = withFile(repo, first, 'manifest.json', `${repo.git('show', `${first}:manifest.json`)}\n`, [second]);
    for (const ref of ['1', '%chain']) point(repo, ref, copy);
    await broken('previous-differs', '1', 'manifest.json', '--all');
    // the history moved under it
    const another = (_: string, digit: string): string => `sha256:${digit === '0' ? '1' : '0'}`;
    const said = repo.git('log', '-1', '--format=%B').replaceAll(/sha256:(.)/g, another);
    repo.git('commit', '-q', '--amend', '-m', said);
    await broken('landing-hash-differs', '2', 'manifest.json', '--all');
    repo.git('reset', '-q', '--hard', 'HEAD@{1}');
    expect(await verified(repo, '--all')).toMatchObject({ code: 0, holds: true });
  });

  test('a line of the journal that was rewritten', async () => {
    const repo = await landed();
    const manifest = JSON.parse(repo.git('show', `${ROOT}/2:manifest.json`)) as { journal: { file: string } };
    const file = join(repo.privateDir, 'items', manifest.journal.file);
    const lines = readFileSync(file, 'utf8').split('\n');
    const { crc32 } = await import('node:zlib');
    const forged = lines.map((line) => {
      if (!line.includes('"key":"close"')) return line;
      const json = line.slice(9).replaceAll('"holds":true', '"holds":false');
      return `${crc32(json).toString(16).padStart(8, '0')} ${json}`;
    });
    writeFileSync(file, forged.join('\n'));
    expect(await verified(repo, '2')).toMatchObject({
      code: 9,
      broken: { code: 'journal-differs', file: manifest.journal.file },
    });
  });
});

describe('on another machine', () => {
  test('a clone has no evidence until it is fetched by name, and then proves it', async () => {
    const repo = await landed();
    const clone = join(repo.around, 'clone');
    repo.git('clone', '-q', repo.root, clone);
    const bare = harnessIn(clone, repo, 'evidence', 'verify', '--all');
    expect(bare.code).toBe(5);
    expect(bare.out).toContain("git fetch origin 'refs/harness/evidence/*:refs/harness/evidence/*'");
    const fetched = harnessIn(clone, repo, 'evidence', 'verify', '--all', '--fetch', '--json');
    expect(JSON.parse(fetched.out)).toMatchObject({
      holds: true,
      not_looked: ['journal-elsewhere'],
      bundles: [{ item: '1' }, { item: '2' }],
    });
  });

  test('a clone whose branch was amended or reset names the landings that it lost, and never says that all hold', async () => {
    const repo = await landed();
    const landing = repo.git('rev-parse', 'HEAD');
    const clone = join(repo.around, 'clone');
    repo.git('clone', '-q', repo.root, clone);
    const verify = (...args: string[]) => harnessIn(clone, repo, 'evidence', 'verify', '--all', '--fetch', ...args);
    expect(verify().code).toBe(0);
    writeFileSync(join(clone, 'src/saw'), 'a blunt saw\n');
    gitIn(clone, repo, ['commit', '-q', '-a', '--amend', '--no-edit']);
    const amended = verify();
    expect(amended.code).toBe(9);
    expect(amended.out).toContain(
      `#2 is not in the history of the branches here; it landed with ${landing.slice(0, 12)}`,
    );
    expect(amended.out).not.toContain('Valid');
    gitIn(clone, repo, ['reset', '-q', '--hard', 'HEAD~2']);
    expect(JSON.parse(verify('--json').out)).toMatchObject({
      holds: false,
      broken: { code: 'landing-elsewhere', item: '1' },
      not_in_history: [{ item: '1' }, { item: '2', session: 2, commit: landing }],
    });
  });

  test('an exported file proves itself where there is no repository at all; a damaged one is refused', async () => {
    const repo = await landed();
    const [elsewhere, file] = [join(repo.around, 'elsewhere'), join(repo.around, '2.bundle')];
    mkdirSync(elsewhere);
    expectExit(await repo.harness('evidence', 'export', '2', '--to', file), 0);
    const held = harnessIn(elsewhere, repo, 'evidence', 'verify', '--from', file, '--rerun', '--json');
    expect(JSON.parse(held.out)).toMatchObject({
      holds: true,
      rerun: [{ item: '2', holds: true, passing: 3 }],
      bundles: [{ item: '2', landing: repo.git('rev-parse', 'HEAD') }],
    });
    expect(harnessIn(elsewhere, repo, 'evidence', 'show', '2', '--from', file).out).toContain(
      'A saw hangs on the wall',
    );
    const again = await repo.harness('evidence', 'export', '2', '--to', file, '--json');
    expect(again.json()).toMatchObject({ error: { code: 'file-exists' } });
    const bytes = readFileSync(file);
    bytes[bytes.length - 200] = (bytes[bytes.length - 200] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    expect(harnessIn(elsewhere, repo, 'evidence', 'verify', '--from', file).code).toBe(9);
  });
});

test('it is run again as it was proved: with packages of its own, on the commit it was begun on, in the same box', async () => {
  const tests = [
    'the bench is of oak|grep -q oak node_modules/wood/kind',
    'history is here|test "$(git log -1 --format=%s)" = installs',
  ];
  const steps = [
    { write: { path: 'src/bench', text: 'bench\n' } },
    { write: { path: 'tests/bench.test', text: `there is a bench|grep -q bench src/bench\n${tests.join('\n')}\n` } },
    'claim' as const,
  ];
  const repo = workshop({ sessions: [session(1, ...steps)], files: { '.gitignore': '.harness/\nnode_modules/\n' } });
  const install = "'mkdir -p node_modules/wood && echo oak > node_modules/wood/kind'";
  repo.write('.harness.yaml', repo.read('.harness.yaml').replace('./reset.sh }', `./reset.sh, install: ${install} }`));
  repo.git('commit', '-q', '-a', '-m', 'installs');
  expectExit(await repo.harness('run'), 0);
  const { sandbox } = (JSON.parse(repo.git('show', `${ROOT}/1:manifest.json`)) as { verdict: { sandbox: string } })
    .verdict;
  expect(await verified(repo, '1', '--rerun')).toMatchObject({ code: 0, rerun: [{ item: '1', holds: true, sandbox }] });

  const [elsewhere, file] = [join(repo.around, 'elsewhere'), join(repo.around, '1.bundle')];
  mkdirSync(elsewhere);
  expectExit(await repo.harness('evidence', 'export', '1', '--to', file), 0);
  const lost = (...more: readonly string[]): unknown =>
    JSON.parse(harnessIn(elsewhere, repo, 'evidence', 'verify', '--from', file, '--rerun', '--json', ...more).out);
  const differing = (...names: readonly string[]): object => ({
    rerun: [{ differences: [{ kind: 'tests', ids: names.map((name) => `tap|||${name}`) }] }],
  });
  expect(lost()).toMatchObject(differing('history is here')); // an exported file has none
  expect(lost('--prepare', 'mkdir -p node_modules/wood && echo pine > node_modules/wood/kind')).toMatchObject(
    differing('history is here', 'the bench is of oak'),
  );
});

test('a chain that was forged as a whole holds by its hashes, and fails where it is run again', async () => {
  const repo = workshop();
  expectExit(await repo.harness('run'), 0);
  const copy = join(repo.around, 'copy');
  repo.git('clone', '-q', repo.root, copy);
  const git = (args: readonly string[], input = ''): string => gitIn(copy, repo, args, input);
  git(['fetch', '-q', 'origin', `${ROOT}/*:${ROOT}/*`]);
  expect(harnessIn(copy, repo, 'evidence', 'verify', '1', '--rerun').code).toBe(0);
  // A commit that was pushed gives it away; without one there is nothing to compare with.
  git(['remote', 'remove', 'origin']);
  // Everything that a writer of the repository can: other code, another manifest, another commit, fresh hashes.
  writeFileSync(join(copy, 'src/bench'), 'a heap of boards\n');
  git(['add', '-A']);
  const tree = git(['write-tree']);
  const manifest = JSON.parse(git(['show', `${ROOT}/1:manifest.json`])) as {
    landing: { tree: string; verified: string; changes: { path: string; verified: { mode: string; id: string } }[] };
    verdict: { folder: string };
    diff: { from: string; to: string; sha256: string };
    files: { path: string; sha256: string }[];
  };
  const flags = ['-r', '-p', '--no-color', '--no-renames', '--full-index', '--diff-algorithm=myers', '-U3'];
  const diff = `${git(['diff-tree', ...flags, manifest.diff.from, tree])}\n`;
  const checks = `checks/${manifest.verdict.folder}/checks.json`;
  for (const { path, verified } of manifest.landing.changes)
    git(['update-index', '--add', '--cacheinfo', `${verified.mode},${verified.id},${path}`]);
  const checked = git(['write-tree']);
  const forgedChecks = `${git(['show', `${ROOT}/1:${checks}`]).replace(manifest.landing.verified, checked)}\n`;
  manifest.files = manifest.files.map((file) =>
    file.path === checks ? { ...file, sha256: createHash('sha256').update(forgedChecks).digest('hex') } : file,
  );
  manifest.landing.tree = tree;
  manifest.landing.verified = checked;
  manifest.diff = { ...manifest.diff, to: tree, sha256: createHash('sha256').update(diff).digest('hex') };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  const message = git(['log', '-1', '--format=%B']).replace(
    /sha256:[0-9a-f]{64}/,
    `sha256:${createHash('sha256').update(text).digest('hex')}`,
  );
  git(['update-ref', 'HEAD', git(['commit-tree', tree, '-p', 'HEAD^', '-F', '-'], `${message}\n`)]);
  git(['read-tree', '--empty']);
  git(['read-tree', `${ROOT}/1`]);
  for (const [path, bytes] of [
    ['manifest.json', text],
    [checks, forgedChecks],
  ] as const)
    git(['update-index', '--cacheinfo', `100644,${git(['hash-object', '-w', '--stdin'], bytes)},${path}`]);
  const forged = git(['commit-tree', git(['write-tree']), '-m', 'forged']);
  for (const ref of ['1', '%chain']) git(['update-ref', `${ROOT}/${ref}`, forged]);
  const hashes = harnessIn(copy, repo, 'evidence', 'verify', '1');
  expect(hashes.code, hashes.out).toBe(0);
  expect(hashes.out).toContain('can rewrite the whole chain');
  const rerun = harnessIn(copy, repo, 'evidence', 'verify', '1', '--rerun', '--json');
  expect([rerun.code, JSON.parse(rerun.out)]).toMatchObject([
    9,
    {
      holds: false,
      broken: null,
      rerun: [{ holds: false, differences: [{ kind: 'tests', ids: ['tap|||bench is there'] }] }],
    },
  ]);
});

test('what an older version landed still holds by its rules, and is shown as an older proof', async () => {
  const repo = restoreLanded('finished');
  const all = await repo.harness('evidence', 'verify', '--all');
  expectExit(all, 0);
  expect(all.stdout).toContain('older proof: claim and checked tree are not compared');
  expect((await repo.harness('evidence', 'show', '1')).stdout).toContain('older proof (schema 1)');
});

test('what git stores with other line ends than were checked is proved all the same', async () => {
  const steps = [
    ...work(1).slice(0, -1),
    { write: { path: 'src/windows.txt', text: 'one\r\ntwo\r\n' } },
    'claim' as const,
  ];
  const repo = workshop({ sessions: [session(1, ...steps)] });
  repo.write('.gitattributes', '* text=auto\n');
  repo.git('add', '-A');
  repo.git('commit', '-q', '-m', 'attributes');
  expectExit(await repo.harness('run'), 0);
  expect(repo.git('show', 'HEAD:src/windows.txt')).toBe('one\ntwo');
  expect(JSON.parse(repo.git('show', `${ROOT}/1:manifest.json`))).toMatchObject({ landing: { keepsChecked: true } });
  const all = await repo.harness('evidence', 'verify', '--all', '--json');
  expectExit(all, 0);
  expect(all.json()).toMatchObject({ holds: true, not_looked: [] });
});

test('a secret of the environment is in no bundle, whatever printed it', async () => {
  const secret = 'hunter2-0451-opensesame';
  const steps = [
    { run: 'echo "$SHOP_API_KEY"' },
    { say: `the key is ${secret}` },
    ...work(1).slice(0, 1),
    // In two halves: a file that holds the value would be refused.
    {
      write: {
        path: 'tests/bench.test',
        text: `bench is there|echo ${secret.slice(0, 9)}""${secret.slice(9)}; grep -q bench src/bench\n`,
      },
    },
    'claim',
  ];
  const repo = workshop({ sessions: [session(1, ...steps)] });
  repo.env['SHOP_API_KEY'] = secret;
  expectExit(await repo.harness('run'), 0);
  const files = repo.git('ls-tree', '-r', '--name-only', `${ROOT}/1`).split('\n');
  const texts = files.map((path) => repo.git('show', `${ROOT}/1:${path}`));
  expect(texts.some((text) => text.includes(`[masked:`))).toBe(true);
  for (const [n, text] of texts.entries()) expect(text, files[n]).not.toContain(secret);
  expect(await verified(repo, '--all')).toMatchObject({ holds: true });
});

test('what an agent shows and was never seen to do is a warning beside the proof, and decides nothing', async () => {
  const lie = ['$ sh run.sh tests/bench.test', 'ok 1 - bench is there', '99 passed'].join('\n');
  const repo = workshop({ sessions: [session(1, ...work(1), { say: lie })] });
  expectExit(await repo.harness('run'), 0);
  const { mismatches } = JSON.parse(repo.git('show', `${ROOT}/1:manifest.json`)) as { mismatches: { code: string }[] };
  expect(mismatches.map(({ code }) => code)).toEqual([
    'tests-not-shown',
    'shown-command-not-seen',
    'shown-output-differs',
  ]);
  expect((await repo.harness('evidence', 'show', '1')).stdout).toContain('no test run of its own was observed');
  const honest = workshop({
    sessions: [session(1, ...work(1).slice(0, 2), { run: 'sh run.sh tests/bench.test' }, 'claim')],
  });
  expectExit(await honest.harness('run'), 0);
  expect(JSON.parse(honest.git('show', `${ROOT}/1:manifest.json`))).toMatchObject({ mismatches: [] });
});
