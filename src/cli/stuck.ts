// Node ends a process as soon as nothing is left that it waits for, with code 0, whatever promise is still open. A run that ended so in its
// middle would look as if it were done.
import { Bug } from '../model/bug.ts';

/** Rejects when this process would end that way. Never keeps it alive. Race it with the work: afterwards it has no effect. */
export function stuck(process: Pick<NodeJS.Process, 'once'>): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  process.once('beforeExit', () => reject(new Bug('nothing is left to wait for, and the work is not done')));
  promise.catch(() => undefined); // where the work ended first
  return promise;
}
