// `harness init`: from a spec with an agent, or an empty frame to fill by hand.
import { initByHand, initFromSpec, type InitReport } from '../../app/init.ts';
import { openTarget } from '../../app/target.ts';
import type { Json } from '../../model/json.ts';
import { ok } from '../../model/result.ts';
import { textOf, type Answer, type Caller, type CommandSpec } from '../command.ts';
import { EXIT, exitOf } from '../exit-codes.ts';
import { sayInert } from '../notices.ts';
import { narrator } from '../show/narrator.ts';

export const init: CommandSpec = {
  name: 'init',
  args: '',
  options: [
    { flags: '--spec <file>', about: 'what to build: an agent turns it into features, scripts and failing test stubs' },
  ],
  examples: ['harness init --spec docs/requirements.md', 'harness init'],
  async run(call) {
    const { caller } = call;
    const target = await openTarget(caller);
    if (!target.ok) return target;
    const spec = textOf(call, 'spec');
    if (spec === null) {
      const made = await initByHand(target.value, narrator(caller));
      return made.ok ? ok(answerOf(made.value, caller)) : made;
    }
    sayInert(target.value, caller);
    const stop = new AbortController();
    const release = caller.onInterrupt(
      () => stop.abort(),
      () => stop.abort(),
    );
    const made = await initFromSpec(target.value, spec, caller.cwd, stop.signal, narrator(caller));
    release();
    return made.ok ? ok(answerOf(made.value, caller)) : made;
  },
};

function answerOf(report: InitReport, caller: Caller): Answer {
  const { text, problem, outcome } = caller.catalogue;
  const json = {
    commit: report.commit,
    made: report.made,
    reason: report.reason,
    problems: report.problems as unknown as Json,
  };
  if (report.commit !== null) {
    const lines = [
      ...report.made.map((path) => `  ${path}`),
      text('init.commit', { commit: report.commit.slice(0, 10) }),
      text('init.ready'),
    ];
    return {
      exit: EXIT.done,
      json: { ...json, result: 'landed' },
      lines: [text('init.made', { count: report.made.length }), ...lines],
    };
  }
  if (report.failure)
    return {
      exit: exitOf(report.failure),
      json: { ...json, result: 'blocked' },
      lines: [text('init.undone')],
      failure: report.failure,
    };
  const found = report.problems.flatMap((p) =>
    problem(p)
      .split('\n')
      .map((line) => `  ${line}`),
  );
  return {
    exit: EXIT.verification,
    json: { ...json, result: 'rejected' },
    lines: [text('init.rejected', { reason: outcome(report.reason) }), ...found, text('init.undone')],
  };
}
