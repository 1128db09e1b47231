// What a person reads who takes the work over, gives it back, or ends everything.
import { expect, test } from 'vitest';
import { CART_WORK, makeRepo } from '../support/repo.ts';
import { golden, transcript } from './golden.ts';

const HALF = JSON.stringify({
  schema: 1,
  sessions: [{ when: {}, turns: [[{ write: { path: 'src/cart.mjs', text: 'half\n' } }, { say: 'I am not done.' }]] }],
});

const plainer = (text: string): string =>
  text
    .replaceAll(/\b[0-9a-f]{10}\b/g, '<commit>')
    .replaceAll(/\(\d+\.\d s\)/g, '(<s> s)')
    .replaceAll(/attempts\/2\/\d+/g, 'attempts/2/<n>');

test('handing over, taking back and aborting', async () => {
  const repo = makeRepo({ '.scenario.yaml': HALF });
  await repo.harness('run');
  const parts = [
    await transcript(repo, [
      'handoff',
      'handoff',
      'status',
      'run',
      'resume',
      'takeback --no-input',
      '--lang de handoff',
    ]),
  ];
  repo.write('notes.txt', 'mine\n');
  parts.push(await transcript(repo, ['takeback']));
  for (const [path, text] of Object.entries(CART_WORK)) repo.write(path, text);
  repo.git('add', '-A');
  repo.git('commit', '-qm', 'The cart, by hand');
  parts.push(await transcript(repo, ['takeback --yes', 'takeback', 'abort', 'abort --yes', '--lang de abort --yes']));
  const seen = plainer(parts.join('\n'));
  expect(seen).toBe(golden('handoff', seen));
});

test('rolling back unfinished work, where there is none, and of what has landed', async () => {
  const repo = makeRepo({ '.scenario.yaml': HALF });
  await repo.harness('run');
  const calls = [
    'rollback 2',
    'rollback 2',
    'rollback 2 --json',
    '--lang de rollback 3',
    'rollback 1',
    '--lang de rollback 1',
  ];
  const seen = plainer(await transcript(repo, calls));
  expect(seen).toBe(golden('rollback', seen));
});
