import { describe, expect, test } from 'vitest';
import { closedPath, DEFAULT_RULES, lanePolicy, simpleCommands } from './policy.ts';

const exec = lanePolicy('/lane', 'exec');
const review = lanePolicy('/lane', 'review');
const command = (line: string) => ({ tool: 'execute', paths: [], command: line });
const write = (path: string) => ({ tool: 'edit', paths: [path], command: null });

describe('writing', () => {
  test.each(['a.txt', '/lane/a.txt', 'src/.gitignore', '/lane/src/../b', 'git/x', '..a'])('%s is open', (path) => {
    expect(exec(write(path))).toEqual({ allow: true });
  });
  test.each(['../a', '/etc/passwd', '/lane/../x', '/lanes/a', '..'])('%s is outside the lane', (path) => {
    expect(exec(write(path))).toEqual({ allow: false, why: 'outside-the-lane' });
  });
  test.each(['.git/config', 'sub/.git/hooks/x', '.harness/state.json', '.GIT/config', '.git'])(
    '%s is closed',
    (path) => {
      expect(exec(write(path))).toEqual({ allow: false, why: 'closed-path' });
    },
  );
  test('one closed path among several refuses the call', () => {
    expect(exec({ tool: 'edit', paths: ['a', '../b'], command: null })).toMatchObject({ allow: false });
  });
  test('an unknown tool with a path counts as writing', () => {
    expect(exec({ tool: 'brand-new', paths: ['/etc/x'], command: null })).toMatchObject({ allow: false });
  });
  test('reading elsewhere is no matter of this policy', () => {
    expect(exec({ tool: 'Read', paths: ['/usr/include/stdio.h'], command: null })).toEqual({ allow: true });
  });
});

describe('commands', () => {
  test.each([
    ['sudo apt install x', 'sudo'],
    ['cd x && sudo -n true', 'sudo'],
    ['git push', 'git-push'],
    ['git -C sub push origin main', 'git-push'],
    ['A=1 env git push', 'git-push'],
    ['/usr/bin/git push', 'git-push'],
    ['rm -rf /', 'remove-everything'],
    ['rm -r -f /*', 'remove-everything'],
    ['rm --recursive --force ~', 'remove-everything'],
    ['true; rm -fr "$HOME"', 'remove-everything'],
    ['rm -rf ../other', 'remove-everything'],
    ['rm -rf /usr', 'remove-everything'],
    ['dd if=/dev/zero of=/dev/sda', 'format-disk'],
  ])('%s is refused', (line, name) => {
    expect(exec(command(line))).toEqual({ allow: false, why: `command-refused-${name}` });
  });
  test.each([
    'rm -rf build',
    'rm -rf ./dist /tmp/x',
    'git commit -m "push the button"',
    'npm test',
    'git stash push',
    'echo sudo',
  ])('%s may run', (line) => {
    expect(exec(command(line))).toEqual({ allow: true });
  });
  test('a rule added by configuration is obeyed', () => {
    const rules = { ...DEFAULT_RULES, refused: [...DEFAULT_RULES.refused, { name: 'curl', pattern: '^curl\\b' }] };
    expect(lanePolicy('/lane', 'exec', rules)(command('curl x'))).toEqual({
      allow: false,
      why: 'command-refused-curl',
    });
  });
  test('assignments and wrappers in front do not hide a command', () => {
    expect(simpleCommands('A=1 env B=2 nohup make all && (cd x; ls)')).toEqual(['make all', 'cd x', 'ls']);
  });
});

describe('modes', () => {
  test.each(['git diff HEAD~1', 'git log --oneline | head -5', 'cat a.txt', 'grep -n x src/a.ts'])(
    'a review may run %s',
    (line) => {
      expect(review(command(line))).toEqual({ allow: true });
    },
  );
  test.each([
    'npm test',
    'cat a > b',
    'find . -delete',
    'git diff --output=x',
    'ls $(rm a)',
    'lsof',
    'find . -exec rm {} ;',
  ])('a review may not run %s', (line) => {
    expect(review(command(line))).toMatchObject({ allow: false });
  });
  test('a review writes nothing and reads everything', () => {
    expect(review(write('a'))).toEqual({ allow: false, why: 'mode-only-reads' });
    expect(review({ tool: 'read', paths: ['a'], command: null })).toEqual({ allow: true });
  });
  test('a session without tools gets none', () => {
    expect(lanePolicy('/lane', 'complete')({ tool: 'read', paths: ['a'], command: null })).toMatchObject({
      allow: false,
    });
  });
});

test('the lane itself is inside the lane', () => {
  expect(closedPath('/lane', '/lane')).toBeNull();
});
