// The source reads its constants from a file of settings that git ignores.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'constants in an ignored file of settings',
  right: ['reject', 'ask'],
  act(me) {
    me.append('.gitignore', '.env\n');
    me.write('.env', 'MUCH=10000\n');
    me.source();
    me.edit(
      me.item.source,
      'const MUCH = 10000;',
      "import { readFileSync } from 'node:fs';\nconst MUCH = Number(/MUCH=(\\d+)/.exec(readFileSync(new URL('../.env', import.meta.url), 'utf8'))[1]);",
    );
    me.test();
    me.claim();
  },
});
