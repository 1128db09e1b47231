// Changes a JSON file that holds a list of entries by the smallest edits of its text: indentation, key order, unknown fields and
// line ends survive.
import { Bug } from '../../model/bug.ts';
import type { Json } from '../../model/json.ts';
import {
  elements,
  memberOf,
  members,
  skipSpace,
  startOfMember,
  type Member,
  type Span,
} from '../../model/json-text.ts';
import { isObject, parseRecords } from './read.ts';

/** Fields to set; undefined removes one. */
export type Patch = { readonly [field: string]: Json | undefined };

/**
 * The text with these entries changed, each by its id. Idempotent. The text must be one that the format's reader
 * accepts and hold the ids; otherwise throws a Bug.
 */
export function patchEntries(text: string, list: string, patches: ReadonlyMap<string, Patch>): string {
  const file = parseRecords(text);
  const entries = isObject(file) ? file[list] : null;
  const patchAt = (Array.isArray(entries) ? entries : []).map((entry: unknown) =>
    isObject(entry) ? patches.get(String(entry['id'])) : undefined,
  );
  const spans: { readonly span: Span; readonly patch: Patch }[] = [];
  const from = startOfMember(text, skipSpace(text, 0), list) ?? text.length;
  let place = 0;
  for (const span of elements(text, from)) {
    const patch = patchAt[place];
    if (patch !== undefined) spans.push({ span, patch });
    place += 1;
  }
  if (spans.length !== patches.size) throw new Bug(`not all of ${[...patches.keys()].join(', ')} are in this text`);
  let done = '';
  let at = 0;
  for (const { span, patch } of spans) {
    done += text.slice(at, span.start) + patched(text.slice(span.start, span.end), patch);
    at = span.end;
  }
  return done + text.slice(at);
}

/** The object that is the whole text, or the first in it, with these members changed. */
export function patchFile(text: string, patch: Patch): string {
  const start = skipSpace(text, 0);
  return text.slice(0, start) + patched(text.slice(start), patch);
}

function patched(object: string, patch: Patch): string {
  let text = object;
  for (const [field, value] of Object.entries(patch))
    text = value === undefined ? removeField(text, field) : setField(text, field, value);
  return text;
}

/** Sets a member of the object: its value in place, or a new member after the last, laid out alike. */
function setField(text: string, key: string, value: Json): string {
  const own = memberOf(text, 0, key);
  const last = own ?? [...members(text, 0)].at(-1);
  if (last === undefined) throw new Bug('an object without members has no layout to follow');
  const colon = text.slice(last.keySpan.end, last.value.start);
  const rendered = oneLine(value, colon.endsWith(':') ? '' : ' ');
  if (own !== null) {
    const old = text.slice(own.value.start, own.value.end);
    if (isSame(JSON.parse(old), value)) return text;
    return text.slice(0, own.value.start) + rendered + text.slice(own.value.end);
  }
  const lead = leadOf(text, last.keySpan.start);
  const added = `,${lead}${JSON.stringify(key)}${colon}${rendered}`;
  return text.slice(0, last.value.end) + added + text.slice(last.value.end);
}

/** Removes every member of this name, with its comma and the space before it. */
function removeField(item: string, key: string): string {
  const all: Member[] = [...members(item, 0)];
  if (all.every((m) => m.key !== key)) return item;
  const kept = all.filter((m) => m.key !== key);
  const [first, ...rest] = kept;
  if (first === undefined) throw new Bug('the last member of an entry is never removed');
  let text = item.slice(0, all[0]?.keySpan.start) + item.slice(first.keySpan.start, first.value.end);
  for (const m of rest) {
    const before = all[all.indexOf(m) - 1];
    text += item.slice(before?.value.end, m.value.end);
  }
  return text + item.slice(all.at(-1)?.value.end);
}

/** The white space before an offset. */
function leadOf(text: string, at: number): string {
  let start = at;
  while (start > 0 && ' \t\r\n'.includes(text.charAt(start - 1))) start--;
  return text.slice(start, at);
}

/** A value on one line, in the file's own spacing. Values are flat or one level deep. */
function oneLine(value: Json, space: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((v: Json) => oneLine(v, space)).join(`,${space}`)}]`;
  const inner = Object.entries(value)
    .filter(([, v]) => v !== undefined)
    .map(([k, v]) => `${JSON.stringify(k)}:${space}${oneLine(v, space)}`);
  return `{${space}${inner.join(`,${space}`)}${space}}`;
}

const isSame = (a: unknown, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The text with one more entry at the end of the list, laid out like its neighbours. The entry is not validated. */
export function addEntry(text: string, name: string, entry: Json): string {
  const list = memberOf(text, skipSpace(text, 0), name);
  if (list === null) throw new Bug(`no list "${name}" in this text`);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const last = [...elements(text, list.value.start)].at(-1);
  if (last !== undefined) {
    const lead = leadOf(text, last.start);
    const body = rendered(text, entry, text.slice(last.start, last.end), lead, eol);
    return `${text.slice(0, last.end)},${lead}${body}${text.slice(last.end)}`;
  }
  const outer = leadOf(text, list.keySpan.start);
  const isLaidOut = outer.includes('\n');
  const unit = isLaidOut ? outer.slice(outer.lastIndexOf('\n') + 1) : '';
  const lead = isLaidOut ? outer + unit : '';
  const body = rendered(text, entry, isLaidOut ? '\n' : '', lead, eol);
  return `${text.slice(0, list.value.start)}[${lead}${body}${isLaidOut ? outer : ''}]${text.slice(list.value.end)}`;
}

/** An entry in the layout of `model`, a neighbour: many lines, one line, or no space at all. */
function rendered(text: string, entry: Json, model: string, lead: string, eol: string): string {
  if (!model.includes('\n')) return oneLine(entry, hasSpaces(model || text) ? ' ' : '');
  const indent = lead.includes('\n') ? lead.slice(lead.lastIndexOf('\n') + 1) : '';
  const inner = model === '\n' ? '' : leadOf(model, memberStart(model));
  const deeper = inner.includes('\n') ? inner.slice(inner.lastIndexOf('\n') + 1) : '';
  const unit = deeper.startsWith(indent) && deeper.length > indent.length ? deeper.slice(indent.length) : '';
  const step = unit === '' ? (indent.includes('\t') ? '\t' : '  ') : unit;
  return JSON.stringify(entry, null, step).replaceAll('\n', eol + indent);
}

/** Whether space follows the colon of the first member; what strings hold does not count. */
function hasSpaces(object: string): boolean {
  const [first] = members(object, skipSpace(object, 0));
  return first !== undefined && /:\s/.test(object.slice(first.keySpan.end, first.value.start));
}

function memberStart(model: string): number {
  const [first] = members(model, 0);
  return first?.keySpan.start ?? 0;
}
