// The loop's machine over its own journal and file: by a run, or by a command that brings what is under way to an end.
import { join } from 'node:path';
import { drive, type DriveEnd } from '../engine/driver.ts';
import type { LoopState } from '../loop/positions.ts';
import type { MessageQueue } from '../engine/message-queue.ts';
import type { RunContext } from '../loop/run-context.ts';
import { loopMachine } from '../loop/machine.ts';
import { emptyLoop } from '../loop/run-file.ts';
import { performersOf } from '../loop/performers/all.ts';
import type { RunMode } from '../model/run.ts';
import { tokenBase } from './life.ts';
import { backlogPathOf } from './next.ts';
import type { Target } from './target.ts';

export const driveLoop = (
  target: Target,
  lane: RunContext,
  mode: RunMode,
  { run, messages, signal }: { readonly run: string; readonly messages: MessageQueue; readonly signal: AbortSignal },
): Promise<DriveEnd<LoopState>> =>
  drive(loopMachine(mode, { path: backlogPathOf(target), machine: target.machine }), () => emptyLoop(run), {
    io: target.io,
    clock: target.clock,
    performers: performersOf(lane, messages),
    journal: join(target.privateDir, 'loop.jsonl'),
    file: join(target.privateDir, 'loop.json'),
    base: `${tokenBase(target)}${run}`,
    messages,
    signal,
    limit: 1,
  });
