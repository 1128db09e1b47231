// What is known of the issues of the items, in the private folder, so that a look asks only for what changed. It can be rebuilt from the forge.
import { join } from 'node:path';
import { z } from 'zod';
import { readText } from '../../host/files.ts';
import { linkSchema } from './links.ts';
import type { Target } from '../open/target.ts';

const recordSchema = z.object({
  schema: z.literal(1),
  /** The forge, the labels and the list that it is about: of others it says nothing. */
  about: z.string(),
  /** The newest change that was seen, by the clock of the forge. */
  since: z.string().nullable(),
  links: z.record(z.string(), linkSchema),
  /** Issues that are looked at again: they wait for others, or cannot become an item yet. */
  waiting: z.array(z.number()),
});
export type IssuesRecord = z.output<typeof recordSchema>;

type Place = Pick<Target, 'workspaceDir' | 'io'>;
const fileOf = ({ workspaceDir }: Pick<Place, 'workspaceDir'>): string => join(workspaceDir, 'issues.json');

/** Empty where there is none, it cannot be read, or it is about something else. */
export function readIssues(place: Place, about: string): IssuesRecord {
  const none: IssuesRecord = { schema: 1, about, since: null, links: {}, waiting: [] };
  const text = readText(fileOf(place));
  if (!text.ok || text.value === null) return none;
  try {
    const record = recordSchema.parse(JSON.parse(text.value));
    return record.about === about ? record : none;
  } catch {
    return none;
  }
}

export const writeIssues = (place: Place, record: IssuesRecord): void =>
  place.io.replace(fileOf(place), `${JSON.stringify(record)}\n`);
