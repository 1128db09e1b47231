// Values of secret variables in what an agent writes: the agent is notified where, and no commit of the harness ever carries one.
import { describe, expect, test } from 'vitest';
import { task } from '../support/task-record.ts';
import type { Repo } from '../support/repo.ts';
import { made, taskList } from './task-list.ts';
import { generator, HONEST, SORTED, workflowProject } from './workflow-project.ts';
import { expectExit, session, work, workshop, type Steps } from './workshop.ts';

const SECRET = 'wq7-Zb2kf9-Lm4';
const withSecret = <T extends Repo>(shop: T): T => {
  shop.env['SHOP_TOKEN'] = SECRET;
  return shop;
};
/** Through the environment, as a careless agent would. */
const LEAK: Steps[number] = { run: 'mkdir -p src; printf "first\\ntoken = %s\\n" "$SHOP_TOKEN" > src/settings' };
const AT = 'src/settings:2 (SHOP_TOKEN)';

/** Nothing that a push could take along holds it, and nothing that is shown does. */
function expectUnknown(shop: Repo): void {
  const pushed = shop.git('rev-list', '--objects', '--branches', '--tags', '--glob=refs/harness/evidence').split('\n');
  for (const [id = ''] of pushed.map((line) => line.split(' ')))
    if (id !== '') expect(shop.git('cat-file', '-p', id), id).not.toContain(SECRET);
}

describe('a session on a feature', () => {
  test('gets the file and the line reported, takes it out, and lands', async () => {
    const mended = {
      when: { item: 1 },
      turns: [
        [...work(1), LEAK],
        [{ delete: 'src/settings' }, 'claim'],
      ],
    };
    const shop = withSecret(workshop({ sessions: [mended] }));
    const ran = await shop.harness('run', '--json');
    expectExit(ran, 0);
    expect(ran.json()).toMatchObject({ landed: ['1'] });
    const prompt = shop.read('.harness/sessions/1/prompt-2.md');
    expect(prompt).toContain(AT);
    expect(prompt + ran.stdout + ran.stderr).not.toContain(SECRET);
    expectUnknown(shop);
  });

  test('that leaves it there is rejected', async () => {
    const shop = withSecret(
      workshop({ sessions: [session(1, ...work(1), LEAK)], config: 'verification: { fix_turns: 0 }' }),
    );
    const ran = await shop.harness('run', '--json');
    expectExit(ran, 9);
    expect(ran.json()).toMatchObject({ result: 'rejected', landed: [], items: [{ problems: ['secret-in-change'] }] });
    expectUnknown(shop);
    expect(shop.git('status', '--porcelain')).toBe('');
  });

  test('that commits it itself is found out all the same', async () => {
    const own = { run: 'git add -A && git commit -qm mine' };
    const config = 'sandbox: { level: none }\nverification: { fix_turns: 0 }';
    const shop = withSecret(workshop({ sessions: [session(1, ...work(1), LEAK, own)], config }));
    expectExit(await shop.harness('run', '--json'), 9);
    expectUnknown(shop);
  });

  test('that is cut with it in its work: its private ref has it, and the session that continues cannot land it', async () => {
    const half = session(1, LEAK, { stop: 'max_tokens' });
    const config = 'verification: { fix_turns: 0 }';
    const shop = withSecret(workshop({ sessions: [half], config }));
    const cut = await shop.harness('run', '--json');
    expect(cut.json()).toMatchObject({ landed: [], items: [{ reason: 'context_limit' }] });
    expectUnknown(shop);
    expect(shop.git('status', '--porcelain')).toBe('');
    shop.play([session(1, ...work(1))]);
    const continued = await shop.harness('run', '--json');
    expectExit(continued, 9);
    expect(continued.json()).toMatchObject({ landed: [], items: [{ problems: ['secret-in-change'] }] });
    expectUnknown(shop);
  });

  test.each<[string, Steps[number]]>([
    ['in the name of a file', { run: 'mkdir -p src; touch "src/$SHOP_TOKEN"' }],
    ['in a binary file', { run: 'printf "\\\\0\\\\1%s\\\\0" "$SHOP_TOKEN" > src/blob' }],
    ['encoded', { run: 'printf %s "key: $SHOP_TOKEN" | base64 > src/encoded' }],
    [
      'in a file that attributes call binary',
      { run: 'echo "* binary" > .gitattributes; echo "$SHOP_TOKEN" > src/odd' },
    ],
  ])('that writes it %s is rejected', async (_where, leak) => {
    const shop = withSecret(
      workshop({ sessions: [session(1, ...work(1), leak)], config: 'verification: { fix_turns: 0 }' }),
    );
    const ran = await shop.harness('run', '--json');
    expectExit(ran, 9);
    expect(ran.json()).toMatchObject({ items: [{ problems: ['secret-in-change'] }] });
    expect(ran.stdout + ran.stderr).not.toContain(SECRET);
    expectUnknown(shop);
  });

  test('that notes it in the log: the log has it masked', async () => {
    const note = { run: 'printf "token is %s\\n" "$SHOP_TOKEN" >> claude-progress.txt' };
    const shop = withSecret(workshop({ sessions: [session(1, note, { stop: 'max_tokens' })] }));
    await shop.harness('run', '--json');
    expectUnknown(shop);
  });

  test('that changes a line beside a value that is committed already lands', async () => {
    const shop = withSecret(
      workshop({
        sessions: [session(1, ...work(1), { run: 'sed -i "1i # more" .env.test' })],
        files: { '.env.test': `TOKEN=${SECRET}\n` },
      }),
    );
    expectExit(await shop.harness('run', '--json'), 0);
  });
});

test('a task is not completed with it, and the log of tasks says where', async () => {
  const leak = { run: 'printf "%s\\n" "$SHOP_TOKEN" > config.txt' };
  const shop = withSecret(
    taskList([task('task-001', { max_attempts: 1 })], {
      sessions: [made('task-001', leak)],
      config: 'verification: { fix_turns: 0 }',
    }),
  );
  expectExit(await shop.harness('run', '--json'), 3);
  expect(shop.task('task-001')).toMatchObject({
    status: 'failed',
    error_log: [expect.stringContaining('secret-in-change')],
  });
  expect(JSON.stringify(shop.list()) + shop.log().join('\n')).not.toContain(SECRET);
  expectUnknown(shop);
});

const leaking = HONEST.map((part) => (part.role === 'generator' ? generator(SORTED, LEAK) : part));

test('a workflow with it fails its checks', async () => {
  const shop = withSecret(workflowProject({}, { parts: leaking }));
  await shop.through('proceed');
  expect(shop.read('docs/harness/sort-the-list/verify_report.md')).toContain('secret-in-change');
  expectUnknown(shop);
});

test('a workflow that checks nothing is not committed with it either', async () => {
  const shop = withSecret(workflowProject({ test_cmd: null }, { parts: leaking }));
  const ran = await shop.through('proceed', 'code-only');
  expectExit(ran, 9);
  expect(ran.json()).toMatchObject({ landed: [], items: [{ problems: ['secret-in-change'] }] });
  expectUnknown(shop);
});
