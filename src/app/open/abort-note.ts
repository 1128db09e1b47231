// An abort that was begun and not ended: nothing works here until it is.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from './target.ts';

export const abortNote = (privateDir: string): string => join(privateDir, 'abort.json');
export const isAbortUnfinished = ({ privateDir }: Pick<Target, 'privateDir'>): boolean =>
  existsSync(abortNote(privateDir));
