// The script for bash is run by bash; those of the other shells are checked by those that this machine has.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { CommandCall } from '../command.ts';
import { COMMANDS } from '../commands.ts';
import { completionOf } from './completion.ts';

const scriptFor = async (shell: string): Promise<string> => {
  const call = { args: [shell], options: {} } as unknown as CommandCall; // it reads nothing else
  const made = await completionOf(COMMANDS).run(call);
  if (!made.ok) throw new Error(made.failure.reason);
  return made.value.lines.join('\n');
};
const completed = (script: string, ...words: readonly string[]): readonly string[] => {
  const list = words.map((word) => `'${word}'`).join(' ');
  const ask = `COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _harness; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return spawnSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' })
    .stdout.trim()
    .split('\n');
};

test('bash completes commands, and the options of the command that is typed', async () => {
  const script = await scriptFor('bash');
  expect(completed(script, 'harness', 're')).toEqual(['release-gate', 'report', 'reject', 'resume', 'retry']);
  expect(completed(script, 'harness', '--json', 'retry', '--a')).toEqual(['--all']);
  expect(completed(script, 'harness', 'run', '--until')).toEqual(['--until-done']);
  expect(completed(script, 'harness', 'daemon', 'st')).toEqual(['start', 'stop', 'status']);
});

test('every shell gets every command; another shell is refused', async () => {
  for (const shell of ['zsh', 'fish']) expect(await scriptFor(shell)).toContain('give attempts back');
  await expect(scriptFor('tcsh')).rejects.toThrow('usage');
});

test.each(['zsh', 'fish'])('%s can read its script, where it is installed', async (shell) => {
  const read = spawnSync(shell, ['-n'], { input: await scriptFor(shell), encoding: 'utf8' });
  expect(read.error ?? read.status === 0, read.stderr).toBeTruthy();
});
