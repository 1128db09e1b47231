// What follows a FAIL: three retries of Layer 1, two of Layer 2, rounds of Layer 3, and a person after that.
import { describe, expect, test } from 'vitest';
import { DOCS, evaluator, generator, part, SORTED, workflowProject, WRONG, type Part } from './workflow-project.ts';
import { expectExit } from './workshop.ts';

/** The spec is confirmed; only the code is missing. */
const ready = (...parts: readonly Part[]) => {
  const shop = workflowProject({ phase: 'generate_ready' }, { parts });
  shop.paper('spec.md', '# Spec\n\nSort the list.\n');
  return shop;
};
const generators = (shop: ReturnType<typeof ready>): readonly string[] =>
  shop.prompts().flatMap(({ role, text }) => (role === 'generator' ? [text] : []));

const times = (n: number, ...roles: readonly string[]): readonly string[] =>
  Array.from({ length: n }, () => roles).flat();

describe('Layer 1', () => {
  test('FAIL sends the generator again with the line and the report, three times, then a person is asked', async () => {
    const shop = ready(generator(WRONG));
    expectExit(await shop.through(), 8);
    expect(shop.sent()).toEqual(times(4, 'generator', 'verifier'));
    expect(shop.state()).toMatchObject({
      phase: 'verify_done',
      verify: { layer1_result: 'FAIL', layer1_retries: 3, autofix_attempted: false },
    });
    const [first = '', ...retries] = generators(shop);
    expect(first).not.toContain('FAIL — the list is not sorted');
    expect(retries).toHaveLength(3);
    for (const text of retries) {
      expect(text).toContain('FAIL — the list is not sorted');
      expect(text).toContain(`${DOCS}verify_report.md`);
    }
    const asked = await shop.asked();
    expect(asked).toMatchObject({ subject: 'workflow-verify' });
    expect(asked?.options.map(({ id }) => id)).toEqual(['auto-fix', 'continue', 'stop']);
    expect(shop.read(`${DOCS}verify_report.md`)).toContain('### Verdict: FAIL');
  });

  test('a retry that fixes it continues, and the count stays', async () => {
    const shop = ready({ ...generator(WRONG), session: 1 });
    expectExit(await shop.through(), 8);
    expect(shop.sent()).toEqual(['generator', 'verifier', 'generator', 'evaluator']);
    expect(shop.state()).toMatchObject({ phase: 'completed', verify: { layer1_result: 'PASS', layer1_retries: 1 } });
  });

  test('"continue" leads to the evaluation, which is informed of it, and what lands is not called proved', async () => {
    const shop = ready(generator(WRONG));
    expectExit(await shop.through('continue'), 8);
    const judge = shop.prompts().at(-1);
    expect(judge?.role).toBe('evaluator');
    expect(judge?.text).toContain('Layer 1 FAILED');
    const last = await shop.through('code-only');
    expectExit(last, 0);
    expect(last.json()).toMatchObject({ items: [{ result: 'unproved', reason: 'workflow-accepted' }] });
    expect(shop.git('log', '-1', '--format=%B')).toContain('Not verified');
    expect(shop.state()).toBeNull();
  });

  test('the verifier’s PASS makes no FAIL good', async () => {
    const shop = ready(generator(WRONG), part('verifier', { say: 'PASS — all is well' }));
    expectExit(await shop.through(), 8);
    expect(shop.state()).toMatchObject({ phase: 'verify_done', verify: { layer1_result: 'FAIL' } });
    expect(generators(shop)[1]).toContain('FAIL — test: exit code 1');
  });

  test('a generator that says it is done and did nothing is not believed', async () => {
    const shop = ready(generator());
    expectExit(await shop.through(), 8);
    expect(shop.state()).toMatchObject({ phase: 'verify_done', verify: { layer1_result: 'FAIL', layer1_retries: 3 } });
    const silent = ready(part('generator', { say: 'PASS — changed everything' }));
    const ran = await silent.through();
    expectExit(ran, 9);
    expect(ran.json()).toMatchObject({ items: [{ result: 'failed', reason: 'output-missing' }] });
    expect(silent.sent()).toEqual(['generator', 'generator', 'generator']);
    expect(silent.state()).toMatchObject({ phase: 'generating' });
  });

  test('without any command nothing is verified, and nothing claims that it was', async () => {
    const shop = workflowProject({ phase: 'generate_ready', test_cmd: null });
    shop.paper('spec.md', '# Spec\n');
    expectExit(await shop.through(), 8);
    expect(shop.state()).toMatchObject({ phase: 'completed', verify: { layer1_result: null } });
    expect(shop.read(`${DOCS}verify_report.md`)).toContain('### Verdict: SKIPPED');
    expect(shop.prompts().at(-1)?.text).toContain('Layer 1 was not executed');
    const last = await shop.through('code-only');
    expect(last.json()).toMatchObject({ items: [{ result: 'unproved' }] });
  });

  test('a new TODO fails it where TODOs block, and the generator hears which', async () => {
    const shop = workflowProject(
      { phase: 'generate_ready', verify: { todo_blocking: true } },
      {
        parts: [
          {
            ...generator(SORTED, { write: { path: 'src/new.txt', text: 'TODO: later\n' } }),
            session: 1,
          },
          part('verifier', { say: 'nothing to say' }),
          generator(SORTED, { delete: 'src/new.txt' }),
        ],
      },
    );
    shop.paper('spec.md', '# Spec\n');
    expectExit(await shop.through(), 8);
    expect(shop.state()).toMatchObject({ phase: 'completed', verify: { layer1_result: 'PASS', layer1_retries: 1 } });
    expect(generators(shop)[1]).toContain('FAIL — 1 new TODO/FIXME');
  });
});

