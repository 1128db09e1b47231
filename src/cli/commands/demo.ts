// `harness demo`: a complete run in about a minute, offline, on a new repository.
import { basename } from 'node:path';
import { makeDemo, playDemo } from '../../app/run/demo.ts';
import { createControl } from '../../app/run/run.ts';
import { runSummary } from '../../app/run/run-summary.ts';
import { shellWord } from '../../model/shell-quote.ts';
import { ok } from '../../model/result.ts';
import { textOf, type CommandSpec } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { narrator } from '../show/narrator.ts';
import { showRun } from '../show/run.ts';

/** What this program is called as: from a clone there may be no command `harness`. */
function program(): string {
  const started = process.argv[1] ?? 'harness';
  return basename(started) === 'harness' ? 'harness' : `node ${shellWord(started)}`;
}

export const demo: CommandSpec = {
  name: 'demo',
  args: '',
  options: [{ flags: '--dir <folder>', about: 'where to make the repository; a temporary folder by default' }],
  examples: ['harness demo', 'harness demo --dir ./bookshelf'],
  async run(call) {
    const { caller } = call;
    const { text } = caller.catalogue;
    const root = await makeDemo(textOf(call, 'dir'), caller.cwd);
    if (!root.ok) return root;
    caller.say(text('demo.begin', { root: root.value }));
    const control = createControl();
    const release = caller.onInterrupt(
      () => control.messages.post({ type: 'pause' }),
      () => control.stop.abort(),
    );
    const played = await playDemo(root.value, control, narrator(caller));
    release();
    if (!played.ok) return played;
    const { target, report } = played.value;
    const summary = await runSummary(target, report, caller.catalogue);
    const caught = report.items.filter((i) => i.result === 'rejected').length;
    const landed = report.items.filter((i) => i.result === 'landed').length;
    const where = [
      '',
      text('demo.verdict', { landed, caught }),
      '',
      text('demo.look'),
      `  git -C ${root.value} log --stat`,
      `  ${program()} -C ${root.value} status`,
      `  ${program()} -C ${root.value} ui`,
      `  ${program()} -C ${root.value} attempts 3`,
      `  ${root.value}/claude-progress.txt`,
      `  ${root.value}/.harness/sessions/`,
      '',
      text('demo.next'),
    ];
    const asExpected = report.result === 'done' && caught === 2;
    const json = { ...summary.json, root: root.value, caught };
    return ok({
      exit: asExpected ? EXIT.done : EXIT.verification,
      json,
      lines: [...showRun(summary, caller), ...where],
    });
  },
};
