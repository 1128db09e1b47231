// `harness import SOURCE`: items from a list in Markdown, from issues, from failing tests, or from a sentence on stdin.
import { readFileSync } from 'node:fs';
import { failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import { importItems } from '../../app/backlog/import-items.ts';
import { openTarget, placeOfItems } from '../../app/open/target.ts';
import { stoppable, textOf, type CommandSpec } from '../command.ts';
import { changedJson } from '../../app/backlog/changes.ts';
import { showChanged } from '../show/changed.ts';
import { narrator } from '../show/narrator.ts';

export const imports: CommandSpec = {
  name: 'import',
  args: '<source>',
  options: [
    { flags: '--verify <pattern>', about: 'the proof of items that name none; {slug} is the title' },
    { flags: '--stubs', about: 'commit a failing test with each item whose test file does not exist' },
  ],
  examples: [
    'harness import TODO.md',
    "harness import plan.md --verify 'tests/{slug}.test.js'",
    'harness import TODO.md --stubs',
    'harness import github',
    'harness import tests',
    'echo "Users can log in" | harness import -',
  ],
  async run(call) {
    const { caller, args } = call;
    const [source = ''] = args;
    if (source === '')
      return err(failure('usage', { what: 'what is to be imported?', hint: 'harness import TODO.md' }));
    const target = await openTarget(caller);
    if (!target.ok) return target;
    const stdin = (): string => readFileSync(0, 'utf8');
    const imported = await stoppable(caller, (signal) =>
      importItems(target.value, {
        source,
        cwd: caller.cwd,
        verify: textOf(call, 'verify'),
        stubs: call.options['stubs'] === true,
        stdin,
        watcher: narrator(caller),
        signal,
      }),
    );
    if (!imported.ok) return imported;
    const { items, changed } = imported.value;
    const { text } = caller.catalogue;
    const lines = items.map(({ id, title, testFile, isNew, hasStub }) =>
      text(!isNew ? 'import.known' : hasStub ? 'import.stub' : 'import.item', {
        item: id,
        title,
        ...(testFile === null ? {} : { file: testFile }),
      }),
    );
    const file = placeOfItems(target.value);
    const count = items.filter(({ isNew }) => isNew).length;
    const said = { done: [...lines, text('import.done', { count, file })], already: lines, file };
    const json = {
      items: items.map(({ id, title, testFile, isNew, hasStub }) => ({
        id,
        title,
        test_file: testFile,
        is_new: isNew,
        has_stub: hasStub,
      })),
      ...changedJson(changed),
    };
    return ok({ exit: 0, json, lines: showChanged(changed, said, caller) });
  },
};
