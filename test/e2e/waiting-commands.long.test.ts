// What commands mean while an item is parked: the table of docs/endurance.md.
import { describe, expect, test } from 'vitest';
import { expectWhole, parkedRefs, shopOf } from './waiting-shop.ts';
import { expectExit, type Workshop } from './workshop.ts';

describe('while an item is parked', () => {
  const parkedShop = async (): Promise<Workshop> => {
    const shop = shopOf();
    expectExit(await shop.harness('run', '--until-done', '--json'), 8);
    expect(parkedRefs(shop)).not.toBe('');
    return shop;
  };
  const statusOf = async (shop: Workshop, item: string): Promise<unknown> => {
    const { items: listed } = (await shop.harness('items', '--json')).json() as {
      items: { id: string; status: string }[];
    };
    return listed.find(({ id }) => id === item)?.status;
  };

  test('status and items show it as waiting, and `run ITEM` asks again', async () => {
    const shop = await parkedShop();
    expect(await statusOf(shop, '1')).toBe('waiting');
    expect((await shop.harness('status')).stdout).toContain('g-1');
    const again = await shop.harness('run', '1', '--json');
    expectExit(again, 8);
    expect(again.json()).toMatchObject({ result: 'gate', gates: ['g-1'], items: [] });
  });

  test('manual-verify answers its question', async () => {
    const shop = await parkedShop();
    expectExit(await shop.harness('manual-verify', '1', '--yes', '--json'), 0);
    expect((await shop.harness('run', '--json')).json()).toMatchObject({ landed: ['1'] });
    await expectWhole(shop);
  });

  test('override ends its waiting: the item counts as done on a person’s word, and the work is an attempt', async () => {
    const shop = await parkedShop();
    expectExit(await shop.harness('override', '1', '--passes', 'true', '--reason', 'bought one', '--yes'), 0);
    const ran = await shop.harness('run', '--until-done', '--json');
    expect(ran.json()).toMatchObject({ gates: [] });
    expect([parkedRefs(shop), shop.git('show', 'refs/harness/attempts/1/1:src/bench')]).toEqual(['', 'bench']);
  });

  test('handoff and takeback leave it waiting', async () => {
    const shop = await parkedShop();
    expectExit(await shop.harness('handoff', '--json'), 0);
    shop.write('src/window', 'window\n');
    shop.git('add', '-A');
    shop.git('commit', '-q', '-m', 'a window');
    expectExit(await shop.harness('takeback', '--no-input', '--json'), 0);
    expectExit(await shop.harness('answer', 'g-1', 'verified', '-m', 'level'), 0);
    expect((await shop.harness('run', '--json')).json()).toMatchObject({ landed: ['1'] });
    expect(shop.git('ls-files', 'src').split('\n')).toEqual([
      'src/bench',
      'src/board',
      'src/door',
      'src/saw',
      'src/window',
    ]);
    await expectWhole(shop);
  });

  test('abort turns its work into an attempt and withdraws the question', async () => {
    const shop = await parkedShop();
    const ran = await shop.harness('abort', '--yes', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({
      sessions: [{ item: '1', attempt: 'refs/harness/attempts/1/1' }],
      gates: ['g-1'],
    });
    expect([parkedRefs(shop), shop.git('show', 'refs/harness/attempts/1/1:src/bench')]).toEqual(['', 'bench']);
    expect(await statusOf(shop, '1')).toBe('ready');
  });

  test('edits of a person are in the way of its return, are named, and stay', async () => {
    const shop = await parkedShop();
    expectExit(await shop.harness('answer', 'g-1', 'verified', '-m', 'level'), 0);
    shop.write('src/idea', 'mine\n');
    const ran = await shop.harness('run', '--json');
    expectExit(ran, 5);
    expect(ran.json()).toMatchObject({ result: 'blocked', failure: { reason: 'dirty-tree' } });
    expect([shop.read('src/idea'), parkedRefs(shop) !== '']).toEqual(['mine\n', true]);
    shop.git('add', '-A');
    shop.git('commit', '-q', '-m', 'an idea');
    expect((await shop.harness('run', '--json')).json()).toMatchObject({ landed: ['1'] });
    await expectWhole(shop);
  });
});
