// Test strength: copies of the trees in question, each with a box of its own, and what was proved in them.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ActionOf, Performer } from '../../engine/types.ts';
import type { Box } from '../../host/box.ts';
import { shellLine } from '../../host/process.ts';
import type { Actions, StrengthOutcome } from '../../model/action.ts';
import { ok, type Result } from '../../model/result.ts';
import { copiesFolder, copyTree, writeInCopy, type Over } from '../../repos/copies.ts';
import { ignoredEntries } from '../../repos/installed.ts';
import { pathsBetween, showFiles } from '../../repos/history.ts';
import { readBaseline } from '../../verify/baseline.ts';
import type { CheckSandbox } from '../../verify/run-once.ts';
import type { Copy } from '../../verify/strength/lab.ts';
import { proveStrength } from '../../verify/strength/prove.ts';
import { changedSinceLanding } from '../installed.ts';
import type { RunEvents, RunHost, RunRepository } from '../run-context.ts';
import { baselineFiles } from '../records/baseline.ts';
import { fileName } from '../token.ts';
import { repeatable } from './repeatable.ts';

export const strengths = (
  context: RunRepository & RunHost & RunEvents,
): Performer<ActionOf<Actions, 'strength'>, StrengthOutcome> => ({
  async perform({ kind: _kind, key: _key, ...ask }, { token, signal }) {
    const baseline = readBaseline(baselineFiles(context).kept);
    if (!baseline.ok) return { blocked: baseline.failure };
    const changed = await pathsBetween(context.git, ask.since, ask.tree);
    if (!changed.ok) return { blocked: changed.failure };
    context.notify({
      type: 'proving',
      level: 'routine',
      session: ask.session,
      data: { item: ask.item, files: changed.value.length },
    });
    const ignored = await ignoredEntries(context.git);
    if (!ignored.ok) return { blocked: ignored.failure };
    const folder = copiesFolder(context.root);
    try {
      const proved = await proveStrength(ask, {
        io: context.io,
        clock: context.clock,
        root: context.root,
        scratch: join(context.workspaceDir, 'scratch'),
        evidence: join(context.privateDir, 'evidence', fileName(token)),
        redact: context.redact,
        baseline: baseline.value,
        changed: changed.value,
        installed: changedSinceLanding(context, ignored.value, baseline.value),
        read: (asked) => showFiles(context.git, asked),
        copy: (tree, over) => openCopy(context, folder, { tree, over, ignored: ignored.value, token, signal }),
      });
      if (!proved.ok) return { blocked: proved.failure };
      const { problems, doubts, warnings, proofs } = proved.value;
      context.notify({
        type: 'proved',
        level: 'important',
        session: ask.session,
        data: {
          proofs: proofs.map(({ proof, came, ms }) => ({ proof, came, ms })),
          problems: problems.map((p) => p.code),
          doubts: doubts.map((p) => p.code),
          warnings: warnings.map((p) => p.code),
        },
      });
      return proved.value;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  probe: repeatable,
});

type Asked = {
  readonly tree: string;
  readonly over: Over | null;
  readonly ignored: readonly string[];
  readonly token: string;
  readonly signal: AbortSignal;
};

async function openCopy(
  context: RunRepository & RunHost,
  folder: string,
  { token, signal, ...from }: Asked,
): Promise<Result<Copy>> {
  const made = await copyTree(context.git, from, folder);
  if (!made.ok) return made;
  const root = made.value;
  const box = await context.openBoxAt(root);
  return ok({
    root,
    box: inCopy(context, box, { root, token, signal }),
    write: (path, text) => writeInCopy(root, path, text),
    close: () => box.close(),
  });
}

/** Compiled Python is matched by size and second: a copy whose files change within one must not keep any. */
const COPY_ENV = { PYTHONDONTWRITEBYTECODE: '1' };

const inCopy = (
  context: RunHost,
  box: Box,
  how: { readonly root: string; readonly token: string; readonly signal: AbortSignal },
): CheckSandbox => ({
  level: box.level,
  run: ({ command, env, timeoutMs, reportDir, network, keepBytes, floodBytes }) =>
    context.io.effect('check', () =>
      box.run({
        argv: shellLine(command),
        env: { ...COPY_ENV, ...modulesOf(how.root), ...env },
        token: how.token,
        signal: how.signal,
        wallMs: timeoutMs,
        idleMs: null,
        keepBytes,
        floodBytes,
        writable: [reportDir],
        network: network === 'host',
      }),
    ),
});

/** A project installed in place leads Python to the work tree: the copy comes first. */
function modulesOf(root: string): { readonly [name: string]: string } {
  const marks = ['pyproject.toml', 'setup.py', 'setup.cfg'].some((name) => existsSync(join(root, name)));
  if (!marks) return {};
  return { PYTHONPATH: [join(root, 'src'), root].filter((path) => existsSync(path)).join(':') };
}
