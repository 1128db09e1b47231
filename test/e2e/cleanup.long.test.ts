// Cleanup sessions: on demand and after so many features; they land only if they change no behaviour.
import { describe, expect, test } from 'vitest';
import { expectExit, honest, workshop, type Session, type Workshop } from './workshop.ts';

const cleaning = (...steps: Session['turns'][number]): Session => ({ when: { role: 'cleanup' }, turns: [steps] });
const state = (shop: Workshop): unknown => JSON.parse(shop.read('.harness/session_state.json'));
const LINT = `quality: { lint_command: 'sh -c "! grep -rn TODO src"', max_file_lines: 3, cleanup_interval: 2 }`;
const MESS = { 'src/mess': 'one\ntwo\nthree\nfour\nTODO five\n' };

describe('a cleanup session', () => {
  test('gets a list of what is untidy, and lands where every test still holds', async () => {
    const shop = workshop({
      sessions: [cleaning({ write: { path: 'src/mess', text: 'one\n' } }, { say: 'Tidied.' })],
      config: LINT,
      files: MESS,
    });
    const ran = await shop.harness('cleanup', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({ result: 'landed', landed: ['cleanup'] });
    expect(shop.subjects()).toEqual(['refactor: cleanup in session 1']);
    const prompt = shop.read('.harness/sessions/1/prompt-1.md');
    expect(prompt).toContain('TODO five');
    expect(prompt).toContain('ROLE=cleanup');
    expect(shop.read('features.json')).not.toContain('"passes": true');
    expect(shop.read('claude-progress.txt')).toContain('FEATURE: none');
    expectExit(await shop.harness('status'), 0);
    expectExit(await shop.harness('items'), 0);
  });

  test('that breaks what held is rolled back and kept as an attempt, and features continue', async () => {
    const shop = workshop({
      sessions: [cleaning({ delete: 'src/door' }, { say: 'Dead code.' }), ...honest],
      config: LINT,
    });
    const ran = await shop.harness('cleanup', '--json');
    expectExit(ran, 9);
    expect(ran.json()).toMatchObject({ result: 'rejected', reason: 'regression' });
    expect(shop.read('src/door')).toBe('door\n');
    expect(shop.git('for-each-ref', 'refs/harness/attempts')).not.toBe('');
    expect(state(shop)).toMatchObject({ next_prompt: 'coding', status: 'failed' });
    expectExit(await shop.harness('run', '--json'), 0);
  });

  test('that claims a feature is informed that it may not, and the claim is taken back', async () => {
    const claim = workshop({ sessions: [cleaning({ claim: { id: 1 } })], config: LINT });
    expectExit(await claim.harness('cleanup'), 0); // taken back, and the agent was notified
    expect(claim.read('.harness/sessions/1/prompt-2.md')).toContain('does not hold yet');
    expect(claim.read('features.json')).not.toContain('"passes": true');
  });

  test('comes by itself after so many features, between two of them', async () => {
    const shop = workshop({ sessions: [...honest, cleaning({ say: 'Nothing to do.' })], config: LINT });
    const ran = await shop.harness('run', '--until-done', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({ landed: ['1', '2', 'cleanup', '3'] });
    expect(shop.subjects()[2]).toBe('refactor: cleanup in session 3');
  });

  test('that was killed in the middle is begun again, and lands once', async () => {
    const shop = workshop({
      sessions: [
        cleaning(
          { write: { path: 'src/mess', text: 'one\n' } },
          { write: { path: '../begun', text: '' } },
          { pause: 3 },
        ),
      ],
      config: LINT,
      files: MESS,
    });
    const first = shop.start('cleanup');
    await first.until(`${shop.around}/begun`);
    first.signal('SIGKILL');
    await first.ended;
    const ran = await shop.harness('cleanup', '--json');
    expectExit(ran, 0);
    expect(shop.subjects()).toEqual(['refactor: cleanup in session 1']);
    expect(shop.processes()).toEqual([]);
  });
});
