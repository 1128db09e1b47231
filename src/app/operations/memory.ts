// What a machine with a memory remembers, layer by layer: sizes against caps, tricks and whether they are confirmed, what a role has learnt.
import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { z } from 'zod';
import { isBelow } from '../../host/paths.ts';
import { CAPS, sizeOf, type Cap } from '../../memory/caps.ts';
import { hasMemory, type MemoryLayers } from '../../memory/layers.ts';
import { rawFile } from '../../memory/notes.ts';
import { entriesOf } from '../../memory/records.ts';
import { failure } from '../../model/failure.ts';
import { REPAIR_CAUSES } from '../../model/memory.ts';
import { err, ok } from '../../model/result.ts';
import { openTarget } from '../open/target.ts';
import { operation } from './operation.ts';

const list = <S extends z.ZodType>(shape: S) => z.array(shape).readonly();

const layerShape = z.object({
  layer: z.enum(['L1', 'L2', 'L3', 'L4']),
  role: z.string().nullable().describe('null: the memory of all roles'),
  file: z.string().describe('relative to the work tree if it is in it'),
  exists: z.boolean(),
  lines: z.number(),
  tokens: z.number().describe('an estimate, to the high side'),
  most_lines: z.number().nullable().describe('null: no such cap. Of L4: what a prompt carries'),
  most_tokens: z.number().nullable(),
  broken: list(z.enum(REPAIR_CAUSES)).describe('fixed before the next prompt'),
});
const answerShape = z.object({
  playbook: z.string(),
  remembers: z.boolean().describe('false: the sessions of this playbook leave no notes'),
  has_memory: z.boolean().describe('false: no session has left a note here yet'),
  layers: list(layerShape),
  entries: z.number(),
  fresh: z.number().describe('entries that no curation has read'),
  last_curation: z.object({ at: z.string(), session: z.number() }).nullable(),
  tricks: list(
    z.object({
      text: z.string(),
      roles: list(z.string()),
      sessions: list(z.number()),
      confirmed_by: z.number().nullable().describe('the session of a validator'),
      confirmed: z.boolean().describe('named in two sessions, or confirmed by a validator: a curator can promote it'),
    }),
  ),
  identity: z.object({ role: z.string(), text: z.string() }).nullable().describe('null: no role was named'),
});
type Layer = z.output<typeof layerShape>;

export const memory = operation({
  name: 'memory',
  kind: 'read',
  about:
    'What the sessions of a machine remember: sizes of the layers against their caps, the last curation, tricks, and what a role has learnt.',
  command: 'memory',
  input: z.object({ role: z.string().optional().describe('its identity is in the answer') }),
  output: answerShape,
  async run(asker, { role }) {
    const target = await openTarget(asker);
    if (!target.ok) return target;
    const { memory: layers, machine, root } = target.value;
    if (role !== undefined && !machine.roles.includes(role))
      return err(
        failure('usage', {
          what: `the playbook ${machine.name} has no role '${role}'; it has ${machine.roles.join(', ')}`,
          hint: 'harness memory --help',
        }),
      );
    const freshness = layers.freshness();
    if (!freshness.ok) return freshness;
    const tricks = layers.tricks();
    if (!tricks.ok) return tricks;
    const records = layers.records();
    if (!records.ok) return records;
    const entries = entriesOf(records.value);
    const { fresh, last } = freshness.value;
    const identities = machine.roles.map((one) => identityOf(layers, one));
    const answer = {
      playbook: machine.name,
      remembers: machine.remembers === true,
      has_memory: hasMemory(layers) || identities.some(({ exists }) => exists),
      layers: [
        ...sharedLayers(layers, entries.length === 0 ? '' : rawFile(entries)),
        ...identities.filter((one) => one.exists || one.role === role),
      ].map((one) => ({
        ...one,
        file: isBelow(one.file, root) ? relative(root, one.file) : one.file,
      })),
      entries: entries.length,
      fresh,
      last_curation: last === null ? null : { at: last.at, session: last.session },
      tricks: tricks.value.map(({ text, roles, sessions, confirmedBy, isConfirmed }) => ({
        text,
        roles,
        sessions,
        confirmed_by: confirmedBy,
        confirmed: isConfirmed,
      })),
      identity: role === undefined ? null : { role, text: layers.identities.read(role).text.trimEnd() },
    };
    return ok({ answer, detail: answer });
  },
});

const NO_CAP = { lines: null, tokens: null } as const;

function layerOf(
  layer: Layer['layer'],
  file: string,
  { text, cap, broken, role }: { text: string; cap: Cap | typeof NO_CAP; broken: Layer['broken']; role?: string },
): Layer {
  const { lines, tokens } = sizeOf(text);
  const most = { most_lines: cap.lines, most_tokens: cap.tokens };
  return { layer, role: role ?? null, file, exists: existsSync(file), lines, tokens, ...most, broken };
}

/** `raw`: the session state as it is, whatever its copy is now. */
function sharedLayers(layers: MemoryLayers, raw: string): readonly Layer[] {
  const { files } = layers;
  const curated = layers.inspect();
  const causes = (file: string): Layer['broken'] =>
    curated.repairs.flatMap((one) => (one.file === file ? [one.why] : []));
  return [
    layerOf('L1', files.raw, { text: raw, cap: NO_CAP, broken: [] }),
    layerOf('L2', files.summary, { text: curated.summary, cap: CAPS.summary, broken: causes(files.summary) }),
    layerOf('L3', files.memory, { text: curated.memory, cap: CAPS.memory, broken: causes(files.memory) }),
  ];
}

function identityOf({ identities }: MemoryLayers, role: string): Layer {
  const { text, repairs } = identities.read(role);
  const broken = repairs.map(({ why }) => why);
  return layerOf('L4', identities.fileOf(role), { text, cap: CAPS.identity, broken, role });
}
