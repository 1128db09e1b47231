// Changes features.json by the smallest edit of its text: indentation, key order, unknown fields and line ends survive.
import type { ItemChange } from '../../engine/playbook.ts';
import { Bug, unreachable } from '../../model/bug.ts';
import type { ItemId } from '../../model/item.ts';
import type { Json } from '../../model/json.ts';
import { elements, memberOf, members, skipSpace, type Member, type Span } from '../../model/json-text.ts';
import type { Feature } from './schema.ts';

type Patch = { readonly [field: string]: Json | undefined };

/** The change as fields to set; undefined removes one. `last_updated` moves only with a landing. */
function patchOf(change: ItemChange): Patch {
  switch (change.type) {
    case 'landed':
      return { passes: true, failing: undefined, skipped: undefined, override: undefined };
    case 'failing':
      return { passes: false, failing: { reason: change.why } };
    case 'skipped':
      return {
        skipped: {
          reason: change.reason,
          ...(change.at === undefined ? {} : { at: change.at }),
          unblock: change.unblock,
        },
      };
    case 'overridden': {
      const { passes, reason, by, at } = change;
      const cleared = passes ? { failing: undefined, skipped: undefined } : {};
      return { passes, ...cleared, override: { passes, reason, by, at } };
    }
    case 'size-accepted':
      return { size_accepted: true };
    default:
      return unreachable(change);
  }
}

/**
 * The text with one feature changed. Doing it twice is doing it once.
 * The text must be a features.json that `readFeatures` accepts and hold the id: anything else is a Bug.
 */
export function changeFeatures(text: string, id: ItemId, change: ItemChange): string {
  const changed = patchFeature(text, id, patchOf(change));
  if (change.type !== 'landed' || change.at === undefined) return changed;
  const root = skipSpace(changed, 0);
  return memberOf(changed, root, 'last_updated') === null
    ? changed
    : setField(changed, root, 'last_updated', change.at);
}

/** The claim alone: `passes` of one feature, nothing else. */
export const flipPasses = (text: string, id: ItemId): string => patchFeature(text, id, { passes: true });

function patchFeature(text: string, id: ItemId, patch: Patch): string {
  const span = featureSpan(text, id);
  let item = text.slice(span.start, span.end);
  for (const [field, value] of Object.entries(patch)) {
    item = value === undefined ? removeField(item, field) : setField(item, 0, field, value);
  }
  return text.slice(0, span.start) + item + text.slice(span.end);
}

function featureSpan(text: string, id: ItemId): Span {
  const { features } = JSON.parse(text) as { readonly features: readonly { readonly id: number }[] };
  let place = features.findIndex((f) => String(f.id) === id);
  const list = memberOf(text, skipSpace(text, 0), 'features');
  if (place >= 0 && list !== null) for (const span of elements(text, list.value.start)) if (place-- === 0) return span;
  throw new Bug(`no feature ${id} in this text`);
}

/** Sets a member of the object at `from`: its value where it stands, or a new member after the last, laid out alike. */
function setField(text: string, from: number, key: string, value: Json): string {
  const own = memberOf(text, from, key);
  const last = own ?? [...members(text, from)].at(-1);
  if (last === undefined) throw new Bug('an object without members has no layout to follow');
  const colon = text.slice(last.keySpan.end, last.value.start);
  const rendered = oneLine(value, colon.endsWith(':') ? '' : ' ');
  if (own !== null) {
    const old = text.slice(own.value.start, own.value.end);
    if (isSame(JSON.parse(old) as Json, value)) return text;
    return text.slice(0, own.value.start) + rendered + text.slice(own.value.end);
  }
  const lead = leadOf(text, last.keySpan.start);
  const added = `,${lead}${JSON.stringify(key)}${colon}${rendered}`;
  return text.slice(0, last.value.end) + added + text.slice(last.value.end);
}

/** Every member of this name goes, with its comma and the space before it. */
function removeField(item: string, key: string): string {
  const all: Member[] = [...members(item, 0)];
  if (all.every((m) => m.key !== key)) return item;
  const kept = all.filter((m) => m.key !== key);
  const [first, ...rest] = kept;
  if (first === undefined) throw new Bug('the last member of a feature is never removed');
  let text = item.slice(0, all[0]?.keySpan.start) + item.slice(first.keySpan.start, first.value.end);
  for (const m of rest) {
    const before = all[all.indexOf(m) - 1];
    text += item.slice(before?.value.end, m.value.end);
  }
  return text + item.slice(all.at(-1)?.value.end);
}

/** The white space that stands before an offset. */
function leadOf(text: string, at: number): string {
  let start = at;
  while (start > 0 && ' \t\r\n'.includes(text.charAt(start - 1))) start--;
  return text.slice(start, at);
}

/** A value on one line, in the file's own spacing. Values are flat or one level deep: no recursion worth the name. */
function oneLine(value: Json, space: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((v: Json) => oneLine(v, space)).join(`,${space}`)}]`;
  const inner = Object.entries(value)
    .filter(([, v]) => v !== undefined)
    .map(([k, v]) => `${JSON.stringify(k)}:${space}${oneLine(v, space)}`);
  return `{${space}${inner.join(`,${space}`)}${space}}`;
}

const isSame = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The lowest id that no feature has. */
export function nextId(features: readonly Feature[]): number {
  let highest = 0;
  for (const f of features) highest = Math.max(highest, f.id);
  return highest + 1;
}

/** The text with one more feature at the end of the list, laid out like its neighbours. Does not judge the feature. */
export function addFeature(text: string, feature: Feature): string {
  const list = memberOf(text, skipSpace(text, 0), 'features');
  if (list === null) throw new Bug('no list of features in this text');
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const last = [...elements(text, list.value.start)].at(-1);
  if (last !== undefined) {
    const lead = leadOf(text, last.start);
    const body = rendered(text, feature, text.slice(last.start, last.end), lead, eol);
    return `${text.slice(0, last.end)},${lead}${body}${text.slice(last.end)}`;
  }
  const outer = leadOf(text, list.keySpan.start);
  const isLaidOut = outer.includes('\n');
  const unit = isLaidOut ? outer.slice(outer.lastIndexOf('\n') + 1) : '';
  const lead = isLaidOut ? outer + unit : '';
  const body = rendered(text, feature, isLaidOut ? '\n' : '', lead, eol);
  return `${text.slice(0, list.value.start)}[${lead}${body}${isLaidOut ? outer : ''}]${text.slice(list.value.end)}`;
}

/** A feature in the layout of `model`, a neighbour: many lines, one line, or no space at all. */
function rendered(text: string, feature: Feature, model: string, lead: string, eol: string): string {
  if (!model.includes('\n')) return oneLine(feature as Json, /":\s/.test(model || text) ? ' ' : '');
  const indent = lead.includes('\n') ? lead.slice(lead.lastIndexOf('\n') + 1) : '';
  const inner = model === '\n' ? '' : leadOf(model, memberStart(model));
  const deeper = inner.includes('\n') ? inner.slice(inner.lastIndexOf('\n') + 1) : '';
  const unit = deeper.startsWith(indent) && deeper.length > indent.length ? deeper.slice(indent.length) : '';
  const step = unit === '' ? (indent.includes('\t') ? '\t' : '  ') : unit;
  return JSON.stringify(feature, null, step).replaceAll('\n', eol + indent);
}

function memberStart(model: string): number {
  for (const member of members(model, 0)) return member.keySpan.start;
  return 0;
}
