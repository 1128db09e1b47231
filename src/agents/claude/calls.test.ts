import { describe, expect, test } from 'vitest';
import { toolCall } from './calls.ts';

const paths = (tool: string, input: object) => toolCall(tool, input, '/lane').paths;

describe('what a tool call touches', () => {
  test('only the tool that runs commands has a command', () => {
    expect(toolCall('Bash', { command: 'ls' }, '/lane')).toEqual({ tool: 'Bash', paths: [], command: 'ls' });
    expect(toolCall('Write', { command: 'ls', file_path: 'a' }, '/lane').command).toBeNull();
  });

  test('a file is absolute, also one outside the lane', () => {
    expect(paths('Write', { file_path: '/lane/a.ts' })).toEqual(['/lane/a.ts']);
    expect(paths('Edit', { file_path: '../other/a.ts' })).toEqual(['/other/a.ts']);
  });

  test('a search without a folder touches the lane', () => {
    expect(paths('Grep', { pattern: 'x' })).toEqual(['/lane']);
    expect(paths('Glob', { pattern: '**/*.ts' })).toEqual(['/lane']);
    expect(paths('Glob', { pattern: '{src/a,test}/**/*.{ts,tsx}' })).toEqual(['/lane']);
    expect(paths('Glob', { pattern: '**/*.ts', path: 'src' })).toEqual(['/lane/src']);
  });

  test.each([
    ['/etc/*', '/etc'],
    ['/*', '/'],
    ['/etc/passwd', '/etc/passwd'],
    ['../*', '/'],
    ['../../*.key', '/'],
    ['a/*/../../../*', '/'],
    ['**/../*', '/'],
    ['{src,/etc}/*', '/'],
    ['{a/b,c}/../../*', '/'],
    ['{..,src}/*', '/'],
    ['a/../../lane-two/*', '/lane-two'],
  ])('a pattern %s that leaves its folder says where it leads', (pattern, root) => {
    expect(paths('Glob', { pattern })).toContain(root);
  });

  test('input of another form touches no known path', () => {
    expect(toolCall('Write', null, '/lane')).toEqual({ tool: 'Write', paths: [], command: null });
    expect(paths('Write', { file_path: 7 })).toEqual([]);
  });
});