describe('Layer 2', () => {
  test('FAIL is retried twice by the generator alone with the QA report, then a person is asked', async () => {
    const shop = ready(evaluator('FAIL', 'FAIL L2 — the list has a hole'));
    expectExit(await shop.through(), 8);
    expect(shop.sent()).toEqual(times(3, 'generator', 'evaluator'));
    expect(shop.state()).toMatchObject({
      phase: 'evaluate_done',
      round: 1,
      verify: { layer1_result: 'PASS', layer2_result: 'FAIL', layer2_retries: 2 },
    });
    for (const text of generators(shop).slice(1)) {
      expect(text).toContain('FAIL L2 — the list has a hole');
      expect(text).toContain(`${DOCS}qa_report.md`);
      expect(text).not.toContain('verify_report.md');
    }
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-qa', options: [{ id: 'fix' }, { id: 'accept' }] });
  });

  test('after a Layer 1 that a person let pass, the retry gets the evaluation, not Layer 1', async () => {
    const shop = ready(generator(WRONG), evaluator('FAIL', 'FAIL L2 — the list has a hole'));
    expectExit(await shop.through('continue'), 8);
    const last = generators(shop).at(-1) ?? '';
    expect(last).toContain('FAIL L2 — the list has a hole');
    expect(last).toContain(`${DOCS}qa_report.md`);
  });
});

describe('Layer 3', () => {
  test('FAIL asks; "fix" begins a round with every count at nought and the report in the prompt; after the last it is over', async () => {
    const shop = ready({ ...generator(WRONG), session: 1 }, evaluator('FAIL', 'FAIL L3 — sorted the wrong way'));
    expectExit(await shop.through(), 8);
    expect(shop.state()).toMatchObject({
      phase: 'evaluate_done',
      verify: { layer1_retries: 1, layer2_result: 'PASS' },
    });
    expectExit(await shop.through('fix'), 8);
    expect(shop.state()).toMatchObject({
      phase: 'evaluate_done',
      round: 2,
      verify: { layer1_retries: 0, layer1_result: 'PASS', layer2_retries: 0, layer2_result: 'PASS' },
    });
    expect(generators(shop)[1]).toContain('(First round)');
    expect(generators(shop)[2]).toContain('## Fix Instructions');
    expectExit(await shop.through('fix'), 8);
    expect(shop.state()).toMatchObject({ phase: 'completed', round: 3 });
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-commit' });
    const last = await shop.through('all');
    expect(last.json()).toMatchObject({ items: [{ result: 'unproved', reason: 'workflow-accepted' }] });
    expect(shop.git('show', `HEAD:${DOCS}qa_report.md`)).toContain('### Verdict: FAIL');
  });

  test('"accept" ends it as it is', async () => {
    const shop = ready(evaluator('FAIL', 'FAIL — not nice'));
    expectExit(await shop.through('accept'), 8);
    expect(shop.state()).toMatchObject({ phase: 'completed', round: 1 });
    const last = await shop.through('code-only');
    expectExit(last, 0);
    expect(last.json()).toMatchObject({ items: [{ result: 'unproved' }] });
  });

  test('a line that says PASS over a report that says FAIL is a FAIL; a report without a verdict is asked for again', async () => {
    const shop = ready(evaluator('FAIL', 'PASS — all fine'));
    expectExit(await shop.through(), 8);
    expect(await shop.asked()).toMatchObject({ subject: 'workflow-qa' });
    const mute = ready(part('evaluator', { write: { path: '{{OUTPUT}}', text: '# QA\n' } }, { say: 'PASS — fine' }));
    const ran = await mute.through();
    expectExit(ran, 9);
    expect(mute.sent()).toEqual(['generator', 'evaluator', 'evaluator', 'evaluator']);
    expect(mute.state()).toMatchObject({ phase: 'evaluating' });
  });
});
