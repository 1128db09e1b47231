// An item that is left out leaves nothing half done behind: through the program, for each way to leave it out.
import { describe, expect, test } from 'vitest';
import { expectExit, honest, session, workshop, type Steps, type Workshop } from './workshop.ts';

const feature = (id: number, name: string): object => ({
  id,
  category: 'shop',
  description: `A ${name} is there`,
  test_file: `tests/${name}.test`,
  passes: false,
});
const apart = JSON.stringify({ features: [feature(1, 'bench'), feature(2, 'saw')] });
/** Half of it, and the door is broken: the next session could not begin. */
const half: Steps = [
  { write: { path: 'src/half', text: 'half\n' } },
  { write: { path: 'src/door', text: 'planks\n' } },
];
const projectOf = (config = ''): Workshop =>
  workshop({
    files: { 'features.json': apart },
    sessions: [session(1, ...half), ...honest.slice(1)],
    config: `features: { max_stuck_sessions: 1 }\n${config}`,
  });

describe('an item that is left out', () => {
  test('by a policy at night: its half is taken back and the next lands', async () => {
    const shop = projectOf('gates: { policies: { feature-stuck: { answer: skip, after: 1s } } }');
    const ran = await shop.harness('run', '--until-done');
    expectExit(ran, 0);
    // The question waits for its policy while the other item is worked on.
    expect(shop.subjects()).toEqual([expect.stringMatching(/^feat.*#2/), expect.stringContaining('#1')]);
    expect([shop.git('ls-files', 'src'), shop.read('src/door')]).toEqual(['src/door\nsrc/saw', 'door\n']);
    expect([shop.workInProgress('1'), shop.git('show', 'refs/harness/attempts/1/1:src/half')]).toEqual(['', 'half']);
    expect([shop.git('status', '--porcelain'), shop.processes()]).toEqual(['', []]);
  });

  test('by a person with a command; brought back later, it starts from the beginning', async () => {
    const shop = projectOf();
    expectExit(await shop.harness('run'), 0);
    expectExit(await shop.harness('skip', '1', '--reason', 'not now'), 0);
    expect((await shop.harness('run', '--json')).json()).toMatchObject({ landed: ['2'] });
    expect([shop.workInProgress('1'), shop.git('show', 'refs/harness/attempts/1/1:src/half')]).toEqual(['', 'half']);
    shop.play(honest);
    const { features } = JSON.parse(shop.read('features.json')) as { features: { skipped?: unknown }[] };
    delete features[0]?.skipped;
    shop.write('features.json', `${JSON.stringify({ features })}\n`);
    shop.git('commit', '-qam', 'the bench after all');
    expect((await shop.harness('run', '--json')).json()).toMatchObject({ landed: ['1'] });
    expect(shop.git('ls-files', 'src')).toBe('src/bench\nsrc/door\nsrc/saw');
  });

  test('keeps what a person took over from it', async () => {
    const shop = projectOf();
    expectExit(await shop.harness('run'), 0);
    shop.git('merge', '-q', '--squash', 'refs/harness/wip/1');
    shop.write('src/half', 'half, and mine\n');
    shop.write('src/door', 'door of planks\n');
    shop.git('commit', '-qam', 'I go on with it');
    expectExit(await shop.harness('skip', '1', '--reason', 'mine now'), 0);
    expectExit(await shop.harness('run'), 0);
    expect([shop.read('src/half'), shop.read('src/door')]).toEqual(['half, and mine\n', 'door of planks\n']);
    expect([shop.workInProgress('1'), shop.git('show', 'refs/harness/attempts/1/1:src/half')]).toEqual(['', 'half']);
  });
});
