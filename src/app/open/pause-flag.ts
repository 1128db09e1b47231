// Paused or not: one file under the private folder, because it must hold when nothing runs.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Target } from './target.ts';

const flag = (privateDir: string): string => join(privateDir, 'paused.json');

export const isPaused = (target: Pick<Target, 'privateDir'>): boolean => existsSync(flag(target.privateDir));
export const setPaused = (target: Target): void =>
  target.io.replace(flag(target.privateDir), `${JSON.stringify({ since: target.clock.iso() })}\n`);
export const clearPaused = (target: Target): void => target.io.remove(flag(target.privateDir));
