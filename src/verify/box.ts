// Where checks run: what this room needs of a box. The real one is made of the sandbox ladder in src/host/.
import type { Exit } from '../host/process.ts';

export type Box = {
  /** How closed it is, as shown to people: `bwrap`, `pidns`, `none` … */
  readonly level: string;
  /** Runs a shell line in the work tree, to the end of everything it started. Never rejects. */
  run(ask: {
    readonly command: string;
    /** Added to the environment of the box; these win. */
    readonly env: { readonly [name: string]: string };
    readonly timeoutMs: number;
    /** A folder outside the work tree that the command may write to, at the same path inside and outside. */
    readonly reportDir: string;
    /** A copy of the work tree, absolute, to run in instead; it may be written to. */
    readonly at?: string;
    readonly network: 'none' | 'host';
    /** Of each stream at most this much is handed back, head and tail. */
    readonly keepBytes: number;
    /** A command that prints more than this is ended. */
    readonly floodBytes: number;
  }): Promise<Exit>;
};
