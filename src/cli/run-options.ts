// Options of `harness run` that belong to playbooks: on the command line, and as the machine reads them. Several playbooks may have one of the same
// name, with values of their own.
import type { Target } from '../app/open/target.ts';
import type { PlaybookManifest, RunOption } from '../engine/manifest.ts';
import { failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { PLAYBOOKS } from '../playbooks/registry.ts';
import type { CommandCall, CommandSpec } from './command.ts';

type OfPlaybook = { readonly playbook: PlaybookManifest; readonly option: RunOption };
/** The playbooks' own options, by name: several may have one of the same name. */
const RUN_OPTIONS: ReadonlyMap<string, readonly OfPlaybook[]> = Map.groupBy(
  PLAYBOOKS.flatMap((playbook) => (playbook.runOptions ?? []).map((option): OfPlaybook => ({ playbook, option }))),
  ({ option }) => option.name,
);

export function runOptionFlags(): CommandSpec['options'] {
  return [...RUN_OPTIONS].map(([name, all]) => {
    const isSwitch = all.every(({ option }) => option.values.length === 0);
    return {
      flags: isSwitch ? `--${name}` : `--${name} <${name}>`,
      about: all.map(({ option }) => option.about).join('; '),
    };
  });
}

/** Applies the playbooks' own options. Fails with `usage` for an unknown value, or an option of another playbook. */
export function withRunOptions(target: Target, call: CommandCall, isOfOneItem: boolean): Result<Target> {
  const runOptions: { [name: string]: string } = {};
  for (const [name, all] of RUN_OPTIONS) {
    const written = call.options[name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
    if (written === undefined || written === false) continue;
    const refused = (what: string, hint: string) => err(failure('usage', { what, hint }));
    const option = all.find(({ playbook }) => playbook === target.playbook)?.option;
    if (option === undefined) {
      const names = all.map(({ playbook }) => playbook.name).join(' and ');
      return refused(`--${name} is for the playbook ${names}`, 'harness run');
    }
    const { values, ofOneItem = [] } = option;
    const value = values.length === 0 ? 'yes' : String(written);
    if (values.length > 0 && !values.includes(value))
      return refused(`--${name} must be one of ${values.join(', ')}`, `harness run --${name} ${values[0] ?? ''}`);
    if (ofOneItem.includes(value) && !isOfOneItem)
      return refused(
        `--${name} ${value} is for one item, which has to be named`,
        `harness run ITEM --${name} ${value}`,
      );
    runOptions[name] = value;
  }
  return ok({ ...target, config: { ...target.config, runOptions } });
}
