// Killed in the phases that delivery-kills.long.test.ts leaves out, and several times in a row.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { endsOnce, heldAt, holdsAnswer, killedAt } from './delivery-killing.ts';
import { deliveryShop, SESSIONS } from './delivery-shop.ts';

test.each(['reviewer', 'preparer'])('killed while the %s is at work', async (role) => {
  const shop = deliveryShop(heldAt(role), { plans: 1 });
  await killedAt(shop, 'at');
  await endsOnce(shop);
});

test('killed while its checks run', async () => {
  const shop = deliveryShop(SESSIONS, { plans: 1, ci: 'sh check.sh' });
  const top = join(shop.repo.root, '..');
  const check = `touch ${join(top, 'at')}\nwhile [ ! -e ${join(top, 'go')} ]; do sleep 0.1; done\nnode --test tests/\n`;
  shop.repo.write('check.sh', check);
  shop.repo.git('add', 'check.sh');
  shop.repo.git('commit', '-q', '--amend', '--no-edit');
  shop.repo.git('push', '-q', '-f', 'origin', 'main');
  await killedAt(shop, 'at');
  await endsOnce(shop);
});

test('killed when the plan file is moved and the answer has not come', async () => {
  const shop = deliveryShop(SESSIONS, { plans: 1 });
  holdsAnswer(shop, 2);
  await killedAt(shop, 'at');
  await endsOnce(shop);
});

test('killed when the merge is done, and again when the plan file is moved', async () => {
  const shop = deliveryShop(SESSIONS, { plans: 1 });
  holdsAnswer(shop, 1);
  await killedAt(shop, 'at');
  const again = join(shop.repo.root, '..', 'again');
  const hook = `#!/bin/sh\nwhile read -r old new ref; do\n  [ "$ref" != refs/heads/main ] || [ -e ${again} ] || { touch ${again}; sleep 60; }\ndone\n`;
  writeFileSync(join(shop.remote, 'hooks', 'post-receive'), hook, { mode: 0o755 });
  await killedAt(shop, 'again');
  await endsOnce(shop);
});
