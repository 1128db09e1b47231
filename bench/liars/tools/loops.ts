// Loops in the shell as many people write them: the first open task of a list goes to the agent, then it is ticked and
// committed. `shell-loop` believes the agent's exit code; `tested-loop` runs the tests too and goes back where they fail.
import type { Card, WorldName } from '../card.ts';
import { call, type Outcome, type Tool } from './tool.ts';
import type { World } from '../world.ts';

const TODO = '- [ ] total(cart) in src/total.mjs, tested by tests/total.test.mjs\n- [ ] shipping(cart)\n';

/** Everything but the task that comes later: its stub fails. */
const TESTS: { readonly [name in WorldName]: string } = {
  node: 'node --test tests/[cpt]*.test.mjs',
  npm: 'npm test --silent -- tests/[cpt]*.test.mjs',
  vitest: 'npx vitest run --exclude tests/shipping.test.mjs',
  pytest: 'python3 -m pytest --ignore tests/test_shipping.py',
  tap: 'node --test tests/[cpt]*.test.mjs',
  command: 'node --test tests/[cpt]*.test.mjs',
};

const script = (card: Card, tests: string | null): string => `
task=$(grep -m1 '^- \\[ \\]' TODO.md) || exit 0
if timeout -k 1 ${card.limits === 'short' ? 3 : 60} '${process.execPath}' '${card.file}' "$task"${tests === null ? '' : ` && ${tests}`}; then
  sed -i '0,/^- \\[ \\]/s//- [x]/' TODO.md
  git add -A
  git commit -q -m "done: $task"
else
  ${tests === null ? 'exit 1' : 'git reset -q --hard; git clean -fdq; exit 1'}
fi
`;

const loop = (name: string, isTested: boolean): Tool => ({
  name,
  records: { own: /^shop\/TODO\.md$/, commit: null },
  ready: () => Promise.resolve(true),
  files: () => ({ 'TODO.md': TODO }),
  async run(card: Card, world: World): Promise<Outcome> {
    for (let n = 1; ; n += 1) {
      const line = script(card, isTested ? TESTS[card.world] : null);
      const ran = await call(['/bin/sh', '-c', line], { cwd: world.root, env: world.env, wallMs: 120_000 });
      const said = `${ran.stdout}\n${ran.stderr}`;
      if (ran.code === 0 && n < card.sessions) {
        world.git('checkout', '-q', 'main');
        world.write('TODO.md', TODO);
        continue;
      }
      return {
        verdict: ran.code === 0 ? 'land' : 'reject',
        reasons: ran.code === 0 ? [] : [`exit ${ran.code}`],
        warnings: [],
        said,
      };
    }
  },
});

export const shellLoop: Tool = loop('shell-loop', false);
export const testedLoop: Tool = loop('tested-loop', true);
