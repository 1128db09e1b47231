// `harness add TITLE --verify TEST_FILE`: checks an item and adds it to the end of the list.
import { ok, type Result } from '../../model/result.ts';
import { addItem, type AddedItem, type NewItem } from '../../app/backlog/add-item.ts';
import { openTarget, placeOfItems } from '../../app/open/target.ts';
import { listOf, textOf, type CommandCall, type Caller, type CommandSpec } from '../command.ts';
import { changedJson } from '../../app/backlog/changes.ts';
import { askedFor, idsIn, secondsIn } from '../ask-item.ts';
import { showChanged } from '../show/changed.ts';
import { toJson } from '../../model/json.ts';

export const add: CommandSpec = {
  name: 'add',
  args: '[title]',
  options: [
    { flags: '--verify <proof>', about: 'the test file or command that proves it' },
    { flags: '--category <word>', about: 'its category' },
    { flags: '--depends-on <ids>', about: 'items it depends on: 1,2' },
    { flags: '--priority <p>', about: 'lower comes first: 1, 2, … or P0, P1, P2' },
    { flags: '--timeout <seconds>', about: 'time limit of the command of --verify' },
    { flags: '--step <text>', about: 'a verification step; may be repeated', many: true },
  ],
  examples: [
    'harness add "User can log in" --verify tests/test_login.py',
    'harness add',
    'harness add "User can log out" --verify tests/test_logout.py --depends-on 1,2 --step "Press log out"',
  ],
  async run(call) {
    const { caller } = call;
    const target = await openTarget(caller);
    if (!target.ok) return target;
    const given = wantedOf(call);
    if (!given.ok) return given;
    const wanted = await askedFor(caller, target.value, given.value);
    if (!wanted.ok) return wanted;
    const added = await addItem(target.value, wanted.value, 'harness add');
    if (!added.ok) return added;
    const { id, title, testFile, hasTest, flags, split, changed } = added.value;
    const { text } = caller.catalogue;
    const place = placeOfItems(target.value);
    const words = { item: id, title };
    const said = {
      done: [
        text('add.done', words),
        ...(testFile === null ? [] : [text(hasTest ? 'add.test' : 'add.no-test', { file: testFile })]),
        ...sizeLines(added.value, caller),
      ],
      already: [text('add.already', words), text('add.already-kept', { file: place })],
      file: place,
    };
    const size = { flags: toJson(flags), split: toJson(split) };
    const json = { item: id, title, test_file: testFile, ...size, ...changedJson(changed) };
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

function wantedOf(call: CommandCall): Result<NewItem> {
  const timeout = textOf(call, 'timeout');
  const seconds = timeout === null ? ok(null) : secondsIn(timeout);
  if (!seconds.ok) return seconds;
  return ok({
    title: call.args[0] ?? '',
    category: textOf(call, 'category'),
    verify: textOf(call, 'verify'),
    timeoutSeconds: seconds.value,
    dependsOn: idsIn(textOf(call, 'dependsOn') ?? ''),
    priority: textOf(call, 'priority'),
    steps: listOf(call, 'step'),
  });
}
