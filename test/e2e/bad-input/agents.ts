// Agents that cannot be used, or that answer anything but what the protocol says.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BadInput } from './case.ts';
import { configWith } from './shop.ts';

const RAW = resolve(import.meta.dirname, '../../fixtures/agents/raw-agent.mjs');
const SCRIPTED = '{ provider: scripted, scenario: ../scenario.yaml }';

const using = (
  name: string,
  agent: string,
  more: Omit<BadInput, 'name' | 'call' | 'files'> & { readonly config?: string },
): BadInput => {
  const { config = '', ...rest } = more;
  return {
    name,
    files: { '.harness.yaml': `${configWith(SCRIPTED, agent)}${config}` },
    call: ['run'],
    ...rest,
  };
};
const command = (...words: readonly string[]): string => `{ provider: acp, command: ${JSON.stringify(words)} }`;
const raw = (how: string): string => command('node', RAW, how);

const logged = { exit: 9, isLogged: true } as const;
const turn = (...steps: readonly unknown[]): string =>
  JSON.stringify({ schema: 1, sessions: [{ repeat_last: true, turns: [steps] }] });
const scripted = (
  name: string,
  scenario: string,
  more: Omit<BadInput, 'name' | 'call' | 'files'> & { readonly config?: string },
): BadInput =>
  using(name, SCRIPTED, {
    ...more,
    arrange: (stage) => writeFileSync(join(stage.around, 'scenario.yaml'), scenario),
  });

export const AGENTS: readonly BadInput[] = [
  using('an agent that is not installed', command('no-such-agent'), {
    exit: 5,
    code: 'agent-not-installed',
    says: ['no-such-agent', 'not found'],
    isLogged: true,
  }),
  using('an agent that may not be executed', command('./features.json'), {
    exit: 5,
    code: 'agent-not-installed',
    says: ['features.json'],
    isLogged: true,
  }),
  using('an agent that ends at once', command('sh', '-c', 'echo my last words >&2; exit 7'), {
    ...logged,
    code: 'agent-crashed',
    says: ['exit code 7', 'my last words'],
  }),
  using('an agent that prints its usage and ends', raw('garbage-and-exit'), {
    ...logged,
    code: 'agent-malformed',
    says: ['usage: agent [options]'],
  }),
  using('an agent that speaks no protocol', raw('garbage'), {
    ...logged,
    code: 'agent-malformed',
    says: ['this is no protocol'],
  }),
  using('an agent of another protocol', raw('version'), {
    ...logged,
    code: 'agent-malformed',
    says: ['version of the protocol', '2'],
  }),
  using('an agent that ends for a reason nobody knows', raw('odd-stop'), {
    ...logged,
    code: 'agent-malformed',
    says: ['tired'],
  }),
  using('an agent that closes its mouth', raw('closed-output'), {
    ...logged,
    code: 'agent-crashed',
    says: ['closed its output'],
  }),
  using('an agent that refuses', raw('refusal'), { ...logged, exit: 5, code: 'agent-refused', says: ['refused'] }),
  scripted('an agent that crashes at work', turn({ say: 'I begin' }, { crash: { exit: 3, stderr: 'out of memory' } }), {
    ...logged,
    code: 'agent-crashed',
    says: ['exit code 3', 'out of memory'],
  }),
  scripted('an agent that is not logged in', turn({ fail: 'auth' }), {
    ...logged,
    exit: 4,
    code: 'agent-auth',
    says: ['Log in'],
  }),
  scripted('an agent without credit', turn({ fail: 'billing' }), {
    ...logged,
    exit: 4,
    code: 'agent-billing',
    says: ['credit'],
  }),
  scripted('an agent that may ask no more', turn({ fail: { kind: 'rate-limited', retry_after_seconds: 60 } }), {
    ...logged,
    code: 'agent-rate-limited',
    says: ['60'],
  }),
  scripted('an agent whose window is full', turn({ fail: 'context-full' }), {
    ...logged,
    code: 'agent-context-full',
    says: ['window'],
  }),
  scripted('an agent with trouble inside', turn({ fail: { kind: 'internal', message: 'disk is on fire' } }), {
    ...logged,
    code: 'agent-unknown',
    says: ['disk is on fire'],
  }),
  scripted('an agent that says garbage between its messages', turn({ garbage: 'Segmentation fault\n' }, { crash: 1 }), {
    ...logged,
    code: 'agent-crashed',
    says: ['exit code 1'],
  }),
  scripted('an agent that floods', turn({ flood: 3_000_000 }), {
    ...logged,
    code: 'output-limit',
    says: ['max_output_bytes'],
    config: 'session: { max_output_bytes: 100000 }\n',
  }),
  scripted('an agent that answers nothing', turn('hang'), {
    ...logged,
    code: 'agent-timeout',
    says: ['session.idle_seconds'],
    config: 'session: { idle_seconds: 1 }\n',
  }),
  scripted('a rehearsal that is no YAML', 'schema: 1\nsessions: [\n', {
    exit: 2,
    code: 'scenario-invalid',
    at: '{around}/scenario.yaml:3:1',
    says: ['scenario.yaml'],
    isLogged: true,
  }),
  scripted('a rehearsal with an unknown step', 'schema: 1\nsessions:\n  - turns:\n      - - dance: wild\n', {
    exit: 2,
    code: 'scenario-invalid',
    at: '{around}/scenario.yaml:4:11',
    says: ['dance'],
    isLogged: true,
  }),
  scripted(
    'a rehearsal without a fitting session',
    'schema: 1\nsessions:\n  - when: { item: 77 }\n    turns: [[claim]]\n',
    { exit: 2, code: 'scenario-invalid', at: '{around}/scenario.yaml', says: ['no session'], isLogged: true },
  ),
  using('a rehearsal that is not there', '{ provider: scripted, scenario: ../none.yaml }', {
    exit: 2,
    code: 'scenario-invalid',
    at: '{around}/none.yaml',
    says: ['none.yaml'],
    isLogged: true,
  }),
];
