// Performs the plan of the mirror on a forge. Each act is idempotent there: an issue is found by its key, a comment by its own.
import type { Issue } from '../../forge/port.ts';
import { ok, type Result } from '../../model/result.ts';
import { flagEdit } from '../../engine/list-edits.ts';
import { post } from '../list/inbox.ts';
import { firstLink, issueKey } from './links.ts';
import { afterAct, mirrorPlan, type MirrorAct } from './mirror-plan.ts';
import { lookFrom, type Syncing } from './syncing.ts';
import { doneBody, issueBody, reopenedBody } from './text.ts';

export async function mirror(syncing: Syncing): Promise<Result<null>> {
  const { target, items, report } = syncing;
  const { createMissingIssues, closeOnVerify } = target.config.github;
  const closedIsSkipped = target.config.backlog === 'github';
  const plan = mirrorPlan(items, syncing.record.links, { createMissingIssues, closeOnVerify, closedIsSkipped });
  for (const act of plan) {
    if (act.do === 'create') {
      const created = await create(syncing, act.item);
      if (!created.ok) return created;
      continue;
    }
    const link = syncing.record.links[act.item];
    if (link === undefined) continue;
    const done = await perform(syncing, act, link.at);
    if (!done.ok) return done;
    const at = done.value?.updatedAt ?? link.at;
    syncing.save({ links: { ...syncing.record.links, [act.item]: afterAct(link, act, at) } });
    if (act.do !== 'unsettle') report({ do: act.do, number: act.number, item: act.item, words: link.url });
  }
  return ok(null);
}

async function create(syncing: Syncing, item: string): Promise<Result<null>> {
  const { target, forge, catalogue, listing, report } = syncing;
  const { playbook, github } = target.config;
  const subject = listing.subject(item);
  if (subject === null) return ok(null);
  const dependsOn = listing.items.find(({ id }) => id === item)?.dependsOn ?? [];
  const named = dependsOn.map((id) => {
    const link = syncing.record.links[id];
    return link === undefined ? id : `#${link.number}`;
  });
  const created = await forge.createIssue({
    key: issueKey(playbook.backlog, item),
    since: lookFrom(syncing.record.since),
    title: target.redact(subject.title),
    body: target.redact(issueBody(subject, named, catalogue)),
    labels: github.labels,
  });
  if (!created.ok) return created;
  const { issue } = created.value;
  syncing.save({ links: { ...syncing.record.links, [item]: firstLink(issue, false) } });
  report({ do: 'create', number: issue.number, item, words: issue.url });
  return ok(null);
}

type Act = Exclude<MirrorAct, { readonly do: 'create' }>;

/** The issue as it is then; null: nothing of it changed. `at`: when it was changed before. */
async function perform(syncing: Syncing, act: Act, at: string): Promise<Result<Issue | null>> {
  const { target, forge, listing, catalogue } = syncing;
  const { item, number } = act;
  const subject = listing.subject(item);
  if (subject === null) return ok(null);
  const say = async (body: string, key: string): Promise<Result<unknown>> =>
    forge.comment(number, { body: target.redact(body), key });
  switch (act.do) {
    case 'close': {
      const said = await say(await doneBody(target, subject, catalogue), `landed ${item}`);
      return said.ok ? forge.setIssueState(number, 'closed') : said;
    }
    case 'explain': {
      const events = await forge.issueEvents(number);
      if (!events.ok) return events;
      const last = events.value.findLast(({ what }) => what === 'reopened')?.at ?? '';
      const body = reopenedBody(await doneBody(target, subject, catalogue), item, catalogue);
      const said = await say(body, `reopened ${item} ${last}`);
      return said.ok ? ok(null) : said;
    }
    case 'reopen': {
      const said = await say(catalogue.text('issue.broken', { item }), `broken ${item} ${at}`);
      return said.ok ? forge.setIssueState(number, 'open') : said;
    }
    case 'skip': {
      const { workspaceDir, io, clock, config } = target;
      const reason = catalogue.text('issue.closed-by-person', { number });
      const change = { type: 'skipped', reason, unblock: false, at: clock.iso() } as const;
      const edit = flagEdit(config.paths.backlog, item, change);
      post(workspaceDir, io, clock.now(), {
        type: 'change',
        item,
        subject: `chore(harness): #${item} is skipped`,
        edit,
      });
      return ok(null);
    }
    case 'report':
    case 'unsettle':
      return ok(null);
  }
}
