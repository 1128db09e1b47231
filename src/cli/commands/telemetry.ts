// `harness telemetry`: sends the trace and metrics of a run that is over. Runs send themselves; this is for those that were killed.
import { telemetry as operation } from '../../app/operations/telemetry.ts';
import { ok } from '../../model/result.ts';
import type { CommandSpec } from '../command.ts';
import { EXIT } from '../exit-codes.ts';

export const telemetry: CommandSpec = {
  name: 'telemetry',
  args: '[run]',
  options: [],
  examples: [
    'harness telemetry',
    'OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 harness telemetry r-20260301080000-1f497d3',
  ],
  async run({ args, caller }) {
    const sent = await operation.run(caller, { run: args[0] ?? 'last' });
    if (!sent.ok) return sent;
    const { answer } = sent.value;
    const { run, spans, sent_to: to, failed } = answer;
    const { text } = caller.catalogue;
    const lines = [
      ...(to.length > 0 ? [text('telemetry.sent', { run, spans, to: to.join(', ') })] : []),
      ...(failed === null ? [] : [text('telemetry.failed', { why: failed })]),
      ...(to.length === 0 && failed === null ? [text('telemetry.off')] : []),
    ];
    return ok({ exit: failed === null ? EXIT.done : EXIT.environment, json: answer, lines });
  },
};
