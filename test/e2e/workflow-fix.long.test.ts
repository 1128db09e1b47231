// The one attempt to fix by a patch: offered once, decided by a person, applied whole or not at all.
import { describe, expect, test } from 'vitest';
import {
  DOCS,
  generator,
  part,
  workflowProject,
  writes,
  WRONG,
  type Part,
  type WorkflowProject,
} from './workflow-project.ts';
import { expectExit, picture } from './workshop.ts';

const PATCH = '.harness/generator/auto_fix_patch.md';
const diff = (path: string, before: string, after: string): string =>
  `# Fix\n\n\`\`\`diff\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${before}\n+${after}\n\`\`\`\n`;
const MENDS = diff('src/list.txt', 'mixed up', 'sorted');
const proposer = (text: string, say = 'auto_fix_patch written — confidence: High — one line'): Part =>
  part('auto-fix-proposer', writes(text), { say });

/** Layer 1 failed for good, and there is a patch that waits for a decision. */
function proposed(patch: string | null, applied = 'proposed', more: object = {}): WorkflowProject {
  const shop = workflowProject({
    phase: 'verify_done',
    verify: { layer1_result: 'FAIL', layer1_retries: 3, autofix_attempted: applied !== 'proposed' },
    autofix: { last_patch_path: PATCH, applied, triggered_at: '2026-01-01T00:00:00.000Z' },
    ...more,
  } as never);
  shop.paper('spec.md', '# Spec\n');
  shop.paper('changes.md', '- `src/list.txt` — mixed up\n');
  shop.paper('verify_report.md', '# Verify\n\nsrc/list.txt fails\n');
  shop.write('src/list.txt', 'mixed up\n');
  if (patch !== null) shop.write(PATCH, patch);
  return shop;
}
const optionsOf = async (shop: WorkflowProject): Promise<readonly string[]> =>
  (await shop.asked())?.options.map(({ id }) => id) ?? [];

test('it is offered after the retries, asked about once more, applied, verified, and lands; the attempt is spent', async () => {
  const shop = workflowProject({ phase: 'generate_ready' }, { parts: [generator(WRONG), proposer(MENDS)] });
  shop.paper('spec.md', '# Spec\n');
  expectExit(await shop.through('auto-fix'), 8);
  expect(shop.state()).toMatchObject({
    phase: 'verify_done',
    verify: { autofix_attempted: false, layer1_retries: 3 },
    autofix: { applied: 'proposed', last_patch_path: PATCH },
  });
  const prompt = shop.prompts().at(-1);
  expect(prompt?.role).toBe('auto-fix-proposer');
  expect(prompt?.text).toContain(`${DOCS}verify_report.md`);
  const asked = await shop.asked();
  expect(asked).toMatchObject({ subject: 'workflow-auto-fix', recommended: 'apply' });
  expect(JSON.stringify(asked)).toContain('src/list.txt');
  expect(shop.read('src/list.txt')).toBe('mixed up\n');
  expectExit(await shop.through('apply'), 8);
  expect(shop.read('src/list.txt')).toBe('sorted\n');
  expect(shop.state()).toMatchObject({
    phase: 'completed',
    verify: { layer1_result: 'PASS', layer1_retries: 3, autofix_attempted: true },
    autofix: { applied: 'applied' },
  });
  const last = await shop.through('code-only');
  expect(last.json()).toMatchObject({ items: [{ result: 'landed' }] });
  expect(shop.git('show', 'HEAD:src/list.txt')).toBe('sorted');
});

test('the question shows what the file of the patch says of itself, or else what its writer returned', async () => {
  for (const [words, told] of [
    ['## Summary\n\nThe list was never sorted.\n\n', 'The list was never sorted'],
    ['', 'auto_fix_patch written — confidence: High — one line'],
  ] as const) {
    const shop = workflowProject(
      { phase: 'generate_ready' },
      { parts: [generator(WRONG), proposer(`${words}${MENDS}`)] },
    );
    shop.paper('spec.md', '# Spec\n');
    expectExit(await shop.through('auto-fix'), 8);
    expect((await shop.asked())?.['question']).toContain(`(confidence: high): ${told}.\n`);
  }
});

test('an uncertain patch is not recommended', async () => {
  const shop = proposed(null);
  shop.play([proposer(MENDS, 'here is something')]);
  expectExit(await shop.through(), 8);
  expect(await shop.asked()).toMatchObject({ subject: 'workflow-auto-fix', recommended: 'reject' });
});

