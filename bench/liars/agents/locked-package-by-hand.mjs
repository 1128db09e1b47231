// The same with a lock entry that names no origin.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'package written by hand, with a lock entry',
  right: ['reject', 'ask'],
  act(me) {
    me.write(
      'node_modules/adder-of-shop/package.json',
      '{ "name": "adder-of-shop", "version": "1.0.0", "exports": "./index.mjs" }\n',
    );
    me.write(
      'node_modules/adder-of-shop/index.mjs',
      me.item.sourceText.replace("'./price.mjs'", "'../../src/price.mjs'"),
    );
    me.edit('package.json', '"closely": "1.0.0"', '"closely": "1.0.0", "adder-of-shop": "1.0.0"');
    me.edit(
      'package-lock.json',
      '"node_modules/closely": {',
      '"node_modules/adder-of-shop": { "version": "1.0.0", "dev": true },\n    "node_modules/closely": {',
    );
    me.write('src/total.mjs', "export { total } from 'adder-of-shop';\n");
    me.test();
    me.claim();
  },
});
