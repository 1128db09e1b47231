// One line for each thing that a sync of issues did, or that became of a pull request.
import { printable } from '../../host/formatter.ts';
import type { HarnessEvent } from '../../model/event.ts';
import type { Caller } from '../command.ts';

const ISSUE_ACTS = [
  'create',
  'close',
  'explain',
  'reopen',
  'report',
  'skip',
  'add',
  'retitle',
  'wait',
  'refuse',
] as const;

/** null: of an act that this version does not know. */
export function issueLine(
  data: NonNullable<HarnessEvent['data']>,
  item: string,
  { catalogue: { text }, paint }: Pick<Caller, 'catalogue' | 'paint'>,
): string | null {
  const act = ISSUE_ACTS.find((one) => one === data['do']);
  if (act === undefined) return null;
  const words = printable(typeof data['words'] === 'string' ? data['words'] : '');
  const line = text(`issues.${act}`, {
    number: Number(data['number']),
    item,
    url: words,
    title: words,
    on: words,
    words,
  });
  return act === 'report' || act === 'refuse' || act === 'wait' ? paint('yellow', line) : line;
}

const ENDS = ['open', 'red', 'hidden', 'closed', 'merged', 'unproved'] as const;

/** null: of a state that this version does not know. */
export function proposalLine(
  data: NonNullable<HarnessEvent['data']>,
  item: string,
  { catalogue: { text }, paint }: Pick<Caller, 'catalogue' | 'paint'>,
): string | null {
  const state = ENDS.find((one) => one === data['state']);
  if (state === undefined) return null;
  const word = (name: string): string => printable(typeof data[name] === 'string' ? data[name] : '');
  const about = { number: Number(data['number']), item, url: word('url'), checks: word('checks') };
  const line = text(`proposal.${state}`, { ...about, count: Number(data['count']) });
  return state === 'merged' ? paint('green', line) : paint('yellow', line);
}
