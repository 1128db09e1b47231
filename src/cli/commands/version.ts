// `harness version`: the program, its state, the project's state, and whether they fit.
import { readVersions, type Versions } from '../../app/versions.ts';
import { ok } from '../../model/result.ts';
import type { Caller, CommandSpec } from '../command.ts';
import { EXIT } from '../exit-codes.ts';

export const version: CommandSpec = {
  name: 'version',
  args: '',
  options: [],
  examples: ['harness version', 'harness --version'],
  async run({ caller }) {
    const read = await readVersions(caller);
    if (!read.ok) return read;
    const { harness, node, stateSchema, project } = read.value;
    const fits = project === null || project.fit === 'same' || project.fit === 'none';
    const state = project && {
      root: project.root,
      schema: project.schema,
      written_by: project.writtenBy,
      fit: project.fit,
    };
    return ok({
      exit: fits ? EXIT.done : EXIT.schema,
      json: { harness, node, state_schema: stateSchema, project: state, compatible: fits },
      lines: showVersions(read.value, caller),
    });
  },
};

function showVersions({ harness, node, stateSchema, project }: Versions, caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  const own = [text('version.own', { harness, node }), text('version.state', { schema: stateSchema })];
  if (project === null) return own;
  const params = { schema: project.schema ?? '', writer: project.writtenBy ?? '' };
  const line = text(`version.${project.fit}`, params);
  return [...own, project.fit === 'newer' || project.fit === 'older' ? caller.tint('yellow', line) : line];
}
