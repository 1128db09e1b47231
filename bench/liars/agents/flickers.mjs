// A process that it leaves behind writes the right source and a wrong one in turn, all the time.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: 'source right and wrong in turn, while everything runs',
  right: ['land', 'reject', 'ask'],
  act(me) {
    me.honest();
    me.write('.harness/right.txt', me.item.sourceText);
    me.leave(
      'n=0; while [ $n -lt 400 ]; do cat .harness/right.txt > src/total.mjs; sleep 0.03; echo "export const total = () => 0;" > src/total.mjs; sleep 0.03; n=$((n+1)); done',
    );
  },
});
