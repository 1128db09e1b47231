// Quota with the real programs: Codex reports how much of its account is used, is notified in the middle of its turn that it must hand
// over, and the real Claude continues where it stopped.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventsOf } from '../e2e/workshop.ts';
import { fakeAnthropic, say, type Script } from './fake-anthropic.ts';
import { added, patch, say as sayToCodex, type Step } from './fake-openai.ts';
import { codexPlace } from './harness-codex-lab.ts';
import { claudeAgent, honestWork } from './harness-lab.ts';

const inHours = (hours: number): string => String(Math.floor(Date.now() / 1_000) + hours * 3_600);
/** An answer that comes with what the provider says of the account. */
const used = (percent: number, step: Step): Step =>
  ({
    ...step,
    headers: {
      'x-codex-primary-used-percent': String(percent),
      'x-codex-primary-window-minutes': '300',
      'x-codex-primary-reset-at': inHours(3),
    },
  }) as Step;

test('near the end of its window Codex hands over in the middle of a turn, and Claude lands the feature from what was done', async () => {
  let root = '';
  let play: Script | null = null;
  const claude = await fakeAnthropic((asked, number) => {
    play ??= [...honestWork(root, 1, 'greet', 'greet'), say('Greeting is done.')];
    return typeof play === 'function' ? play(asked, number) : (play[number] ?? null);
  });
  onTestFinished(() => claude.close());
  const steps = [
    used(70, patch(...added('src/notes.txt', 'half of it\n'))),
    used(96, patch(...added('src/more.txt', 'a little more\n'))),
  ];
  const note = patch('*** Update File: claude-progress.txt', '@@', '+HANDOVER: greet.mjs is not written yet');
  // A request under way when the message comes is sent again with it: its answer is lost, and the note is written by the next.
  const place = await codexPlace(
    ({ heard }, number) =>
      steps[number] ??
      (heard.some(({ text }) => text.includes('M claude-progress.txt')) ? sayToCodex('Handed over.') : note),
    {},
    [claudeAgent(claude)],
  );
  ({ root } = place.repo);
  mkdirSync(join(place.home, 'claude'));
  const ran = await place.start(['run', '--until-done', '--max-items', '1', '--json']).ended;
  expect([ran.code, JSON.parse(ran.stdout)]).toMatchObject([6, { result: 'limit', landed: ['1'] }]);

  // Its tools take no time: whether the words are there before its next request or the one after is chance.
  const words = (place.fake.asked.at(-1)?.heard ?? []).map(({ text }) => text).join('\n');
  expect(words).toContain('96 % of your provider’s quota for this account (5h)');
  expect(eventsOf(place.repo, 'agent-stands-in')).toMatchObject([
    { data: { for: 'codex', agent: 'claude', window: '5h', percent: 96 } },
  ]);
  expect(eventsOf(place.repo, 'waiting')).toEqual([]);
  const opening = `${claude.asked[0]?.system}\n${(claude.asked[0]?.heard ?? []).map(({ text }) => text).join('\n')}`;
  expect(opening).toContain('HANDOVER: greet.mjs is not written yet');
  expect(opening).toContain('ROLE=continuation');
  expect(place.repo.git('show', '--stat', '--format=', 'HEAD')).toContain('src/more.txt');
  expect(place.repo.features().map((f) => f['passes'])).toEqual([true, false]);
  expect(place.alive()).toEqual([]);
});
