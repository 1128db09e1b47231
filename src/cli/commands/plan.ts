// `harness plan [SPEC]`: plans from a specification.
import { planAnswer } from '../../app/operations/plan.ts';
import { planFrom, type MadePlan } from '../../app/setup/plan.ts';
import { openTarget } from '../../app/open/target.ts';
import { printable } from '../../host/formatter.ts';
import { ok } from '../../model/result.ts';
import { stoppable, type Caller, type CommandSpec } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { showNotices } from '../notices.ts';
import { narrator } from '../show/narrator.ts';
import { answerOf } from './init.ts';

export const plan: CommandSpec = {
  name: 'plan',
  args: '[spec]',
  options: [],
  examples: ['harness plan', 'harness plan docs/spec/shop.md'],
  async run({ args: [spec = null], caller }) {
    const target = await openTarget(caller);
    if (!target.ok) return target;
    showNotices(target.value, caller);
    const about = { spec, cwd: caller.cwd };
    const done = await stoppable(caller, (signal) => planFrom(target.value, about, signal, narrator(caller)));
    if (!done.ok) return done;
    const { report, plans } = done.value;
    const answer = planAnswer(done.value);
    if (answer === null) {
      const refused = answerOf(report, [], caller, '', 'plan.rejected');
      return ok(report.reason === 'stopped' ? { ...refused, exit: EXIT.interrupted } : refused);
    }
    const { text } = caller.catalogue;
    const { forge } = target.value.config;
    const branch = forge.kind === 'none' ? '' : forge.baseBranch;
    return ok({
      exit: EXIT.done,
      json: { ...answer, result: 'landed' },
      lines: [
        text('plan.made', { count: plans.length }),
        ...plans.map((one) => lineOf(one, caller)),
        text('plan.commit', { commit: answer.commit.slice(0, 10), branch }),
        text('plan.next'),
      ],
    });
  },
};

const lineOf = ({ id, title, dependsOn, testFile }: MadePlan, { catalogue: { text } }: Caller): string =>
  text('plan.line', {
    id,
    title: printable(title),
    depends: dependsOn.join(', '),
    test: printable(testFile ?? ''),
  });
