// Wrapper processes that serve one session after another: to load one takes more processor time than all else that the harness does for a
// session with this process. Only those are used again whose session ended as it should.
import { holdProcess } from '../../host/answering-process.ts';
import { startWrapper, wrapperVariables, type WrapperProcess, type WrapperProcessOptions } from './wrapper-process.ts';

export type WrapperPool = {
  /** One that waits for a session of this provider, or a new one. */
  take(options: Pick<WrapperProcessOptions, 'entry' | 'env' | 'provider'>): WrapperProcess;
  /** Ends those that wait; resolves when they have exited. */
  end(): Promise<void>;
};

/** One that waits longer is ended: it holds memory, and a next session so much later does not notice the start of another. */
const REST_MS = 60_000;
/** What an adapter leaves behind in its process does not add up for ever. */
const MOST_SESSIONS = 50;

type Waiting = { readonly key: string; readonly wrapper: WrapperProcess; readonly rest: NodeJS.Timeout };

/** `place`: the folder they run in, and their token, by which they are found after a crash. */
export function openWrapperPool(place: Pick<WrapperProcessOptions, 'folder' | 'token'>): WrapperPool {
  let waiting: readonly Waiting[] = [];
  const leave = (one: WrapperProcess): void => {
    for (const { wrapper, rest } of waiting) if (wrapper === one) clearTimeout(rest);
    waiting = waiting.filter(({ wrapper }) => wrapper !== one);
  };
  const start = (options: Pick<WrapperProcessOptions, 'entry' | 'env' | 'provider'>, key: string): WrapperProcess => {
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
        waiting = [...waiting, { key, wrapper, rest }];
      },
    };
    void wrapper.ended.then(() => leave(wrapper));
    return wrapper;
  };
  return {
    take(options) {
      const key = JSON.stringify([options.entry, options.provider, wrapperVariables(options.env)]);
      const found = waiting.findLast((one) => one.key === key)?.wrapper;
      if (found === undefined) return start(options, key);
      leave(found);
      holdProcess(found.child, true);
      return found;
    },
    async end() {
      const ending = waiting.map(({ wrapper }) => wrapper);
      for (const one of ending) {
        leave(one);
        holdProcess(one.child, true);
        one.group.signal('SIGKILL'); // it has started nothing
      }
      await Promise.all(ending.map((one) => one.ended));
    },
  };
}
