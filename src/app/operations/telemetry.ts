// Sending what a run did to a receiver of OpenTelemetry. Runs send themselves at their end; this sends one again, or one that was killed.
import { z } from 'zod';
import { wholeEnvironment } from '../../host/environment.ts';
import { locked, lockOwner } from '../../host/lock.ts';
import { failure } from '../../model/failure.ts';
import { err, ok } from '../../model/result.ts';
import { eventsFrom, loggedRuns } from '../look/run-events.ts';
import { openTarget } from '../open/target.ts';
import { sendTrace } from '../telemetry/send.ts';
import { telemetrySettings } from '../telemetry/settings.ts';
import { traceOf } from '../telemetry/spans.ts';
import { operation } from './operation.ts';

export const telemetry = operation({
  name: 'telemetry',
  kind: 'write',
  about: 'Sends the trace and the metrics of a run that is over to the configured receiver of OpenTelemetry.',
  command: 'telemetry',
  input: z.object({ run: z.string().default('last').describe('its name; `last`: the newest') }),
  output: z.object({
    run: z.string(),
    spans: z.number(),
    sent_to: z.array(z.string()).readonly().describe('empty: no receiver is configured'),
    failed: z.string().nullable().describe('why a receiver did not take it'),
  }),
  async run(asker, { run: name }) {
    const target = await openTarget(asker);
    if (!target.ok) return target;
    const { workspaceDir, config } = target.value;
    const logged = loggedRuns(workspaceDir).filter((one) => one.startsWith('r-'));
    const run = name === 'last' ? (logged.at(-1) ?? '') : name;
    const trace = traceOf(eventsFrom(workspaceDir, run, 0).events);
    if (trace === null) return err(failure('run-unknown', { run: name, known: logged.slice(-5).join(', ') }));
    const owner = lockOwner(workspaceDir);
    if (owner?.run === run) return err(locked(owner));
    const settings = telemetrySettings(wholeEnvironment(), config.telemetry.endpoint);
    const { to, failed } = await sendTrace(trace, settings, config.project.name);
    return ok({ answer: { run, spans: trace.spans.length, sent_to: to, failed }, detail: null });
  },
});