describe('a patch that changes nothing', () => {
  test('is not asked about, and auto-fix is not offered again', async () => {
    const shop = proposed(null);
    shop.play([proposer('# Fix\n\nI could not find anything.\n')]);
    expectExit(await shop.through(), 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-verify' });
    expect(await optionsOf(shop)).toEqual(['continue', 'stop']);
    expect(shop.state()).toMatchObject({ autofix: { applied: 'rejected' }, verify: { autofix_attempted: true } });
  });
});

describe('a patch that is refused leaves the work tree as it was', () => {
  test.each([
    ['.git/config', diff('.git/config', 'a', 'b'), ".git/config: it leads into git's own folder."],
    ['../x', diff('../x', 'a', 'b'), "../x: it must not contain '..'."],
    ['.harness/state.json', diff('.harness/state.json', 'a', 'b'), 'it is in a folder of the harness.'],
    ['docs/harness/', diff(`${DOCS}spec.md`, '# Spec', '# None'), 'it is in a folder of the harness.'],
    ['outside of the scope', diff('README.md', 'A project', 'Mine'), 'README.md: it is outside the scope.'],
    ['does not fit', diff('src/list.txt', 'something else', 'sorted'), 'src/list.txt'],
    [
      'one of two files is refused',
      MENDS + diff('README.md', 'A project', 'Mine'),
      'README.md: it is outside the scope.',
    ],
  ])('%s', async (_, patch, why) => {
    const shop = proposed(patch, 'proposed', { scope: 'src' });
    const before = picture(shop);
    const asked = await shop.through();
    expectExit(asked, 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-auto-fix' });
    expectExit(await shop.through('apply'), 8);
    expect(picture(shop)).toEqual(before);
    expect(shop.state()).toMatchObject({
      phase: 'verify_done',
      autofix: { applied: 'rejected' },
      verify: { autofix_attempted: true, layer1_retries: 3 },
    });
    expect(await optionsOf(shop)).toEqual(['continue', 'stop']);
    const question = String((await shop.asked())?.['question']);
    expect(question).toContain('The proposed patch was not applied: ');
    expect(question).toContain(why);
  });
});

describe('an answer', () => {
  test('"reject" goes back without it', async () => {
    const shop = proposed(MENDS);
    expectExit(await shop.through('reject'), 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-verify' });
    expect(await optionsOf(shop)).toEqual(['continue', 'stop']);
    expect(shop.read('src/list.txt')).toBe('mixed up\n');
    expect(shop.state()).toMatchObject({ autofix: { applied: 'rejected' }, verify: { autofix_attempted: true } });
  });

  test('"stop" ends it paused; the next run is at the first gate, without it', async () => {
    const shop = proposed(MENDS);
    expectExit(await shop.through('stop'), 10);
    expect(shop.state()).toMatchObject({ phase: 'verify_done', autofix: { applied: 'rejected' } });
    expectExit(await shop.through(), 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-verify' });
    expect(await optionsOf(shop)).toEqual(['continue', 'stop']);
  });

  test('"apply" of a patch that does not fix it: stopped, not offered again, also in the next run', async () => {
    const shop = proposed(diff('src/list.txt', 'mixed up', 'mixed up again'));
    expectExit(await shop.through('apply'), 8);
    expect(shop.state()).toMatchObject({
      phase: 'verify_done',
      autofix: { applied: 'stopped' },
      verify: { autofix_attempted: true, layer1_retries: 3, layer1_result: 'FAIL' },
    });
    expect(await optionsOf(shop)).toEqual(['continue', 'stop']);
    expectExit(await shop.through('stop'), 10);
    expectExit(await shop.through(), 8);
    expect(await optionsOf(shop)).toEqual(['continue', 'stop']);
    expect(shop.state()).toMatchObject({ autofix: { applied: 'stopped' }, verify: { layer1_retries: 3 } });
  });

  test('"apply" after the patch was edited by hand applies what the hand wrote', async () => {
    const shop = proposed(diff('src/list.txt', 'mixed up', 'wrong'));
    await shop.through();
    shop.write(PATCH, MENDS);
    expectExit(await shop.through('apply'), 8);
    expect(shop.read('src/list.txt')).toBe('sorted\n');
  });
});
