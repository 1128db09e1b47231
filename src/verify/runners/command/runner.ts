// A command without a known runner: only its exit code counts.
import type { TestRunner } from '../runner.ts';

export const command = { name: 'command' } satisfies TestRunner;
