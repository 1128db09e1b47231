// The end of a workflow: what each choice commits and what it leaves, with documents that git ignores too, and
// everything that makes the clean-up refuse. What is not committed is still there.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DOCS, workflowProject, type WorkflowProject } from './workflow-project.ts';
import { expectExit } from './workshop.ts';

const KEPT = ['conventions.md', 'critic_findings.md', 'qa_notes.md'];
const REPORTS = ['changes.md', 'qa_report.md', 'spec.md', 'verify_report.md'];
const OWN = ['planner/proposal_architect.md', 'generator/plan.md', 'conventions.md', 'autofix_pre_apply/list.txt'];
const pathsOf = (names: readonly string[]): readonly string[] => names.map((name) => `${DOCS}${name}`);

/** All is done but the last answer. `ignored`: git does not see the documents. */
async function atTheEnd(more: { readonly ignored?: boolean; readonly fields?: object } = {}): Promise<WorkflowProject> {
  const shop = workflowProject(
    { phase: 'evaluate_ready', verify: { layer1_result: 'PASS' }, ...more.fields } as never,
    more.ignored === true ? { files: { '.gitignore': '.harness/\ndocs/\n' } } : {},
  );
  for (const name of [...KEPT, 'spec.md', 'verify_report.md']) shop.paper(name, `# ${name}\n`);
  shop.paper('changes.md', '- `src/list.txt` — sorted\n');
  for (const path of OWN) shop.write(`.harness/${path}`, 'of the workflow\n');
  shop.write('src/list.txt', 'sorted\n');
  expectExit(await shop.through(), 8);
  // The state was written by hand: what Layer 1 proved is not known, and is proved again.
  expect(await shop.asked()).toMatchObject({ subject: 'workflow-commit', recommended: 'none' });
  return shop;
}
const committed = (shop: WorkflowProject): readonly string[] =>
  shop.git('show', '--name-only', '--format=', 'HEAD').split('\n');
const documents = (shop: WorkflowProject): readonly string[] =>
  existsSync(join(shop.root, DOCS)) ? readdirSync(join(shop.root, DOCS)).toSorted() : [];

describe('the choice at the end', () => {
  describe.each([
    ['git sees', false],
    ['git ignores', true],
  ])('with documents that %s', (_, ignored) => {
    test('"code-only" commits the code and what a spec phase left; those stay, the other documents go', async () => {
      const shop = await atTheEnd({ ignored });
      const last = await shop.through('code-only');
      expectExit(last, 0);
      expect(last.json()).toMatchObject({ items: [{ result: 'landed', commit: shop.git('rev-parse', 'HEAD') }] });
      expect(committed(shop)).toEqual([...pathsOf(KEPT), 'src/list.txt']);
      expect([documents(shop), shop.git('status', '--porcelain')]).toEqual([KEPT, '']);
      expectOwnGone(shop);
    });

    test('"all" commits the documents too', async () => {
      const shop = await atTheEnd({ ignored });
      expectExit(await shop.through('all'), 0);
      expect(committed(shop)).toEqual([...pathsOf([...KEPT, ...REPORTS].toSorted()), 'src/list.txt']);
      expect([documents(shop), shop.git('status', '--porcelain')]).toEqual([[...KEPT, ...REPORTS].toSorted(), '']);
      expectOwnGone(shop);
    });

    test('"none" commits nothing, and leaves code and documents', async () => {
      const shop = await atTheEnd({ ignored });
      const last = await shop.through('none');
      expectExit(last, 0);
      expect(last.json()).toMatchObject({ items: [{ reason: 'workflow-kept', commit: null }] });
      expect(shop.git('log', '--format=%s')).toBe('start');
      expect(shop.git('diff', '--name-only')).toBe('src/list.txt');
      expect(documents(shop)).toEqual([...KEPT, ...REPORTS].toSorted());
      expectOwnGone(shop);
    });
  });

  test('what a person has staged, and untracked files, are in the commit or stay, none is lost', async () => {
    const shop = await atTheEnd({ fields: { scope: 'src' } });
    shop.write('notes.txt', 'mine\n');
    shop.write('staged.txt', 'mine\n');
    shop.git('add', 'staged.txt');
    await shop.through('code-only');
    for (const name of ['notes.txt', 'staged.txt']) expect(shop.read(name)).toBe('mine\n');
    expect(shop.read('src/list.txt')).toBe('sorted\n');
  });

  function expectOwnGone(shop: WorkflowProject): void {
    expect([shop.state(), OWN.filter((path) => existsSync(join(shop.root, '.harness', path)))]).toEqual([null, []]);
    // What the harness itself keeps of it stays.
    for (const path of ['sessions/1', 'logs/events.jsonl', 'costs.yaml'])
      expect(existsSync(join(shop.root, '.harness', path)), path).toBe(true);
  }
});

describe('is refused, with everything still there,', () => {
  test.each([
    ['seen', false],
    ['ignored', true],
  ])(
    'where the work was changed after it was verified, documents %s; once fixed, it is asked again',
    async (_, ignored) => {
      const shop = await atTheEnd({ ignored });
      shop.write('src/list.txt', 'mixed up\n');
      const ran = await shop.through('code-only');
      expectExit(ran, 9);
      expect(ran.json()).toMatchObject({ items: [{ result: 'failed', reason: 'clean-up-refused' }] });
      expect([shop.git('log', '--format=%s'), shop.read('src/list.txt')]).toEqual(['start', 'mixed up\n']);
      expect(documents(shop)).toEqual([...KEPT, ...REPORTS].toSorted());
      shop.write('src/list.txt', 'sorted\n');
      expectExit(await shop.through(), 8);
      expect(await shop.asked()).toMatchObject({ subject: 'workflow-commit' });
      const last = await shop.through('code-only');
      expectExit(last, 0);
      expect(last.json()).toMatchObject({ items: [{ result: 'landed' }] });
      expect([committed(shop), shop.state()]).toEqual([[...pathsOf(KEPT), 'src/list.txt'], null]);
    },
  );

  test('where the folder has become a link to somewhere else', async () => {
    const shop = await atTheEnd();
    const elsewhere = join(shop.around, 'elsewhere');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'mine.txt'), 'mine\n');
    renameSync(join(shop.root, DOCS), join(shop.around, 'away'));
    symlinkSync(elsewhere, join(shop.root, DOCS.slice(0, -1)));
    const ran = await shop.through('code-only');
    expectExit(ran, 9);
    expect(ran.stdout).toContain('docs-path-unsafe');
    expect(readFileSync(join(elsewhere, 'mine.txt'), 'utf8')).toBe('mine\n');
    expect([shop.git('log', '--format=%s'), shop.read('src/list.txt')]).toEqual(['start', 'sorted\n']);
    expect(shop.state()).not.toBeNull();
  });

  test.each([
    './',
    'src/',
    '.',
    'docs/',
    'docs/harness/',
    'docs/harness/memory/',
    'docs/other/x/',
    '/tmp/x/',
    'C:/x/',
    'harness/x/',
    '.harness/x/',
    'docs/harness/../../src/',
    'docs\\harness\\..\\..\\src/',
    ' /',
  ])('before anything is done, where docs_path is %j', async (docs) => {
    const shop = workflowProject({ phase: 'evaluate_ready', docs_path: docs } as never);
    const ran = await shop.through();
    expectExit(ran, 5);
    expect(ran.stdout).toContain('workflow-docs-path');
    expect([shop.sent(), shop.git('status', '--porcelain'), shop.read('src/list.txt')]).toEqual([[], '', 'unsorted\n']);
  });
});
