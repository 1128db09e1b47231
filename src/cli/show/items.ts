// The screens of `items`: one line per item, or the details of one.
import type { ItemDetail, ItemList } from '../../app/backlog/items.ts';
import type { Apart } from '../../model/expected-files.ts';
import type { Item, ItemStatus } from '../../model/item.ts';
import type { Caller, Style } from '../command.ts';
import { shown } from './status.ts';
import { columns, oneLine, pairs, short } from './table.ts';
import { findPlaybook } from '../../playbooks/registry.ts';

const COLOURS: Partial<Record<ItemStatus, Style>> = {
  landed: 'green',
  unproved: 'yellow',
  active: 'bold',
  waiting: 'yellow',
  failed: 'red',
  blocked: 'red',
  pending: 'dim',
  skipped: 'dim',
};

export function showItems({ items, apart, isSetUp }: ItemList, playbook: string, caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  if (!isSetUp || items.length === 0) return [text(findPlaybook(playbook)?.oneTask?.noneText ?? 'items.none')];
  const rows = items.map((item) => {
    const waits = apart.find((one) => one.item === item.id);
    const later = waits === undefined ? '' : `  ${caller.tint('dim', `(${apartText(waits, caller)})`)}`;
    return [nameOf(item.id), text(`status.${item.status}`), `${withBlockers(item, caller)}${later}`];
  });
  return columns(rows, (cell, row, column) => {
    const colour = column === 1 ? COLOURS[items[row]?.status ?? 'ready'] : undefined;
    return colour === undefined ? cell : caller.tint(colour, cell);
  });
}

const apartText = ({ after, file }: Apart, { catalogue }: Caller): string =>
  catalogue.text('items.apart', { after: nameOf(after), file: short(file, 60) });

const nameOf = (id: string): string => `#${oneLine(id)}`;

function withBlockers({ title, blockedBy, attempts, maxAttempts }: Item, caller: Caller): string {
  const tried =
    maxAttempts === undefined || attempts === 0 ? '' : `  ${caller.tint('dim', `(${attempts}/${maxAttempts})`)}`;
  if (blockedBy.length === 0) return `${short(title)}${tried}`;
  const items = blockedBy.slice(0, 5).map(nameOf).join(', ') + (blockedBy.length > 5 ? ', …' : '');
  return `${short(title)}${tried}  ${caller.tint('dim', `(${caller.catalogue.text('items.waits', { items })})`)}`;
}

export function showDetail(detail: ItemDetail, caller: Caller): readonly string[] {
  const { text, outcome } = caller.catalogue;
  const { item, dependsOn, neededBy, steps, sessions, gates } = detail;
  const waits = item.blockedBy.map(nameOf).join(', ');
  const rows: [string, string | readonly string[]][] = [
    [
      text('item.status'),
      `${text(`status.${item.status}`)}${waits === '' ? '' : `: ${text('items.waits', { items: waits })}`}`,
    ],
  ];
  if (item.priority !== null) rows.push([text('item.priority'), String(item.priority)]);
  if (detail.testFile !== null) rows.push([text('item.test'), oneLine(detail.testFile)]);
  if (dependsOn.length > 0)
    rows.push([text('item.needs'), dependsOn.map((d) => `${nameOf(d.id)} ${text(`status.${d.status}`)}`).join(', ')]);
  if (neededBy.length > 0) rows.push([text('item.needed'), neededBy.map(nameOf).join(', ')]);
  if (steps.length > 0) rows.push([text('item.steps'), steps.map((step) => `- ${oneLine(step)}`)]);
  const decided = decisionsOf(detail, caller);
  if (decided.length > 0) rows.push([text('item.decided'), decided]);
  if (sessions.length > 0)
    rows.push([
      text('item.sessions'),
      sessions.flatMap(({ session, result, reason, commit, evidence }) => {
        const why = outcome(reason === '' ? result : reason);
        const head = text(`result.${shown(result)}`, { item: nameOf(item.id), reason: why });
        return [
          `${text('item.session', { session })}: ${head}`,
          ...(commit === null || result !== 'landed'
            ? []
            : [`  ${text('run.commit', { commit: commit.slice(0, 10) })}`]),
          ...(evidence === null ? [] : [`  ${text('run.evidence', { evidence })}`]),
        ];
      }),
    ]);
  if (detail.usd !== null && detail.usd > 0)
    rows.push([text('item.cost'), text('cost.usd', { usd: detail.usd.toFixed(2) })]);
  if (gates.length > 0) rows.push([text('item.gates'), gates.map((gate) => `${gate}   → harness gates show ${gate}`)]);
  return [caller.tint('bold', `${nameOf(item.id)} ${oneLine(item.title)}`), ...pairs(rows).map((line) => `  ${line}`)];
}

function decisionsOf({ skipped, override, failing }: ItemDetail, caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  return [
    ...(skipped ? [text('item.skipped', { reason: skipped.reason })] : []),
    ...(override
      ? [text('item.overridden', { passes: String(override.passes), by: override.by, reason: override.reason })]
      : []),
    ...(failing ? [text('item.failing', { reason: failing.reason })] : []),
  ];
}
