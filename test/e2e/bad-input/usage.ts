// Calls that cannot be understood, and places where there is nothing to work on.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openGates } from '../../../src/gates/store.ts';
import { systemClock } from '../../../src/host/clock.ts';
import { realIo } from '../../../src/host/io.ts';
import type { BadInput } from './case.ts';
import type { Stage } from './stage.ts';

const usage = (name: string, call: readonly string[], ...says: readonly string[]): BadInput => ({
  name,
  call,
  exit: 2,
  code: 'usage',
  says,
});
const refused = (
  name: string,
  call: readonly string[],
  [exit, code]: readonly [number, string],
  ...says: readonly string[]
) => ({
  ...usage(name, call, ...says),
  exit,
  code,
});

/** A folder beside the repository; `init`: as a repository of its own. */
const beside =
  (name: string, ...init: readonly string[]) =>
  (stage: Stage) => {
    mkdirSync(join(stage.around, name), { recursive: true });
    if (init.length > 0) execFileSync('git', [...init], { cwd: join(stage.around, name), stdio: 'ignore' });
  };

/** `text` null: a folder in its place. */
const spec = (name: string, text: string | Uint8Array | null, why: string): BadInput => ({
  ...refused(name, ['init', '--spec', '{around}/spec.md'], [2, 'spec-missing'], why, 'harness init --spec FILE'),
  arrange(stage) {
    stage.git('rm', '-q', 'features.json');
    stage.git('commit', '-q', '-m', 'nothing planned');
    rmSync(join(stage.around, 'spec.md'), { recursive: true, force: true });
    if (text === null) mkdirSync(join(stage.around, 'spec.md'));
    else writeFileSync(join(stage.around, 'spec.md'), text);
  },
  at: '{around}/spec.md',
});

const asked = ({ root }: Stage) =>
  openGates({ dir: join(root, '.git/harness/gates'), io: realIo(), clock: systemClock }).ask(
    {
      gate: 'escalation',
      subject: 'feature-stuck',
      item: '2',
      params: { sessions: 3 },
      options: [{ id: 'retry' }, { id: 'skip' }],
      recommended: 'retry',
      evidence: [],
    },
    { key: 'k', epoch: 1 },
  );

const role = (name: string, text: string, at: string, ...says: readonly string[]): BadInput => ({
  ...refused(name, ['run'], [5, 'role-invalid'], 'coding', ...says),
  files: { '.harness-prompts/features/coding.md': text },
  arrange(stage) {
    stage.git('add', '-A');
    stage.git('commit', '-q', '-m', 'my own role');
  },
  at: `.harness-prompts/features/coding.md${at}`,
  readers: ['program'],
});

export const USAGES: readonly BadInput[] = [
  usage('a command nobody knows', ['statsu'], "'statsu'", 'harness status'),
  usage('a command that is like nothing', ['frobnicate'], "'frobnicate'", 'harness --help'),
  usage('an option nobody knows', ['run', '--until-don'], '--until-don', '--until-done'),
  usage('an option before the command that nobody knows', ['--jsn', 'status'], '--jsn'),
  usage('an option without its value', ['run', '--max-sessions'], '--max-sessions'),
  usage('a number in words', ['run', '--max-sessions', 'x'], '--max-sessions', 'whole number'),
  usage('a number below one', ['run', '--max-items', '0'], '--max-items', 'whole number'),
  usage('an argument too few', ['answer', 'g-1'], 'option', 'harness answer --help'),
  usage('an argument too many', ['run', '1', '2', '3'], 'harness run --help'),
  usage('a part of a command nobody knows', ['config', 'chek'], "'chek'", 'check'),
  usage('an item that is not named', ['manual-verify'], 'no item is named'),
  usage('two items where one is meant', ['verify', '1', '--feature', '2'], '1 and 2'),
  usage('a feature more without its test', ['add', 'Another thing'], '--verify'),
  usage('a language nobody speaks here', ['status', '--lang', 'xx'], "'xx'", 'en or de'),
  usage('a colour nobody knows', ['status', '--color', 'pink'], "'pink'", 'always'),
  usage(
    'a decision that is neither yes nor no',
    ['override', '1', '--passes', 'maybe', '--reason', 'x'],
    'true or false',
  ),
  refused('an item nobody has', ['run', '77'], [2, 'item-unknown'], '77', 'harness items'),
  refused(
    'an item by a word of its title',
    ['items', 'show', 'cart'],
    [2, 'item-unknown'],
    'Did you mean 2 (User can fill a cart)?',
  ),
  refused('an item by a word of its title, for a run', ['run', 'cart'], [2, 'item-unknown'], 'Did you mean 2'),
  refused('an item that waits for another', ['run', '3'], [5, 'item-not-ready'], 'Item 3', 'waits for 2'),
  refused('an item that has landed', ['run', '1'], [5, 'item-not-ready'], 'it is landed'),
  refused('a question nobody asked', ['answer', 'g-9', 'retry'], [2, 'gate-unknown'], 'g-9', 'harness gates'),
  {
    ...refused(
      'an answer nobody offered',
      ['answer', 'g-1', 'dance'],
      [2, 'gate-option-unknown'],
      'dance',
      'retry, skip',
    ),
    arrange: asked,
  },
  { ...usage('a no that is no answer', ['reject', 'g-1', '-m', 'never'], 'retry, skip'), arrange: asked },
  refused('an attempt nobody made', ['attempts', 'show', '1', '4'], [2, 'attempt-unknown'], 'attempt 4'),
  refused(
    'an override without a reason',
    ['override', '2', '--passes', 'true', '--yes'],
    [2, 'reason-needed'],
    '--reason',
  ),
  refused(
    'a bypass that nobody confirmed',
    ['override', '2', '--passes', 'true', '--reason', 'I looked'],
    [2, 'confirmation-needed'],
    '--yes',
    'I looked',
  ),
  refused(
    'a folder that is not there',
    ['-C', '{around}/nowhere', 'status'],
    [2, 'folder-missing'],
    '{around}/nowhere',
  ),
  refused('a file for a folder', ['-C', '{around}/home/.gitconfig', 'status'], [2, 'folder-missing'], '.gitconfig'),
  {
    ...refused(
      'a folder that is no repository',
      ['-C', '{around}/plain', 'status'],
      [5, 'not-a-repository'],
      'plain',
      'git init',
    ),
    arrange: beside('plain'),
  },
  {
    ...refused('a repository without a commit', ['-C', '{around}/new', 'run'], [5, 'no-commits'], 'new', 'git commit'),
    arrange: beside('new', 'init', '-q'),
  },
  {
    ...refused('a repository without a work tree', ['-C', '{around}/bare', 'run'], [5, 'bare-repository'], 'git clone'),
    arrange: beside('bare', 'init', '-q', '--bare'),
  },
  {
    ...spec('a specification that is not there', '', 'no such file'),
    call: ['init', '--spec', 'nothing.md'],
    at: 'nothing.md',
  },
  spec('a specification that is empty', ' \n\n', 'it is empty'),
  spec('a specification that is binary', Uint8Array.of(0, 0xff, 0xfe, 0x80), 'UTF-8'),
  spec('a specification that is a folder', null, 'not a file'),
  refused('a project that is set up already', ['init'], [5, 'already-initialised'], 'features.json'),
  role('a role of the project that is no role', '---\nnot: closed\n', ':1', 'front matter'),
  role(
    'a role of the project that wants more than it may',
    '---\nmode: complete\n---\nDo it.\n',
    ' tools',
    'mode complete',
  ),
];
