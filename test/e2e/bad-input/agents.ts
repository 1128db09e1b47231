// Agents that cannot be used, or that answer anything but what the protocol says.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { BadInput } from './case.ts';
import { configWith } from './fixture-project.ts';

const RAW = resolve(import.meta.dirname, '../../fixtures/agents/raw-agent.mjs');
const SCRIPTED = '{ provider: scripted, scenario: ../scenario.yaml }';

type Rest = Pick<BadInput, 'exit' | 'code' | 'at' | 'arrange' | 'result'>;

/** `config`: sections beside the agents. */
const using = (name: string, agent: string, rest: Rest, says: readonly string[], config = ''): BadInput => ({
  name,
  files: { '.harness.yaml': `${configWith(SCRIPTED, agent)}${config}` },
  call: ['run'],
  readers: ['program'],
  isLogged: true,
  says,
  ...rest,
});
const inWords = (bad: BadInput): BadInput => ({ ...bad, readers: ['person', 'program'] });
const acp = (
  name: string,
  command: readonly string[],
  [exit, code]: readonly [number, string],
  ...says: readonly string[]
) => using(name, `{ provider: acp, command: ${JSON.stringify(command)} }`, { exit, code }, says);
/** Speaks the protocol by hand, and badly. */
const raw = (name: string, how: string, [exit, code]: readonly [number, string], ...says: readonly string[]) =>
  acp(name, ['node', RAW, how], [exit, code], ...says);

const scripted = (name: string, scenario: string, rest: Rest, says: readonly string[], config = ''): BadInput =>
  using(
    name,
    SCRIPTED,
    { ...rest, arrange: (stage) => writeFileSync(join(stage.around, 'scenario.yaml'), scenario) },
    says,
    config,
  );
/** Does these steps at every turn. */
const playing = (name: string, steps: readonly unknown[], rest: Rest, says: readonly string[], config = '') =>
  scripted(name, JSON.stringify({ schema: 1, sessions: [{ repeat_last: true, turns: [steps] }] }), rest, says, config);
const rehearsal = (name: string, text: string, place: string, ...says: readonly string[]) =>
  scripted(name, text, { exit: 2, code: 'scenario-invalid', at: `{around}/scenario.yaml${place}` }, says);

/** One that fails before its first answer does not run here: exit 5, and no attempt at the item. */
export const AGENTS: readonly BadInput[] = [
  inWords(
    acp('an agent that is not installed', ['no-such-agent'], [5, 'agent-not-installed'], 'no-such-agent', 'not found'),
  ),
  acp('an agent that may not be executed', ['./features.json'], [5, 'agent-not-installed'], 'is not executable'),
  acp(
    'an agent that ends at once',
    ['sh', '-c', 'echo my last words >&2; exit 7'],
    [5, 'agent-crashed'],
    '(sh)',
    'exit code 7',
    'my last words',
  ),
  raw('an agent that prints its usage and ends', 'garbage-and-exit', [5, 'agent-malformed'], 'usage: agent [options]'),
  raw('an agent that speaks no protocol', 'garbage', [5, 'agent-malformed'], 'this is no protocol'),
  raw('an agent of another protocol', 'version', [5, 'agent-malformed'], 'version of the protocol', 'Found 2'),
  raw('an agent that ends for a reason nobody knows', 'odd-stop', [5, 'agent-malformed'], 'tired'),
  raw('an agent that closes its mouth', 'closed-output', [5, 'agent-crashed'], 'closed its output'),
  raw('an agent that refuses', 'refusal', [5, 'agent-refused'], 'refused', 'Reword the item'),
  inWords(
    playing(
      'an agent that crashes at work',
      [{ say: 'I begin' }, { crash: { exit: 3, stderr: 'out of memory' } }],
      { exit: 9, code: 'agent-crashed' },
      ['exit code 3', 'out of memory', 'scripted'],
    ),
  ),
  playing(
    'an agent that prints what is no message',
    [{ garbage: 'Segmentation fault\n' }, 'crash'],
    { exit: 5, code: 'agent-crashed' },
    ['exit code 1'],
  ),
  inWords(
    playing('an agent that is not logged in', [{ fail: 'auth' }], { exit: 4, code: 'agent-auth' }, [
      'Log in',
      'scripted',
    ]),
  ),
  playing('an agent without credit', [{ fail: 'billing' }], { exit: 4, code: 'agent-billing' }, ['no credit']),
  playing(
    'an agent that may ask no more',
    [{ fail: { kind: 'rate-limited', retry_after_seconds: 7_200 } }],
    { exit: 10, code: 'agent-rate-limited', result: 'partial' },
    [],
  ),
  playing(
    'an agent with trouble inside',
    [{ fail: { kind: 'internal', message: 'disk is on fire' } }],
    { exit: 5, code: 'agent-unknown' },
    ['disk is on fire'],
  ),
  playing(
    'an agent whose window is full',
    [{ fail: 'context-full' }],
    { exit: 0, code: 'context_limit', result: 'partial' },
    [],
  ),
  inWords(
    playing(
      'an agent that answers nothing',
      ['hang'],
      { exit: 0, code: 'timeout', result: 'partial' },
      ['time limit'],
      'session: { idle_seconds: 1 }\n',
    ),
  ),
  inWords(
    playing(
      'an agent that floods',
      [{ flood: 3_000_000 }],
      { exit: 9, code: 'output-limit', result: 'failed' },
      ['produced too much output', 'session.max_output_bytes'],
      'session: { max_output_bytes: 100000 }\n',
    ),
  ),
  inWords(
    rehearsal(
      'a rehearsal with a step nobody knows',
      'schema: 1\nsessions:\n  - turns:\n      - - dance: wild\n',
      ':4:11 sessions[0].turns[0][0]',
      'unknown step "dance"',
    ),
  ),
  rehearsal('a rehearsal that is no YAML', 'schema: 1\nsessions: [\n', ':3:1', 'end with a ]'),
  rehearsal(
    'a rehearsal without a fitting session',
    'schema: 1\nsessions:\n  - when: { item: 77 }\n    turns: [[claim]]\n',
    '',
    'no session',
  ),
  rehearsal(
    'a rehearsal that cannot be played',
    'schema: 1\nsessions:\n  - turns:\n      - - say: I begin\n        - replace: { path: init.sh, find: "no such text", with: x }\n',
    ':5:11 sessions[0].turns[0][1]',
    'not found in init.sh',
  ),
  using(
    'a rehearsal that is not there',
    '{ provider: scripted, scenario: ../none.yaml }',
    { exit: 2, code: 'scenario-invalid', at: '{around}/none.yaml' },
    ['cannot be read'],
  ),
];
