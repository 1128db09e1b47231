// A child that answers one question after the other: started at the first, ended where it has not been asked for a while and with this
// process, whose end closes its input. It never keeps this process alive. The caller has another way where it gives no answer.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { Buffer } from 'node:buffer';
import { holdProcess } from './hold-process.ts';
import type { ProcessCommand } from './process.ts';
import { processGroup } from './process-tree.ts';

/** What has been printed since the question: the answer, or how many bytes there must be before it is worth another look. */
export type Reading<T> = { readonly answer: T } | { readonly needs: number };

export type AnsweringProcess = {
  /** Questions wait for each other. null: it could not be started, has ended, took too long or printed too much. */
  ask<T>(question: string, read: (printed: Buffer) => Reading<T>): Promise<T | null>;
  /** Resolves when it has ended, after the questions so far. A later question starts another. */
  end(): Promise<void>;
};

export type AnsweringCommand = Pick<ProcessCommand, 'argv' | 'cwd' | 'env' | 'token' | 'wallMs' | 'keepBytes'> & {
  /** Ends it where it was not asked for this long. */
  readonly restMs: number;
};

const GRACE_MS = 2_000;

export function answeringProcess(command: AnsweringCommand): AnsweringProcess {
  let child: ChildProcessWithoutNullStreams | null = null;
  let rest: NodeJS.Timeout | undefined;
  let before: Promise<unknown> = Promise.resolve();

  const start = (): ChildProcessWithoutNullStreams | null => {
    const started = startChild(command);
    started?.once('exit', () => {
      if (child === started) child = null;
    });
    return started;
  };
  const leave = (): void => {
    clearTimeout(rest);
    child?.stdin.end(); // it ends by itself
    child = null;
  };
  const one = async <T>(question: string, read: (printed: Buffer) => Reading<T>): Promise<T | null> => {
    clearTimeout(rest);
    child ??= start();
    if (child === null) return null;
    const asked = child;
    holdProcess(asked, true);
    const answer = await answerOf(asked, command, question, read);
    holdProcess(asked, false);
    if (answer === null) {
      processGroup(asked).signal('SIGKILL');
      if (child === asked) child = null;
      return null;
    }
    rest = setTimeout(leave, command.restMs);
    rest.unref();
    return answer.answer;
  };
  return {
    ask(question, read) {
      const answer = before.then(() => one(question, read));
      before = answer;
      return answer;
    },
    end() {
      const ended = before.then(() => {
        const last = child;
        leave();
        return last === null ? undefined : exitOf(last);
      });
      before = ended;
      return ended;
    },
  };
}

/** It ends at the end of its input; one that does not is killed. */
function exitOf(child: ChildProcessWithoutNullStreams): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  holdProcess(child, true);
  return new Promise((resolve) => {
    const kill = setTimeout(() => processGroup(child).signal('SIGKILL'), GRACE_MS);
    child.once('exit', () => {
      clearTimeout(kill);
      holdProcess(child, false);
      resolve();
    });
  });
}

function startChild({ argv, cwd, env, token }: AnsweringCommand): ChildProcessWithoutNullStreams | null {
  const [program = '', ...args] = argv;
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(program, args, {
      cwd,
      env: { ...env, HARNESS_TOKEN: token },
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  } catch {
    return null;
  }
  child.on('error', () => undefined); // a failed start: there is no pid
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
  child.stderr.resume();
  holdProcess(child, false);
  return child.pid === undefined ? null : child;
}

function answerOf<T>(
  child: ChildProcessWithoutNullStreams,
  { wallMs, keepBytes }: AnsweringCommand,
  question: string,
  read: (printed: Buffer) => Reading<T>,
): Promise<{ readonly answer: T } | null> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let bytes = 0;
    let needs = 1;
    const end = (answer: { readonly answer: T } | null): void => {
      clearTimeout(wall);
      child.stdout.off('data', take);
      child.off('close', failed);
      resolve(answer);
    };
    const failed = (): void => end(null);
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > keepBytes) return failed();
      if (bytes < needs) return;
      const printed = Buffer.concat(chunks);
      const reading = read(printed);
      if ('answer' in reading) return end(reading);
      chunks = [printed];
      ({ needs } = reading);
    };
    const wall = setTimeout(failed, wallMs);
    child.stdout.on('data', take);
    child.once('close', failed);
    if (child.exitCode !== null || child.signalCode !== null) return failed();
    child.stdin.write(question);
  });
}
