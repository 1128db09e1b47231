import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { autofix, stateIn, v1In } from '../support/workflow.ts';
import { workflowProject, type WorkflowProject } from '../support/workflow-project.ts';
import type { Result } from '../../src/model/result.ts';
import type { WorkflowStart } from '../../src/playbooks/workflow/start/start.ts';

const made = (begun: Result<WorkflowStart>) => {
  if (!begun.ok) throw new Error(JSON.stringify(begun.failure));
  if (begun.value.do !== 'set-up') throw new Error(begun.value.do);
  return begun.value;
};
const reasonOf = (begun: Result<WorkflowStart>) => (begun.ok ? begun.value.do : begun.failure.reason);
const inSession = (shop: WorkflowProject, file: object): void => {
  shop.write('.harness/.gitignore', '*\n');
  shop.write('.harness/state.json', JSON.stringify(file));
};

describe('a new session', () => {
  test('has exactly the fields of the reference, in its order, and is on its branch', async () => {
    const shop = workflowProject();
    const { file } = made(await shop.begin({ words: ['Fix the login'] }));
    expect(Object.keys(shop.state())).toEqual(Object.keys(stateIn('plan_ready')).toSorted(byReference));
    expect(shop.state()).toMatchObject({
      ...stateIn('plan_ready', { lang: 'unknown', build_cmd: null, test_cmd: null, conventions: null }),
      repo_path: shop.root,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(file).toEqual(shop.state());
    expect(shop.git('branch', '--show-current')).toBe('harness/fix-the-login');
    expect(shop.git('status', '--porcelain')).toBe('');
    for (const folder of ['.harness/planner', '.harness/generator', 'docs/harness/fix-the-login'])
      expect(shop.has(folder)).toBe(true);
  });

  test('never takes a branch that has other work, or that another work tree is on', async () => {
    const shop = workflowProject();
    shop.git('branch', 'harness/fix-the-login');
    shop.git('worktree', 'add', '-q', '../beside', 'harness/fix-the-login');
    shop.git('checkout', '-q', '-b', 'harness/fix-the-login-2');
    shop.git('commit', '-q', '--allow-empty', '-m', 'work of somebody');
    shop.git('checkout', '-q', 'main');
    const { taken, file } = made(await shop.begin({ words: ['Fix the login'] }));
    expect([taken, file.branch]).toEqual(['harness/fix-the-login', 'harness/fix-the-login-3']);
    expect(shop.git('branch', '--show-current')).toBe('harness/fix-the-login-3');
    expect(shop.git('log', '-1', '--format=%s', 'harness/fix-the-login-2')).toBe('work of somebody');
  });

  test('takes a branch of its name that has nothing else', async () => {
    const shop = workflowProject();
    shop.git('branch', 'harness/fix-the-login');
    expect(made(await shop.begin({ words: ['Fix the login'] }))).toMatchObject({ taken: null });
    expect(shop.git('branch', '--format=%(refname:short)')).toBe('harness/fix-the-login\nmain');
  });

  test('takes what the command line says, and says so', async () => {
    const shop = workflowProject();
    const flags = {
      mode: 'multi',
      modelConfig: 'economy',
      verifierModel: 'opus',
      outputDir: './out/notes/',
      scope: 'src/**,test/**',
      maxFiles: '7',
      maxRounds: '5',
      lintCmd: 'make lint',
      typeCheckCmd: '',
    };
    const { assumed } = made(await shop.begin({ words: ['plan', 'Fix the login'], flags }));
    expect(shop.state()).toMatchObject({
      mode: 'multi',
      run_style: 'phase',
      model_config: { preset: 'economy', executor: 'haiku', verifier: 'opus' },
      cli_flags: { verifier_model: 'opus', output_dir: 'out/notes' },
      docs_path: 'out/notes/fix-the-login/',
      scope: 'src/**,test/**',
      max_files: 7,
      max_rounds: 5,
      lint_cmd: 'make lint',
      type_check_cmd: null,
    });
    expect(assumed).toEqual({});
  });

  test('asks for mode and models; a choice made without asking is recorded', async () => {
    const asked = workflowProject();
    made(
      await asked.begin(
        { words: ['Fix the login'] },
        {
          canBeAsked: true,
          choose: ({ key }) => Promise.resolve(key === 'workflow.mode' ? 'single' : 'executor:opus'),
        },
      ),
    );
    expect(asked.state()).toMatchObject({
      mode: 'single',
      model_config: { preset: 'custom', executor: 'opus', advisor: 'opus', verifier: 'haiku' },
    });
    const silent = workflowProject();
    const { assumed } = made(await silent.begin({ words: ['Fix the login'] }));
    expect(assumed).toEqual({ mode: 'standard', models: 'balanced' });
    const log = readFileSync(join(silent.root, '.harness/logs/events.jsonl'), 'utf8');
    expect(log).toContain('"data":{"question":"mode","answer":"standard"}');
    expect(log).toContain('"data":{"question":"models","answer":"balanced"}');
  });

  test('asks for models three times more where they cannot be read, then it is balanced', async () => {
    const shop = workflowProject();
    const asked: string[] = [];
    const { assumed } = made(
      await shop.begin(
        { words: ['Fix the login'], flags: { mode: 'single' } },
        {
          canBeAsked: true,
          choose({ key }) {
            asked.push(key);
            return Promise.resolve(`gpt-${asked.length}`);
          },
          say: (_key, params) => void asked.push(String(params?.['wrong'])),
        },
      ),
    );
    expect(asked.filter((one) => one === 'workflow.models')).toHaveLength(4);
    expect(asked.filter((one) => one.startsWith('gpt-'))).toEqual(['gpt-1', 'gpt-3', 'gpt-5']);
    expect(assumed).toMatchObject({ models: 'balanced' });
    expect(shop.state()).toMatchObject({ model_config: { preset: 'balanced' } });
  });

  test.each([
    ['Füge eine Anmeldeseite hinzu', 'de'],
    ['Fix the crash when the cart is empty', 'en'],
    ['ログインページを追加する', 'ja'],
    ['Add `x`', 'en'],
  ])('speaks the language of its task: %s', async (task, lang) => {
    const shop = workflowProject();
    const spoken: string[] = [];
    made(await shop.begin({ words: [task] }, { speak: (said) => Promise.resolve(void spoken.push(said)) }));
    expect([shop.state()['user_lang'], ...spoken]).toEqual([lang, lang]);
  });
});

/** As the reference writes them; the test's own state has `verify` at its end. */
const ORDER =
  'version task mode run_style model_config cli_flags user_lang has_git repo_name repo_path phase round max_rounds max_files scope branch lang build_cmd test_cmd lint_cmd type_check_cmd verify autofix docs_path conventions created_at updated_at'.split(
    ' ',
  );
const byReference = (a: string, b: string): number => ORDER.indexOf(a) - ORDER.indexOf(b);

describe('a project is recognised by its files', () => {
  type Commands = readonly [
    lang: string,
    test: string | null,
    build: string | null,
    lint: string | null,
    types: string | null,
  ];
  test.each<[string, { readonly [path: string]: string }, Commands]>([
    ['gradle', { 'build.gradle': '' }, ['java', './gradlew test', './gradlew build', null, null]],
    ['gradle in Kotlin', { 'build.gradle.kts': '' }, ['java', './gradlew test', './gradlew build', null, null]],
    ['maven', { 'pom.xml': '<project/>' }, ['java', 'mvn test', 'mvn compile', null, null]],
    [
      'python with ruff and mypy',
      { 'pyproject.toml': '[project]\nname = "x"\n\n[tool.ruff.lint]\n[tool.mypy]\n' },
      ['python', 'pytest', null, 'ruff check .', 'mypy .'],
    ],
    ['python with pylint', { 'setup.py': '', '.pylintrc': '' }, ['python', 'pytest', null, 'pylint {scope}', null]],
    [
      'python with pyright',
      { 'pyproject.toml': '[tool.pylint]\n', 'pyrightconfig.json': '{}' },
      ['python', 'pytest', null, 'pylint {scope}', 'pyright'],
    ],
    [
      'npm with all scripts',
      {
        'package.json': '{ "scripts": { "test": "vitest", "build": "tsc", "lint": "eslint" } }',
        'tsconfig.json': '{}',
      },
      ['typescript', 'npm test', 'npm run build', 'npm run lint', 'npx tsc --noEmit'],
    ],
    [
      'npm with eslint and no scripts',
      { 'package.json': '{}', 'eslint.config.js': '' },
      ['typescript', null, null, 'npx eslint .', null],
    ],
    ['a package.json that is broken', { 'package.json': '{' }, ['typescript', 'npm test', 'npm run build', null, null]],
    ['c#', { 'FixtureProject.csproj': '' }, ['csharp', 'dotnet test', 'dotnet build', null, null]],
    ['go', { 'go.mod': '', '.golangci.yml': '' }, ['go', 'go test ./...', 'go build ./...', 'golangci-lint run', null]],
    ['rust', { 'Cargo.toml': '' }, ['rust', 'cargo test', 'cargo build', 'cargo clippy', null]],
    ['nothing known', { 'main.c': '' }, ['unknown', null, null, null, null]],
    ['python before npm', { 'setup.py': '', 'package.json': '{}' }, ['python', 'pytest', null, null, null]],
  ])('%s', async (_, files, [lang, test_cmd, build_cmd, lint_cmd, type_check_cmd]) => {
    const shop = workflowProject(files);
    made(await shop.begin({ words: ['Fix the login'] }));
    expect(shop.state()).toMatchObject({ lang, test_cmd, build_cmd, lint_cmd, type_check_cmd });
  });
});

describe('nothing is begun, and nothing has changed', () => {
  const NEW = { words: ['Fix the login'] };
  test.each<[string, (shop: WorkflowProject) => void, string]>([
    ['where something is not committed', (shop) => shop.write('mine.txt', 'x'), 'dirty-tree'],
    ['on no branch', (shop) => shop.git('checkout', '-q', '--detach'), 'detached-head'],
    ['in a merge', (shop) => shop.write('.git/MERGE_HEAD', `${shop.git('rev-parse', 'HEAD')}\n`), 'git-operation-open'],
    ['over a state.json that is broken', (shop) => inSessionText(shop, '{'), 'state-unreadable'],
    ['over one of a later version', (shop) => inSessionText(shop, '{"version":"3.0","task":"x"}'), 'state-newer'],
    [
      'where docs leads out of the repository',
      (shop) => {
        symlinkSync('/tmp', join(shop.root, 'docs'));
        shop.git('add', '-A');
        shop.git('commit', '-qm', 'docs');
      },
      'workflow-docs-path',
    ],
    [
      'where a file is in the place of its folder',
      (shop) => committed(shop, 'docs/harness', 'x'),
      'workflow-docs-path',
    ],
  ])('%s', async (_, before, reason) => {
    const shop = workflowProject();
    before(shop);
    const there = shop.has('.harness/state.json');
    const [branch, head] = [shop.git('branch', '--show-current'), shop.git('for-each-ref')];
    expect(reasonOf(await shop.begin(NEW))).toBe(reason);
    expect(shop.has('.harness/state.json')).toBe(there);
    expect([shop.git('branch', '--show-current'), shop.git('for-each-ref')]).toEqual([branch, head]);
  });

  const inSessionText = (shop: WorkflowProject, text: string): void => {
    shop.write('.harness/.gitignore', '*\n');
    shop.write('.harness/state.json', text);
  };
  const committed = (shop: WorkflowProject, path: string, text: string): void => {
    shop.write(path, text);
    shop.git('add', '-A');
    shop.git('commit', '-qm', 'more');
  };

  test('but files that an earlier phase left for this very task are no obstacle', async () => {
    const shop = workflowProject();
    shop.write('docs/harness/fix-the-login/qa_notes.md', 'known');
    expect(reasonOf(await shop.begin(NEW))).toBe('set-up');
    expect(shop.has('docs/harness/fix-the-login/qa_notes.md')).toBe(true);
  });
});

describe('a session that is there', () => {
  test('is continued only on request, and stays as it is', async () => {
    const shop = workflowProject();
    inSession(shop, stateIn('generate_ready', { user_lang: 'de' }));
    const before = shop.state();
    expect(reasonOf(await shop.begin({ words: [] }))).toBe('workflow-under-way');
    expect(reasonOf(await shop.begin({ words: ['Add a cart'] }))).toBe('workflow-under-way');
    const resumed = await shop.begin({ words: [] }, { choose: () => Promise.resolve('resume') });
    expect(resumed.ok && resumed.value).toMatchObject({ do: 'continue', style: null });
    expect(shop.state()).toEqual(before);
  });

  test('goes with its own files and no other if the user says stop', async () => {
    const shop = workflowProject();
    inSession(shop, stateIn('verify_done', { autofix: autofix('proposed') }));
    const own = ['planner/x.md', 'generator/y.md', 'conventions.md', 'autofix_pre_apply/z'];
    const others = ['logs/runs/a.log', 'sessions/1/prompt-1.md', 'costs.yaml', 'tasks/harness-progress.txt'];
    for (const path of [...own, ...others]) shop.write(`.harness/${path}`, 'x');
    shop.write('src/new.ts', 'work');
    expect(await shop.begin({ words: [], flags: { onSession: 'stop' } })).toMatchObject({
      value: { do: 'halt', deleted: true },
    });
    expect([...own, 'state.json'].filter((path) => shop.has(`.harness/${path}`))).toEqual([]);
    expect(others.filter((path) => !shop.has(`.harness/${path}`))).toEqual([]);
    expect(shop.git('status', '--porcelain')).toBe('?? src/');
  });

  test('is restarted with its own task where no other is named; uncommitted work prevents it', async () => {
    const shop = workflowProject();
    inSession(shop, stateIn('generating', { round: 2 }));
    shop.write('src/new.ts', 'work');
    const restart = { words: [], flags: { onSession: 'restart' } };
    expect(reasonOf(await shop.begin(restart))).toBe('dirty-tree');
    expect(shop.state()).toMatchObject({ phase: 'generating' });
    shop.git('add', '-A');
    shop.git('commit', '-qm', 'kept');
    expect(reasonOf(await shop.begin(restart))).toBe('set-up');
    expect(shop.state()).toMatchObject({ task: 'Fix the login', phase: 'plan_ready', round: 1 });
  });

  test('of another skill is asked about, and kept unless the user says delete', async () => {
    const shop = workflowProject();
    inSession(shop, { skill: 'spec', anything: 1 });
    expect(reasonOf(await shop.begin({ words: ['Fix the login'] }))).toBe('workflow-conflict');
    const cancelled = await shop.begin({ words: ['Fix the login'], flags: { onConflict: 'cancel' } });
    expect(cancelled).toMatchObject({ value: { do: 'halt', deleted: false } });
    // Without a task there is nothing to begin: nothing is deleted for it.
    expect(reasonOf(await shop.begin({ words: [], flags: { onConflict: 'delete' } }))).toBe('usage');
    expect(shop.state()).toEqual({ skill: 'spec', anything: 1 });
    made(await shop.begin({ words: ['Fix the login'], flags: { onConflict: 'delete' } }));
    expect(shop.state()).toMatchObject({ task: 'Fix the login' });
  });

  test('of before there were versions is asked about, also by a named step', async () => {
    const shop = workflowProject();
    inSession(shop, v1In('gen_ready'));
    expect(reasonOf(await shop.begin({ words: ['verify'] }))).toBe('workflow-under-way');
    const resumed = await shop.begin({ words: [], flags: { onSession: 'resume' } });
    expect(resumed.ok && resumed.value).toMatchObject({ do: 'continue' });
  });

  test('whose folder cannot be used is restarted by a resume, and refused to a named step', async () => {
    const shop = workflowProject();
    inSession(shop, stateIn('plan_done', { docs_path: '../elsewhere/' }));
    mkdirSync(join(shop.root, '../elsewhere'));
    writeFileSync(join(shop.root, '../elsewhere/spec.md'), 'x');
    expect(reasonOf(await shop.begin({ words: ['generate'] }))).toBe('workflow-step-first');
    inSession(shop, stateIn('plan_done', { docs_path: 'docs/other/fix-the-login/' }));
    shop.write('docs/other/fix-the-login/spec.md', 'x');
    shop.git('add', '-A');
    shop.git('commit', '-qm', 'spec');
    expect(reasonOf(await shop.begin({ words: ['generate'] }))).toBe('workflow-docs-path');
    const told: unknown[] = [];
    const resumed = await shop.begin(
      { words: [], flags: { onSession: 'resume' } },
      { say: (key, params) => void told.push([key, params]) },
    );
    expect(made(resumed).file).toMatchObject({ docs_path: 'docs/harness/fix-the-login/', phase: 'plan_ready' });
    expect(told).toEqual([['workflow.docs-path-invalid', { path: 'docs/other/fix-the-login/' }]]);
  });

  test('that changed while the user was asked is not touched', async () => {
    const shop = workflowProject();
    inSession(shop, stateIn('generating'));
    const begun = await shop.begin(
      { words: [] },
      {
        choose() {
          inSession(shop, stateIn('verifying'));
          return Promise.resolve('stop');
        },
      },
    );
    expect(reasonOf(begun)).toBe('workflow-moved');
    expect(shop.state()).toMatchObject({ phase: 'verifying' });
  });

  test('that is completed is none: a task begins, and without one there is nothing to do', async () => {
    const shop = workflowProject();
    inSession(shop, stateIn('completed'));
    expect(reasonOf(await shop.begin({ words: [] }))).toBe('usage');
    expect(reasonOf(await shop.begin({ words: ['Add a cart'] }))).toBe('set-up');
  });
});

describe('a step that is named', () => {
  test.each<[string, string, readonly string[], string, string]>([
    ['generate', 'planning', ['spec.md'], 'plan', ''],
    ['generate', 'plan_done', [], 'plan', 'spec.md'],
    ['verify', 'generate_done', [], 'generate', 'changes.md'],
    ['evaluate', 'verify_done', ['spec.md'], 'verify', 'changes.md, verify_report.md'],
    ['evaluate', 'generate_done', ['spec.md', 'changes.md', 'verify_report.md'], 'verify', ''],
  ])('%s in %s with %j wants %s first', async (step, phase, files, first, missing) => {
    const shop = workflowProject();
    inSession(shop, stateIn(phase as 'planning'));
    for (const name of files) shop.write(`docs/harness/fix-the-login/${name}`, 'x');
    const begun = await shop.begin({ words: [step] });
    expect(!begun.ok && begun.failure).toMatchObject({
      reason: 'workflow-step-first',
      params: { step, first, missing },
    });
  });
  test.each([
    ['generate', 'plan_done', ['spec.md'], 'phase'],
    ['verify', 'generate_done', ['changes.md'], 'step'],
    ['evaluate', 'verify_done', ['spec.md', 'changes.md', 'verify_report.md'], 'step'],
  ])('%s continues from %s with %j, in style %s', async (step, phase, files, style) => {
    const shop = workflowProject();
    const verify = { layer1_result: 'PASS' } as const;
    inSession(shop, stateIn(phase as 'plan_done', { verify }));
    for (const name of files) shop.write(`docs/harness/fix-the-login/${name}`, 'x');
    expect(await shop.begin({ words: [step] })).toMatchObject({ value: { do: 'continue', style } });
  });
  test('begins nothing where there is no session', async () => {
    const shop = workflowProject();
    for (const step of ['generate', 'verify', 'evaluate'])
      expect(reasonOf(await shop.begin({ words: [step] }))).toBe('workflow-step-first');
    expect(shop.has('.harness/state.json')).toBe(false);
  });
});
