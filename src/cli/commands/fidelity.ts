// `harness fidelity`: one session that compares the product with its specification and changes nothing.
import { readText } from '../../host/files.ts';
import { join } from 'node:path';
import { openTarget, type Target } from '../../app/open/target.ts';
import { readDrift, type Drift } from '../../app/look/drift.ts';
import { printable } from '../../host/formatter.ts';
import { failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import type { Caller, CommandSpec } from '../command.ts';
import { drive } from './run.ts';

export const fidelity: CommandSpec = {
  name: 'fidelity',
  args: '',
  options: [],
  examples: ['harness fidelity', 'harness fidelity --json | jq .score'],
  async run({ caller }) {
    const target = await openTarget(caller);
    if (!target.ok) return target;
    const { name, tick } = target.value.playbook;
    if (tick === undefined)
      return err(
        failure('usage', { what: `the playbook ${name} compares nothing with a specification`, hint: 'harness run' }),
      );
    const before = textOf(target.value);
    const mode = { work: true, only: tick.fidelity, untilDone: false, maxSessions: null, maxItems: null };
    const driven = await drive(target.value, mode, 'harness fidelity', caller);
    if (!driven.ok) return driven;
    const after = textOf(target.value);
    const drift = after === before ? null : readDrift(after);
    if (drift === null) return driven;
    const { json } = driven.value;
    const shown = {
      score: drift.score,
      threshold: drift.threshold,
      drifted: drift.score > drift.threshold,
      findings: drift.findings,
    };
    return ok({
      ...driven.value,
      json: json && { ...json, ...shown },
      lines: [...linesOf(drift, caller), ...driven.value.lines],
    });
  },
};

function textOf({ stateDir }: Target): string | null {
  const text = readText(join(stateDir, 'fidelity.json'));
  return text.ok ? text.value : null;
}

function linesOf({ spec, score, threshold, findings }: Drift, { catalogue: { text } }: Caller): readonly string[] {
  return [
    text('fidelity.score', { spec: printable(spec), score, threshold }),
    ...findings.flatMap(({ claim, path, quote }) => [
      `  ${printable(claim)}${path === '' ? '' : ` (${printable(path)})`}`,
      ...(quote === '' ? [] : [`    ${printable(quote)}`]),
    ]),
  ];
}
