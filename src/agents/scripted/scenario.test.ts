import { describe, expect, test } from 'vitest';
import { fill, findSession, readContext } from './match.ts';
import { parseScenario, readScenario } from './scenario.ts';

const parse = (text: string) => parseScenario('s.yaml', text);
const mistakes = (text: string): string[] => {
  const read = parse(text);
  return read.ok
    ? []
    : (read.failure.causes ?? []).map(
        ({ at, params }) => `${at?.line}:${at?.column} ${at?.key ?? ''} ${params['problem']}`,
      );
};
const valid = (text: string) => {
  const read = parse(text);
  if (!read.ok) throw new Error(JSON.stringify(read.failure));
  return read.value;
};

describe('reading', () => {
  test('short forms mean the same as long ones, and steps have their positions', () => {
    const { sessions } = valid(`schema: 1
sessions:
  - turns:
      - - run: npm test
        - claim
        - claim: 7
        - pause: 0.5
        - crash
`);
    expect(sessions[0]?.turns[0]).toMatchObject([
      { step: 'run', with: { command: 'npm test', via: 'disk', ask: false, background: false } },
      { step: 'claim', with: { file: 'features.json' } },
      { step: 'claim', with: { id: 7 } },
      { step: 'pause', with: { seconds: 0.5 }, at: { line: 7, key: 'sessions[0].turns[0][3]' } },
      { step: 'crash', with: { exit: 1 } },
    ]);
  });
  test('JSON is read as well as YAML', () => {
    expect(valid('{"schema":1,"sessions":[{"turns":[[{"say":"hi"}]]}]}').sessions).toHaveLength(1);
  });
  test('permission has two continuations', () => {
    const { sessions } = valid(`schema: 1
sessions: [{ turns: [[{ ask_permission: { command: ls, allowed: [{ say: yes we can }], denied: [claim] } }]] }]`);
    expect(sessions[0]?.turns[0]?.[0]).toMatchObject({ allowed: [{ step: 'say' }], denied: [{ step: 'claim' }] });
  });
});

describe('mistakes', () => {
  test('each is reported with its line, column and key', () => {
    const found = mistakes(`schema: 1
sessions:
  - turns:
      - - sey: hello
        - write: { path: a.txt }
        - run: { comand: ls }
        - pause: -1
        - { say: a, think: b }
`);
    expect(found).toHaveLength(6);
    expect(found[0]).toMatch(/^4:11 sessions\[0\]\.turns\[0\]\[0\] unknown step "sey", known are say, /);
    expect(found[1]).toBe('5:18 sessions[0].turns[0][1].write needs either text or from');
    expect(found[2]).toMatch(/^6:/);
    expect(found.at(-1)).toBe('8:11 sessions[0].turns[0][4] a step is one name with its value');
  });
  test.each([
    ['a misspelt condition', 'schema: 1\nsessions: [{ when: { rol: x }, turns: [[]] }]', /^2:/],
    ['another schema', 'schema: 2\nsessions: [{ turns: [[]] }]', /^1:9 schema /],
    ['no sessions', 'schema: 1\nsessions: []', /^2:11 sessions /],
    ['broken YAML', 'schema: 1\nsessions: [', /^2:/],
    ['an empty file', '', /^1:1 /],
    [
      'a mistake inside a continuation',
      'schema: 1\nsessions: [{ turns: [[{ ask_permission: { denied: [nope] } }]] }]',
      /denied\[0\] unknown/,
    ],
  ])('%s', (_, text, problem) => {
    expect(mistakes(text)[0]).toMatch(problem);
  });
  test('a missing file is named', () => {
    expect(readScenario('/no/such/file.yaml')).toMatchObject({
      failure: { reason: 'scenario-invalid', at: { file: '/no/such/file.yaml' } },
    });
  });
});

describe('matching', () => {
  const scenario = valid(`schema: 1
sessions:
  - when: { role: coding, item: 12, attempt: 2+ }
    turns: [[{ say: again }]]
  - when: { role: [coding, continuation], item: [12, task-003] }
    turns: [[{ say: first }]]
  - when: { role: initializer }
    turns: [[{ say: init }]]
`);
  const at = (context: Record<string, string>) => {
    const session = findSession(scenario, context);
    return session === null ? null : scenario.sessions.indexOf(session);
  };
  test.each([
    [{ ROLE: 'coding', ITEM: '12', ATTEMPT: '1' }, 1],
    [{ ROLE: 'coding', ITEM: '12', ATTEMPT: '3' }, 0],
    [{ ROLE: 'continuation', FEATURE_ID: '12' }, 1],
    [{ ROLE: 'coding', ITEM: 'task-003' }, 1],
    [{ ROLE: 'initializer' }, 2],
    [{ ROLE: 'cleanup' }, null],
    [{}, null],
  ])('%o is session %s', (context, index) => {
    expect(at(context)).toBe(index);
  });
  test('the last Runtime context block counts', () => {
    const prompt =
      '## Runtime context\nROLE=old\n\nmore\n\n## Runtime context\n\nROLE=coding\nTITLE=a=b c\nnot a pair\nITEM=7\n';
    expect(readContext(prompt)).toEqual({ ROLE: 'coding', TITLE: 'a=b c', ITEM: '7' });
    expect(readContext('ROLE=coding')).toEqual({});
  });
  test('only known keys are replaced', () => {
    expect(fill({ a: ['{{ITEM}}-{{NOPE}}', '{{ item }}', 3] }, { ITEM: '7' })).toEqual({
      a: ['7-{{NOPE}}', '{{ item }}', 3],
    });
  });
});
