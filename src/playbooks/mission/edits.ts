// The harness's own changes to the list and the contract of a mission, as whole texts.
import { z } from 'zod';
import { defineEdit, type ReadContext } from '../../engine/definitions.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { addFeature, grantCheckpoint, landFeature, nextId } from './change.ts';
import { readContract } from './contract.ts';
import { CONTRACT, DRAFT } from './paths.ts';
import { readMission, type MissionFile } from './schema.ts';

type Read = { readonly text: string; readonly mission: MissionFile };

async function missionIn({ view, config }: ReadContext): Promise<Result<Read>> {
  const file = config.paths.backlog;
  const text = await view.read(file);
  if (text === null) return err(failure('backlog-missing', { file }, { at: { file } }));
  const read = readMission(text, file, { allowCycles: true });
  return read.ok ? ok({ text, mission: read.value }) : read;
}

/** The feature landed in its session number `attempts`. */
export const accept = defineEdit({
  id: 'mission.accept',
  input: z.object({ item: z.string(), attempts: z.number() }),
  async texts(context, { item, attempts }) {
    const read = await missionIn(context);
    if (!read.ok) return read;
    return ok({ [context.config.paths.backlog]: landFeature(read.value.text, item, attempts) });
  },
});

/** List and contract as the user has them: for a commit of both. */
export const ownFiles = defineEdit({
  id: 'mission.own-files',
  input: z.object({}),
  async texts(context) {
    const { backlog } = context.config.paths;
    const [list, contract] = [await context.view.read(backlog), await context.view.read(CONTRACT)];
    return ok({
      ...(list === null ? {} : { [backlog]: list }),
      ...(contract === null ? {} : { [CONTRACT]: contract }),
    });
  },
});

export const grant = defineEdit({
  id: 'mission.grant',
  input: z.object({ name: z.string(), by: z.string(), at: z.string() }),
  async texts(context, granted) {
    const read = await missionIn(context);
    if (!read.ok) return read;
    return ok({ [context.config.paths.backlog]: grantCheckpoint(read.value.text, read.value.mission, granted) });
  },
});

/** What a review found becomes features, each with an assertion that says what it must make true. */
export const convertIssues = defineEdit({
  id: 'mission.convert',
  input: z.object({
    item: z.string(),
    fixes: z.array(z.object({ title: z.string(), why: z.string(), path: z.string() })).readonly(),
  }),
  async texts(context, { item, fixes }) {
    const read = await missionIn(context);
    if (!read.ok) return read;
    const { mission } = read.value;
    const parent = mission.features.find(({ id }) => id === item);
    let list = read.value.text;
    let contract = (await context.view.read(CONTRACT)) ?? '# Validation contract\n';
    for (const { title, why, path } of fixes) {
      const now = readMission(list, '', { allowCycles: true });
      if (!now.ok || now.value.features.some((feature) => feature.title === title && feature.fixes === item)) continue;
      const id = nextId(now.value.features, 'F-FIX-');
      const claim = nextClaim(contract);
      contract = withAssertion(contract, claim, `${title}.${why === '' ? '' : ` ${why}`}`);
      list = addFeature(list, {
        id,
        title,
        claims: [claim],
        status: 'pending',
        attempts: 0,
        depends_on: [item],
        ...(parent?.test_file ? { test_file: parent.test_file } : {}),
        ...(path === '' ? {} : { notes: `Found in ${path}.` }),
        fixes: item,
      });
    }
    return ok({ [context.config.paths.backlog]: list, [CONTRACT]: contract });
  },
});

const AREA = 'VAL-FIX-';

function nextClaim(contract: string): string {
  const numbers = readContract(contract).assertions.flatMap(({ id }) =>
    id.startsWith(AREA) ? [Number(id.slice(AREA.length))] : [],
  );
  return `${AREA}${String(Math.max(0, ...numbers) + 1).padStart(3, '0')}`;
}

function withAssertion(contract: string, id: string, text: string): string {
  const heading = '## FIX';
  const line = `- ${id}: ${text.replace(/\s+/g, ' ').trim()}\n`;
  const base = contract.endsWith('\n') ? contract : `${contract}\n`;
  return base.includes(`\n${heading}\n`) ? `${base}${line}` : `${base}\n${heading}\n\n${line}`;
}

/** An architect's draft of the contract takes its place. */
export const takeContract = defineEdit({
  id: 'mission.contract',
  input: z.object({}),
  async texts({ view }) {
    const text = await view.read(DRAFT.contract);
    return text === null ? err(failure('backlog-missing', { file: DRAFT.contract })) : ok({ [CONTRACT]: text });
  },
});
