// What performers of sessions need of a run, in a folder of its own: sessions, files, a clock that does not move.
import { join } from 'node:path';
import type { Io } from '../../src/host/io.ts';
import type { RunContext } from '../../src/loop/run-context.ts';
import { openSessions } from '../../src/loop/sessions.ts';
import { configOf } from './config.ts';

export const SESSION_CLOCK = { now: () => 0, iso: () => '2026-01-02T03:04:05.678Z' };

export const sessionContext = (root: string, io: Io, more: Partial<RunContext> = {}): RunContext =>
  ({
    sessions: openSessions(root, io),
    io,
    clock: SESSION_CLOCK,
    run: 'r',
    stateDir: join(root, 'state'),
    privateDir: root,
    workspaceDir: root,
    treeDir: root,
    lane: 0,
    config: configOf({}),
    notify: () => undefined,
    ...more,
  }) as unknown as RunContext;
