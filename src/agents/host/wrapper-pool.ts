// Wrapper processes that serve one session after another: to load one takes 140 ms of processor time. Only those are used again whose session
// ended as it should.
import { holdProcess } from '../../host/hold-process.ts';
import { startWrapper, wrapperVariables, type WrapperProcess, type WrapperProcessOptions } from './wrapper-process.ts';

type Asked = Pick<WrapperProcessOptions, 'entry' | 'env' | 'provider'>;
export type WrapperPool = {
  /** One that waits for a session of this provider, or a new one. */
  take(options: Asked): WrapperProcess;
  /** Ends those that wait; resolves when they have exited. */
  end(): Promise<void>;
};

/** One that waits longer is ended: it holds memory, and a next session so much later does not notice the start of another. */
const REST_MS = 60_000;
/** What an adapter leaves behind in its process does not add up for ever. */
const MOST_SESSIONS = 50;

/** `place`: the folder they run in, and their token, by which they are found after a crash. */
export function openWrapperPool(place: Pick<WrapperProcessOptions, 'folder' | 'token'>): WrapperPool {
  const waiting = new Map<WrapperProcess, { readonly key: string; readonly rest: NodeJS.Timeout }>();
  const leave = (one: WrapperProcess): void => {
    clearTimeout(waiting.get(one)?.rest);
    waiting.delete(one);
  };
  const start = (options: Asked, key: string): WrapperProcess => {
    let sessions = 1;
    const started = startWrapper({ ...options, ...place });
    const wrapper: WrapperProcess = {
      ...started,
      release() {
        if (sessions === MOST_SESSIONS) return wrapper.dismiss();
        sessions += 1;
        wrapper.listen(() => undefined);
        holdProcess(wrapper.child, false);
        const rest = setTimeout(() => {
          leave(wrapper);
          wrapper.dismiss();
        }, REST_MS);
        rest.unref();
        waiting.set(wrapper, { key, rest });
      },
    };
    void wrapper.ended.then(() => leave(wrapper));
    return wrapper;
  };
  return {
    take(options) {
      const key = JSON.stringify([options.entry, options.provider, wrapperVariables(options.env)]);
      const [found] = [...waiting].findLast(([, one]) => one.key === key) ?? [];
      if (found === undefined) return start(options, key);
      leave(found);
      holdProcess(found.child, true);
      return found;
    },
    async end() {
      const ending = [...waiting.keys()];
      for (const one of ending) {
        leave(one);
        holdProcess(one.child, true);
        one.group.signal('SIGKILL'); // it has started nothing
      }
      await Promise.all(ending.map((one) => one.ended));
    },
  };
}
