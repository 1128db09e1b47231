// A command that no runner is known for: its exit code is all there is.
import type { TestRunner } from '../runner.ts';

export const command = { name: 'command' } satisfies TestRunner;
