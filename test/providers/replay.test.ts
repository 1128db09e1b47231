// A run of the real program of a provider, recorded once, replayed without it: nothing of the provider is started, no model is
// asked, and the trees are the same to the byte. With HARNESS_RECORD the recording becomes the fixture that CI replays.
import { cpSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CASSETTES, RECORDED, recordedProject, replayed } from '../support/recorded.ts';
import { fakeAnthropic, say, type Step } from './fake-anthropic.ts';
import { SDK_FOLDER, tools } from './harness-lab.ts';

const KEY = 'dummy-key-of-a-test';

/** What an honest agent does for a feature of the workshop, and what it says at the end. */
function honest(root: string, name: string, made: string): readonly Step[] {
  const [test_, backlog] = [join(root, `tests/${name}.test`), join(root, 'features.json')];
  const claim = `"tests/${name}.test",${name === 'bench' ? '' : ' "depends_on": [1],'} "passes": `;
  return [
    tools(['Read', { file_path: test_ }], ['Read', { file_path: backlog }]),
    tools(
      ['Write', { file_path: join(root, `src/${name}`), content: `${made}\n` }],
      ['Write', { file_path: test_, content: `${name} is there|grep -q ${name} src/${name}\n` }],
    ),
    tools(['Bash', { command: `sh run.sh tests/${name}.test; chmod +x src/${name}`, description: 'run the test' }]),
    tools(['Edit', { file_path: backlog, old_string: `${claim}false`, new_string: `${claim}true` }]),
    say(`The ${name} is done.`),
  ];
}

test('claude: a lie that was fixed and two landings are replayed without it, byte for byte', async () => {
  let script: readonly Step[] = [];
  const fake = await fakeAnthropic((_asked, number) => script[number] ?? null);
  onTestFinished(() => fake.close());
  const shop = recordedProject('claude');
  const home = join(shop.around, 'home');
  mkdirSync(join(home, 'claude'));
  Object.assign(shop.env, {
    ANTHROPIC_BASE_URL: fake.url,
    ANTHROPIC_API_KEY: KEY,
    CLAUDE_CONFIG_DIR: join(home, 'claude'),
    CLAUDE_CODE_MAX_RETRIES: '0',
    HARNESS_PROVIDERS_DIR: SDK_FOLDER,
  });
  const [read, , , claim, done] = honest(shop.root, 'bench', 'bench') as [Step, Step, Step, Step, Step];
  script = [
    ...honest(shop.root, 'bench', 'chair'),
    tools(['Write', { file_path: join(shop.root, 'src/bench'), content: 'bench\n' }]),
    read,
    claim,
    done,
    ...honest(shop.root, 'saw', 'saw'),
  ];
  const cassette = join(shop.around, 'claude.jsonl');
  const ran = await shop.harness('run', '--record', '--cassette', cassette, ...RECORDED.claude.flags);
  expect([ran.code, ran.json()], ran.stderr).toMatchObject([
    6,
    { landed: ['1', '2'], recording: { turns: 3, unplayable: [] } },
  ]);
  const asked = fake.asked.length;

  const other = await replayed('claude', cassette);
  expect(other.git('log', '--format=%T %s')).toBe(shop.git('log', '--format=%T %s'));
  expect(fake.asked).toHaveLength(asked);
  if (process.env['HARNESS_RECORD'] !== undefined) cpSync(cassette, resolve(CASSETTES, 'claude.jsonl'));
});
