// What a level of the sandbox costs for each command, over the same command at level `none`, in interleaved rounds; and
// what finding the level costs at the start of a run.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBox, type Box } from '../src/host/box.ts';
import { shellLine } from '../src/host/process.ts';
import { LEVELS, type BoxLevel } from '../src/host/sandbox/level.ts';
import { probeLevel } from '../src/host/sandbox/probe.ts';
import { median } from './spans.ts';

export type SandboxCost = {
  readonly level: BoxLevel;
  /** Of canaries, once at the start of a run. */
  readonly probeMs: number;
  /** Of a shell that does nothing, of Node that does nothing; medians, and medians of the ratios to `none`. */
  readonly shellMs: number;
  readonly shellRatio: number;
  readonly nodeMs: number;
  readonly nodeRatio: number;
};

/** Of the levels that this machine holds. */
export async function measureSandbox(rounds: number): Promise<readonly SandboxCost[]> {
  const root = mkdtempSync(join(tmpdir(), 'harness-bench-'));
  const boxes: { level: BoxLevel; box: Box; probeMs: number; shell: number[]; node: number[] }[] = [];
  try {
    for (const level of LEVELS) {
      const from = performance.now();
      const { holds } = await probeLevel(level, root);
      const probeMs = performance.now() - from;
      if (holds) boxes.push({ level, box: await openBox({ root, level }), probeMs, shell: [], node: [] });
    }
    for (let round = -1; round < rounds; round += 1)
      for (const { box, shell, node } of boxes) {
        const [shellMs, nodeMs] = [await time(box, shellLine(':')), await time(box, [process.execPath, '-e', '0'])];
        if (round < 0) continue; // the disk is warm
        shell.push(shellMs);
        node.push(nodeMs);
      }
    const none = boxes.at(-1);
    const ratio = (of: readonly number[], to: readonly number[] = []): number =>
      median(of.map((ms, n) => ms / (to[n] ?? NaN)));
    return boxes.map(({ level, probeMs, shell, node }) => ({
      level,
      probeMs,
      shellMs: median(shell),
      shellRatio: ratio(shell, none?.shell),
      nodeMs: median(node),
      nodeRatio: ratio(node, none?.node),
    }));
  } finally {
    for (const { box } of boxes) await box.close();
    rmSync(root, { recursive: true, force: true });
  }
}

async function time(box: Box, argv: readonly string[]): Promise<number> {
  const from = performance.now();
  const token = `bench-${randomUUID()}`;
  const exit = await box.run({ argv, token, wallMs: 60_000, idleMs: null, keepBytes: 10_000, floodBytes: null });
  if (exit.code !== 0) throw new Error(`ended with ${exit.code}: ${exit.stderr}`);
  return performance.now() - from;
}
