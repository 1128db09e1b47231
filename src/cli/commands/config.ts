// `harness config`: shows the configuration in effect, checks it, or prints its JSON Schema.
import { reportConfig, type ConfigReport } from '../../app/look/config-report.ts';
import { ok } from '../../model/result.ts';
import type { Caller, CommandSpec } from '../command.ts';
import { exitOf } from '../exit-codes.ts';
import { blindOf } from '../notices.ts';
import { parseSubcommand } from '../subcommand.ts';

export const config: CommandSpec = {
  name: 'config',
  args: '[show|check|schema]',
  options: [],
  examples: ['harness config show', 'harness config check', 'harness config schema > harness.schema.json'],
  async run({ args, caller }) {
    const part = parseSubcommand('config', args, { show: [], check: [], schema: [] }, null);
    if (!part.ok) return part;
    if (part.value.name === 'schema') {
      const { configJsonSchema } = await import('../../app/config/describe.ts');
      const schema = configJsonSchema();
      return ok({ exit: 0, json: { json_schema: schema }, lines: [JSON.stringify(schema, null, 2)] });
    }
    const report = await reportConfig(caller);
    if (!report.ok) return report;
    const { source, config: settings, inert, inferred, needed, blind } = report.value;
    const notes = {
      source,
      inferred: inferred.map((one) => ({ ...one })),
      inert,
      blind: blind.map((one) => ({ ...one })),
    };
    const missing = needed.map((one) => ({ code: one.reason, message: caller.catalogue.failure(one).title }));
    if (part.value.name === 'show')
      return ok({
        exit: 0,
        json: { ...notes, config: settings, needed: missing },
        lines: await shown(report.value, caller),
      });
    const [first] = needed;
    return ok({
      exit: first === undefined ? 0 : exitOf(first),
      json: { ...notes, valid: true, ready: first === undefined, needed: missing },
      lines: checked(report.value, caller),
    });
  },
};

/** The configuration as YAML, with notes as comments. */
async function shown(report: ConfigReport, caller: Caller): Promise<readonly string[]> {
  const { stringify } = await import('yaml');
  const { text } = caller.catalogue;
  const from = report.source === null ? text('config.defaults') : text('config.from', { file: report.source });
  const notes = [from, ...notesOf(report, caller)].map((line) => caller.tint('dim', `# ${line}`));
  return [...notes, stringify(report.config, { lineWidth: 0 }).trimEnd()];
}

function checked(report: ConfigReport, caller: Caller): readonly string[] {
  const { text, failure } = caller.catalogue;
  const valid =
    report.source === null
      ? text('config.valid-none')
      : caller.tint('green', text('config.valid', { file: report.source }));
  const needed = report.needed.flatMap((one) => {
    const { title, at, fix } = failure(one);
    return [`  ${at === null ? '' : `${at}: `}${title}`, ...fix.map((step) => `    → ${step}`)];
  });
  return [
    valid,
    ...notesOf(report, caller),
    ...(needed.length === 0 ? [] : [caller.tint('red', text('config.not-ready')), ...needed]),
  ];
}

function notesOf({ inferred, inert, blind }: ConfigReport, caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  return [
    ...inferred.map(({ key, value, from }) => text('notice.inferred', { key, value, from })),
    ...(inert.length === 0 ? [] : [text('notice.inert', { keys: inert.join(', ') })]),
    ...blind.map((one) => text('notice.blind', blindOf(one))),
  ];
}
