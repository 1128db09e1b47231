// The probe of actions that can be repeated: reading, checking, and idempotent effects.
import type { Evidence } from '../../engine/types.ts';

export const repeatable = (): Promise<Evidence<never>> => Promise.resolve({ found: 'nothing' });
