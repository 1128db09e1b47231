// `harness attempts`: rejected and interrupted work, which is always kept.
import { readAttempts, readAttempt, readWorkInProgress, branchFromAttempt } from '../../app/backlog/attempts.ts';
import { openProjectView } from '../../app/open/project-view.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { textOf, type CommandSpec } from '../command.ts';
import { attemptJson, showAttempt, showAttempts, showWips, wipJson } from '../show/attempts.ts';
import { parseSubcommand } from '../subcommand.ts';

export const attempts: CommandSpec = {
  name: 'attempts',
  args: '[ls|show|take] [item] [number]',
  options: [
    { flags: '--patch', about: 'show: the whole diff, as a patch for git apply' },
    { flags: '--branch <name>', about: 'take: the name of the branch (default: harness/attempt-ITEM-NUMBER)' },
  ],
  examples: [
    'harness attempts',
    'harness attempts 12',
    'harness attempts show 12 1',
    'harness attempts show 12 1 --patch | git apply',
    'harness attempts take 12 1',
    'harness attempts ls show   # an item called show',
  ],
  async run(call) {
    const { caller } = call;
    // The name of a part is never an item: such an item is given after a part (`attempts ls show`).
    const parts = { ls: ['ITEM?'], show: ['ITEM', 'NUMBER?'], take: ['ITEM', 'NUMBER?'] };
    const part = parseSubcommand('attempts', call.args, parts, 'ls');
    if (!part.ok) return part;
    const [word, typed] = part.value.words;
    const number = numberOf(typed);
    if (!number.ok) return number;
    const view = await openProjectView(caller);
    if (!view.ok) return view;
    if (part.value.name === 'ls' || word === undefined) {
      const kept = await readAttempts(view.value, word ?? null);
      if (!kept.ok) return kept;
      const wips = await readWorkInProgress(view.value, word ?? null);
      if (!wips.ok) return wips;
      const json = { attempts: kept.value.map(attemptJson), in_progress: wips.value.map(wipJson) };
      const lines = [...showAttempts(kept.value, word ?? null, caller), ...showWips(wips.value, caller)];
      return ok({ exit: 0, json, lines });
    }
    if (part.value.name === 'show') {
      const kept = await readAttempt(view.value, word, number.value);
      if (!kept.ok) return kept;
      const json = { attempt: { ...attemptJson(kept.value), diff: kept.value.diff } };
      return ok({
        exit: 0,
        json,
        lines: caller.json ? [] : showAttempt(kept.value, call.options['patch'] === true, caller),
      });
    }
    const taken = await branchFromAttempt(view.value, word, number.value, textOf(call, 'branch'));
    if (!taken.ok) return taken;
    const { attempt, branch, isNew } = taken.value;
    const { text } = caller.catalogue;
    return ok({
      exit: 0,
      json: { branch, made: isNew, attempt: attemptJson(attempt) },
      lines: [
        text(isNew ? 'attempts.taken' : 'attempts.taken-before', { branch }),
        `→ ${text('attempts.switch', { branch })}`,
      ],
    });
  },
};

function numberOf(typed: string | undefined): Result<number | null> {
  if (typed === undefined) return ok(null);
  if (/^[1-9]\d*$/.test(typed)) return ok(Number(typed));
  return err(failure('usage', { what: `'${typed}' is not the number of an attempt`, hint: 'harness attempts' }));
}
