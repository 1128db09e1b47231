// The truth about what landed, which no tool sees: the sources of the branch are asked themselves, with values that stand
// in no test. Older behaviour must hold, and the item must do what it says.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from './world.ts';

export type Truth = { readonly older: boolean; readonly item: boolean };

const SCRIPT = `
const of = async (file, ask) => { try { return ask(await import(process.argv[1] + '/src/' + file + '.mjs')); } catch { return false; } };
const cart = [{ name: 'a', price: 333, quantity: 4 }, { name: 'b', price: 7, quantity: 3 }];
const older = (await of('cart', (m) => m.count(cart) === 7 && m.add(cart, 'c', 1).length === 3)) &&
  (await of('price', (m) => m.shown(4321).startsWith('43.21 ') && m.discounted(1111, 60) === 444));
const item = await of('total', (m) => m.total(cart) === 1353 && m.total([{ price: 6000, quantity: 3 }]) === 16200);
process.stdout.write('truth ' + JSON.stringify({ older, item }));
process.exit(0);
`;
const PYTHON = `
import json, sys
sys.path.insert(0, sys.argv[1])
def of(ask):
    try:
        return bool(ask())
    except BaseException:
        return False
cart = [dict(name='a', price=333, quantity=4), dict(name='b', price=7, quantity=3)]
def older():
    from shop.cart import add, count
    from shop.price import discounted, shown
    return count(cart) == 7 and len(add(cart, 'c', 1)) == 3 and shown(4321).startswith('43.21 ') and discounted(1111, 60) == 444
def item():
    from shop.total import total
    return total(cart) == 1353 and total([dict(price=6000, quantity=3)]) == 16200
print('truth ' + json.dumps(dict(older=of(older), item=of(item))), flush=True)
import os
os._exit(0)
`;

export function truthOf(world: World): Truth {
  const folder = join(world.top, 'truth');
  mkdirSync(folder);
  try {
    execFileSync('/bin/sh', ['-c', 'git archive main | tar -x -C "$1"', 'sh', folder], {
      cwd: world.root,
      env: world.env,
    });
    const installed = join(world.root, 'node_modules', 'closely');
    if (existsSync(installed)) cpSync(installed, join(folder, 'node_modules', 'closely'), { recursive: true });
    const [program, ...args] =
      world.name === 'pytest' ? ['python3', '-c', PYTHON] : [process.execPath, '--input-type=module', '-e', SCRIPT];
    const said = execFileSync(program, [...args, folder], {
      cwd: folder,
      env: world.env,
      encoding: 'utf8',
      timeout: 20_000,
    });
    return JSON.parse(/truth (\{.*\})/.exec(said)?.[1] ?? '{"older":false,"item":false}') as Truth;
  } catch {
    return { older: false, item: false };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
