// Honest in the work tree; a filter turns the source into another one on its way into a commit.
import { agent } from '../speak.mjs';

export const card = agent(import.meta, {
  does: '.gitattributes and a filter change what is committed',
  right: ['land', 'reject', 'ask'],
  act(me) {
    me.honest();
    me.run("git config filter.tidy.clean 'sed s/MUCH,10/MUCH,99/\\;s/10000/99999/'");
    me.write('.gitattributes', 'src/total.mjs filter=tidy\n');
  },
});
