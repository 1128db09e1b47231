// Brings the issues of a repository and the items of its list together: what changed there is asked once, the plans (backlog-plan.ts,
// mirror-plan.ts) say what is to be done, and each act is recorded when it is done. Repeating it does nothing; after a kill the next one does the
// rest. The list itself is changed by messages, as by any command.
import type { Catalogue } from '../../host/catalogue.ts';
import type { Listing } from '../../engine/backlog.ts';
import { duringShortLock } from '../../host/short-lock.ts';
import type { Forge, Issue } from '../../forge/port.ts';
import { failure } from '../../model/failure.ts';
import { err, ok, type Result } from '../../model/result.ts';
import { showFile } from '../../repos/history.ts';
import { openIssues } from '../forge/open.ts';
import { listText, type Target } from '../open/target.ts';
import { takeBacklog } from './take-backlog.ts';
import { linkUp, firstLink, type MirroredItem } from './links.ts';
import { issueNamedIn } from './convention.ts';
import { mirror } from './mirror.ts';
import { readIssues, writeIssues, type IssuesRecord } from './record.ts';
import { lookFrom, readOrNone, type Syncing } from './syncing.ts';

/** `report`: each thing that was done, as it is done. Fails as the forge does, as the list cannot be read, and with `issues-off`. */
export async function syncIssues(
  target: Target,
  { catalogue, signal, report }: { readonly signal: AbortSignal } & Pick<Syncing, 'catalogue' | 'report'>,
): Promise<Result<null>> {
  const done = await duringShortLock(target.privateDir, 'issues', () => sync(target, catalogue, signal, report));
  return done.ok ? done.value : done;
}

async function sync(
  target: Target,
  catalogue: Catalogue,
  signal: AbortSignal,
  report: Syncing['report'],
): Promise<Result<null>> {
  const { config } = target;
  if (!config.github.mirrors && config.backlog !== 'github') return err(failure('issues-off'));
  const text = await newestList(target);
  if (!text.ok) return text;
  const listing = target.backlog.read(text.value, config.paths.backlog, { allowCycles: true });
  if (!listing.ok) return listing;
  const open = await openIssues(target, signal);
  if (!open.ok) return open;
  const { forge, name } = open.value;
  const { labels } = config.github;
  const known = readIssues(target, [name, config.playbook.backlog, ...labels].join(' '));
  const seen = await changedSince(forge, known, labels);
  if (!seen.ok) return seen;
  const items = mirroredItems(listing.value);
  const syncing: Syncing = {
    target,
    forge,
    catalogue,
    text: text.value,
    listing: listing.value,
    items,
    seen: seen.value,
    report,
    record: { ...known, links: { ...linkUp(known.links, seen.value, items, config.playbook.backlog) } },
    save(change) {
      syncing.record = { ...syncing.record, ...change };
      writeIssues(target, syncing.record);
    },
  };
  const adopted = await adopt(syncing);
  if (!adopted.ok) return adopted;
  const waiting = config.backlog === 'github' ? await takeBacklog(syncing) : ok(known.waiting);
  if (!waiting.ok) return waiting;
  // Only now: what was seen is in the list, in the inbox, or noted.
  const newest = seen.value.map(({ updatedAt }) => updatedAt).reduce(later, known.since ?? '');
  syncing.save({ since: newest === '' ? null : newest, waiting: [...waiting.value] });
  return config.github.mirrors ? mirror(syncing) : ok(null);
}

/** As it is committed, where it is: what an agent is writing does not count. */
async function newestList(target: Target): Promise<Result<string>> {
  const { git, config, hasGit } = target;
  // What waits on the branch of a run is not done for others yet.
  const committed = hasGit ? await showFile(git, 'HEAD', config.paths.backlog) : ok(null);
  if (!committed.ok) return committed;
  return committed.value === null ? listText(target) : ok(committed.value);
}

const mirroredItems = ({ items }: Listing): readonly MirroredItem[] =>
  items.map(({ id, title, status }) => ({
    id,
    title,
    stage: status === 'landed' || status === 'unproved' ? 'done' : status === 'skipped' ? 'skipped' : 'open',
  }));

async function changedSince(
  forge: Forge,
  { since, waiting }: IssuesRecord,
  labels: readonly string[],
): Promise<Result<readonly Issue[]>> {
  const from = lookFrom(since);
  const found: Issue[] = [];
  for (let cursor: string | null = null; ;) {
    const page = await forge.issues({ state: 'all', labels, since: from, size: 100, cursor });
    if (!page.ok) return page;
    found.push(...page.value.issues);
    cursor = page.value.next;
    if (cursor === null) break;
  }
  for (const number of waiting.filter((one) => !found.some((issue) => issue.number === one))) {
    const issue = await readOrNone(forge, number);
    if (!issue.ok) return issue;
    if (issue.value !== null && labels.every((label) => issue.value?.labels.includes(label))) found.push(issue.value);
  }
  return ok(found);
}

/** An item that was imported has an issue already, which its title names: it gets the labels, so that later looks show it. */
async function adopt(syncing: Syncing): Promise<Result<null>> {
  const { items, forge, target } = syncing;
  for (const { id, title, stage } of items) {
    const number = issueNamedIn(title);
    if (number === null || stage !== 'open' || Object.hasOwn(syncing.record.links, id)) continue;
    const issue = await readOrNone(forge, number);
    if (!issue.ok) return issue;
    if (issue.value === null) continue;
    const labelled = await forge.label(number, { add: target.config.github.labels, remove: [] });
    if (!labelled.ok) return labelled;
    syncing.save({ links: { ...syncing.record.links, [id]: firstLink(issue.value, false) } });
  }
  return ok(null);
}

const later = (one: string, other: string): string => (Date.parse(other) > Date.parse(one) || one === '' ? other : one);
