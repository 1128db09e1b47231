// `harness version`: the versions of program and state, and whether they are compatible.
import { readVersions, type Versions } from '../../app/look/versions.ts';
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
    const status = project === null ? null : statusOf(project);
    const fits = status === null || ['none', 'fits', 'newer-accepted'].includes(status);
    const state = project && {
      root: project.root,
      schema: project.schema,
      written_by: project.writtenBy,
      fit: project.fit,
    };
    return ok({
      exit: fits ? EXIT.done : EXIT.schema,
      json: { harness, node, state_schema: stateSchema, project: state, status, compatible: fits },
      lines: showVersions(read.value, caller),
    });
  },
};

type Project = NonNullable<Versions['project']>;
type Status = 'none' | 'fits' | 'migration-needed' | 'migration-unfinished' | 'newer' | 'newer-accepted';

function statusOf({ fit, isMigrating, onNewerState }: Project): Status {
  if (isMigrating) return 'migration-unfinished';
  if (fit === 'same') return 'fits';
  if (fit === 'older') return 'migration-needed';
  return fit === 'newer' && onNewerState === 'warn' ? 'newer-accepted' : fit;
}

function showVersions({ harness, node, stateSchema, project }: Versions, caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  const own = [text('version.own', { harness, node }), text('version.state', { schema: stateSchema })];
  if (project === null) return own;
  const { schema, writtenBy, onOlderState } = project;
  const status = statusOf(project);
  if (status === 'none') return [...own, text('version.none')];
  const key = status === 'migration-needed' && onOlderState === 'abort' ? 'migration-needed-by-hand' : status;
  const line = text(`version.status-${key}`, { schema: schema ?? '', wanted: stateSchema });
  const here = text('version.project', { schema: schema ?? '', writer: writtenBy ?? '' });
  return [...own, here, status === 'fits' ? line : caller.tint('yellow', line)];
}
