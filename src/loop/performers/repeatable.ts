// The probe of actions that may simply be done again: reading, checking, and effects that recognise themselves by token.
import type { Evidence } from '../../engine/types.ts';

export const repeatable = (): Promise<Evidence<never>> => Promise.resolve({ found: 'nothing' });
