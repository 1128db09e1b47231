// The same with an older source: what it broke is hidden by compiled code of before.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'breaks what is older behind compiled code of before',
  right: ['reject', 'ask'],
  world: 'pytest',
  act(me) {
    me.honest();
    me.run(
      `python3 -c "import py_compile; py_compile.compile('${me.cart.source}', invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)"`,
    );
    me.breakCount();
  },
});
