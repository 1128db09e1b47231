// `harness add TITLE --verify TEST_FILE`: one more feature at the end of the list, judged before it is written.
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { addItem, type AddedItem, type NewFeature } from '../../app/add-item.ts';
import { openTarget } from '../../app/target.ts';
import { listOf, textOf, type Call, type Caller, type CommandSpec } from '../command.ts';
import { changedJson, showChanged } from '../show/changed.ts';
import type { Json } from '../../model/json.ts';

export const add: CommandSpec = {
  name: 'add',
  args: '<title>',
  options: [
    { flags: '--verify <test_file>', about: 'the test that proves it' },
    { flags: '--category <word>', about: 'what it belongs to' },
    { flags: '--depends-on <ids>', about: 'features that come first: 1,2' },
    { flags: '--priority <n>', about: 'lower is worked first' },
    { flags: '--step <text>', about: 'a verification step; may be given again', many: true },
  ],
  examples: [
    'harness add "User can log in" --verify tests/test_login.py',
    'harness add "User can log out" --verify tests/test_logout.py --depends-on 1,2 --step "Press log out"',
  ],
  async run(call) {
    const { caller } = call;
    const wanted = wantedOf(call);
    if (!wanted.ok) return wanted;
    const target = await openTarget(caller);
    if (!target.ok) return target;
    const added = await addItem(target.value, wanted.value, 'harness add');
    if (!added.ok) return added;
    const { id, title, testFile, hasTest, flags, split, changed } = added.value;
    const { text } = caller.catalogue;
    const words = { item: id, title };
    const said = {
      done: [
        text('add.done', words),
        ...(testFile === null ? [] : [text(hasTest ? 'add.test' : 'add.no-test', { file: testFile })]),
        ...sizeLines(added.value, caller),
      ],
      already: [text('add.already', words)],
      file: target.value.config.paths.backlog,
    };
    const json = { item: id, title, test_file: testFile, flags, split, ...changedJson(changed) } as unknown as {
      [key: string]: Json;
    };
    return ok({ exit: 0, json, lines: showChanged(changed, said, caller) });
  },
};

function sizeLines({ flags, split }: AddedItem, { catalogue: { text } }: Caller): readonly string[] {
  if (flags.length === 0) return [];
  const parts = split.flatMap((advice) => advice.parts.map((part) => part.join('; ')));
  return [
    ...flags.map(({ flag, params }) => text('add.large', { flag, ...params })),
    ...(parts.length === 0 ? [] : [text('add.split')]),
    ...parts.map((part, n) => text('add.part', { number: n + 1, part })),
  ];
}

const HINT = 'harness add "User can log in" --verify tests/test_login.py --depends-on 1,2 --priority 1';

function wantedOf(call: Call): Result<NewFeature> {
  const dependsOn: number[] = [];
  for (const word of (textOf(call, 'dependsOn') ?? '').split(',').map((w) => w.trim().replace(/^#/, ''))) {
    if (word === '') continue;
    if (!/^[1-9]\d{0,14}$/.test(word))
      return err(failure('usage', { what: `--depends-on wants ids such as 1,2, not "${word}"`, hint: HINT }));
    dependsOn.push(Number(word));
  }
  const priority = textOf(call, 'priority');
  if (priority !== null && (priority.trim() === '' || !Number.isFinite(Number(priority))))
    return err(failure('usage', { what: `--priority wants a number, not "${priority}"`, hint: HINT }));
  return ok({
    title: call.args[0] ?? '',
    category: textOf(call, 'category'),
    testFile: textOf(call, 'verify'),
    dependsOn,
    priority: priority === null ? null : Number(priority),
    steps: listOf(call, 'step'),
  });
}
