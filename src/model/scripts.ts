// The scripts of a repository that start its environment.
import type { Config } from './config.ts';

/** The first word of each command that starts or resets the environment, repository-relative. */
export const startScripts = ({ init, reset }: Pick<Config['environment'], 'init' | 'reset'>): readonly string[] =>
  [init, reset].flatMap((command) => (command === null ? [] : [(command.split(/\s/)[0] ?? '').replace(/^\.\//, '')]));
