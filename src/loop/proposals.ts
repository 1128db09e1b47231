// Proposals of items: one file for each in `proposed/`, so that no two writers share one. Written when a pull request is opened, and when it was
// looked at; removed when it is merged.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../host/files.ts';
import type { Io } from '../host/io.ts';
import type { ItemId } from '../model/item.ts';
import { proposalSchema, type LandingProposal } from '../model/proposal.ts';
import { fileName } from './token.ts';

type Place = { readonly workspaceDir: string };
const folderOf = ({ workspaceDir }: Place): string => join(workspaceDir, 'proposed');
const fileOf = (place: Place, item: ItemId): string => join(folderOf(place), `${fileName(item)}.json`);

export const keepProposal = (place: Place & { readonly io: Io }, proposal: LandingProposal): void =>
  place.io.replace(fileOf(place, proposal.item), `${JSON.stringify(proposal)}\n`);
export const dropProposal = (place: Place & { readonly io: Io }, item: ItemId): void =>
  place.io.remove(fileOf(place, item));

/** A file that cannot be read proposes nothing: the pull request is found again when the item is. */
function readProposal(file: string): LandingProposal | null {
  const text = readText(file);
  if (!text.ok || text.value === null) return null;
  try {
    return proposalSchema.safeParse(JSON.parse(text.value)).data ?? null;
  } catch {
    return null;
  }
}

export const proposalOf = (place: Place, item: ItemId): LandingProposal | null => readProposal(fileOf(place, item));

export function proposalsIn(place: Place): readonly LandingProposal[] {
  const folder = folderOf(place);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => readProposal(join(folder, name)) ?? []);
}
