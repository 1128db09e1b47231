// Calls that cannot be understood, and places where there is nothing to work on.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BadInput } from './case.ts';
import type { Stage } from './stage.ts';

const usage = (name: string, call: readonly string[], ...says: readonly string[]): BadInput => ({
  name,
  call,
  exit: 2,
  code: 'usage',
  says,
});

const aside = (stage: Stage, name: string, ...init: readonly string[]): void => {
  mkdirSync(join(stage.around, name), { recursive: true });
  if (init.length > 0) execFileSync('git', [...init], { cwd: join(stage.around, name), stdio: 'ignore' });
};
const spec = (name: string, text: string | Uint8Array | null, code: string, ...says: readonly string[]): BadInput => ({
  name,
  arrange: (stage) => {
    stage.git('rm', '-q', 'features.json');
    stage.git('commit', '-q', '-m', 'nothing planned');
    if (text !== null) writeFileSync(join(stage.around, 'spec.md'), text);
    else aside(stage, 'spec.md');
  },
  call: ['init', '--spec', '{around}/spec.md'],
  exit: 2,
  code,
  at: '{around}/spec.md',
  says,
});

const GATE = {
  schema: 1,
  id: 'g-1',
  key: 'k',
  epoch: 1,
  since: '2025-01-16T14:30:00.000Z',
  policy: 'wait',
  gate: 'escalation',
  subject: 'feature-stuck',
  item: '2',
  params: { sessions: 3 },
  options: [{ id: 'retry' }, { id: 'skip' }],
  recommended: 'retry',
  evidence: [],
};
const asked = { '.git/harness/gates/open/g-1.json': JSON.stringify(GATE) };

export const USAGES: readonly BadInput[] = [
  usage('a command nobody knows', ['statsu'], "'statsu'", 'harness status'),
  usage('a command that is like nothing', ['frobnicate'], "'frobnicate'", 'harness --help'),
  usage('an option nobody knows', ['run', '--until-don'], '--until-don', '--until-done'),
  usage('an option before the command that nobody knows', ['--jsn', 'status'], '--jsn'),
  usage('an option without its value', ['run', '--max-sessions'], '--max-sessions'),
  usage('a number in words', ['run', '--max-sessions', 'x'], '--max-sessions', 'whole number'),
  usage('a number below one', ['run', '--max-items', '0'], '--max-items', 'whole number'),
  usage('an argument too few', ['answer', 'g-1'], 'option'),
  usage('an argument too many', ['run', '1', '2', '3'], 'harness run --help'),
  usage('a part of a command nobody knows', ['config', 'chek'], "'chek'", 'check'),
  usage('an item that is not named', ['manual-verify'], 'no feature is named'),
  usage('two items where one is meant', ['verify', '1', '--feature', '2'], '1 and 2'),
  usage('a feature without its test', ['add', 'Another thing'], '--verify'),
  usage('a language nobody speaks here', ['status', '--lang', 'xx'], 'xx', 'en'),
  usage('a colour nobody knows', ['status', '--color', 'pink'], 'pink', 'always'),
  usage(
    'a decision that is neither yes nor no',
    ['override', '1', '--passes', 'maybe', '--reason', 'x'],
    'true',
    'false',
  ),
  { ...usage('an item nobody has', ['run', '77']), code: 'item-unknown', says: ['77', 'harness items'] },
  {
    ...usage('an item by a word of its title', ['items', 'show', 'cart']),
    code: 'item-unknown',
    says: ['cart', 'Did you mean 2'],
  },
  { ...usage('an item that waits for another', ['run', '3']), exit: 5, code: 'item-not-ready', says: ['3', '2'] },
  {
    ...usage('a question nobody asked', ['answer', 'g-9', 'retry']),
    code: 'gate-unknown',
    says: ['g-9', 'harness gates'],
  },
  {
    ...usage('an answer nobody offered', ['answer', 'g-1', 'dance']),
    files: asked,
    code: 'gate-option-unknown',
    says: ['dance', 'retry, skip', 'harness gates show g-1'],
  },
  { ...usage('a no where no is no answer', ['reject', 'g-1', '-m', 'never']), files: asked, says: ['retry, skip'] },
  { ...usage('an attempt nobody made', ['attempts', 'show', '1', '4']), code: 'attempt-unknown', says: ['4'] },
  {
    ...usage('an override without a reason', ['override', '2', '--passes', 'true', '--yes']),
    code: 'reason-needed',
    says: ['--reason'],
  },
  {
    ...usage('a bypass that nobody confirmed', ['override', '2', '--passes', 'true', '--reason', 'I looked']),
    code: 'confirmation-needed',
    says: ['--yes'],
  },
  {
    ...usage('a folder that is not there', ['-C', '{around}/nowhere', 'status']),
    exit: 5,
    code: 'not-a-repository',
    says: ['nowhere'],
  },
  {
    ...usage('a file for a folder', ['-C', '{around}/shop/features.json', 'status']),
    exit: 5,
    code: 'not-a-repository',
    says: ['features.json'],
  },
  {
    ...usage('a folder that is no repository', ['-C', '{around}/plain', 'status']),
    arrange: (stage) => aside(stage, 'plain'),
    exit: 5,
    code: 'not-a-repository',
    says: ['plain', 'git init'],
  },
  {
    ...usage('a repository without a commit', ['-C', '{around}/new', 'run']),
    arrange: (stage) => aside(stage, 'new', 'init', '-q'),
    exit: 5,
    code: 'no-commits',
    says: ['new', 'git commit'],
  },
  {
    ...usage('a repository without a work tree', ['-C', '{around}/bare', 'run']),
    arrange: (stage) => aside(stage, 'bare', 'init', '-q', '--bare'),
    exit: 5,
    code: 'not-a-repository',
    says: ['bare'],
  },
  {
    ...spec('a specification that is not there', '', 'spec-missing', 'nothing.md'),
    call: ['init', '--spec', 'nothing.md'],
    at: 'nothing.md',
  },
  spec('a specification that is empty', ' \n\n', 'spec-missing', 'empty'),
  spec('a specification that is binary', Uint8Array.of(0, 0xff, 0xfe, 0x80), 'file-unreadable', 'UTF-8'),
  spec('a specification that is a folder', null, 'file-unreadable', 'file'),
  {
    ...usage('a project that is set up already', ['init']),
    exit: 5,
    code: 'already-initialised',
    says: ['features.json'],
  },
  {
    ...usage('a role of the project that is broken', ['run']),
    files: { '.harness-prompts/features/coding.md': '---\nnot: closed\n' },
    arrange: (stage) => {
      stage.git('add', '-A');
      stage.git('commit', '-q', '-m', 'my own role');
    },
    exit: 5,
    code: 'role-invalid',
    says: ['coding', '.harness-prompts'],
  },
];
