// `harness release-gate`: the acceptance criteria, and which plans cover them.
import { releaseGate as operation } from '../../app/operations/release.ts';
import { printable } from '../../host/formatter.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { EXIT } from '../exit-codes.ts';

export const releaseGate: CommandSpec = {
  name: 'release-gate',
  args: '',
  options: [],
  examples: ['harness release-gate', 'harness release-gate --json | jq .ready'],
  async run({ caller }) {
    const done = await operation.run(caller, {});
    if (!done.ok) return done;
    const { ready, file, criteria, mistakes } = done.value.answer;
    const { text } = caller.catalogue;
    const covered = criteria.filter(({ covered_by: by }) => by.length > 0).length;
    const lines = [
      ...criteria.map(({ tag, text: words, covered_by: by }) => {
        const about = { tag: printable(tag), words: printable(words).slice(0, 100) };
        return by.length > 0
          ? caller.tint('green', text('release.covered', { ...about, plans: by.join(', ') }))
          : text('release.open', about);
      }),
      ...mistakes.map(({ line, what }) =>
        caller.tint('yellow', text('release.mistake', { file, line, what: printable(what) })),
      ),
      text(ready ? 'release.ready' : 'release.not-ready', { covered, count: criteria.length, file }),
    ];
    return ok({ exit: ready ? EXIT.done : EXIT.escalated, json: done.value.answer, lines });
  },
};
