// The position of a machine: its file, and the position on the last journal line. The file wins.
//
// I1 A position is durable, with the hash of the file that it belongs to, before the file is written.
// I2 At most the last position can be missing from the file: recovery applies one line again, it never folds the history.
// I3 A stored position counts only if machine, version and schema are this machine's, and the file is the one it was stored with or the one
//    before. Otherwise the machine is placed by the file alone, and the epoch rises, so that answers that were used do not count again. A file
//    that does not exist is a file, too (the machine's `gone`).
//    What a newer version of the program wrote is not read at all: the failure says so.
// I4 The journal is bounded: one line can say all of it, open intents included.
import { Bug, unreachable } from '../model/bug.ts';
import { failure, type Failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { fingerprint, readLines, type Journal } from './journal.ts';
import type { Store, Stored } from './store.ts';
import { stageOf, type ActionMap, type ActionOf, type Done, type External, type Machine, type State } from './types.ts';

/** Format of the lines below. Format 1 had neither `format` nor `open` on a place line, and no parked lines. */
const FORMAT = 2;

type StoredPosition = { readonly at: unknown; readonly mem: unknown; readonly file: string; readonly time: string };
export type Intent = { readonly t: 'intent'; readonly seq: number; readonly key: string; readonly action: object };
export type Line =
  | ({
      readonly t: 'place';
      readonly format?: number;
      readonly machine: string;
      readonly version: number;
      readonly epoch: number;
      readonly base: string;
      /** The highest intent number of this journal: a token is never used twice. */
      readonly seq: number;
      /** Intents without an outcome when the journal was compacted. */
      readonly open?: readonly Intent[];
    } & StoredPosition)
  | Intent
  | ({ readonly t: 'outcome'; readonly seq: number; readonly outcome: object } & StoredPosition)
  | ({ readonly t: 'recovered'; readonly seq: number } & StoredPosition)
  | ({ readonly t: 'event'; readonly event: External } & StoredPosition)
  | { readonly t: 'drop'; readonly seq: number; readonly why: string };
type PlaceLine = Extract<Line, { t: 'place' }>;
type PositionLine = Exclude<Line, { t: 'intent' | 'drop' }>;
type Begun<M extends ActionMap> = { readonly seq: number; readonly action: ActionOf<M> };
type ClosedIntent = Intent & { readonly base: string; readonly epoch: number };

export type OpenPosition<F, A extends { readonly stage: string }, Mem, M extends ActionMap> = {
  state: () => State<F, A, Mem>;
  readonly epoch: number;
  readonly base: string;
  /** Intents without an outcome, oldest first. Empty after a placement: keys of the lost position are void. */
  readonly open: readonly Intent[];
  /** Earlier intents that have an outcome or belong to a lost position, with the base and the epoch they had. */
  readonly closed: readonly ClosedIntent[];
  begin(action: ActionOf<M>): number;
  /** `next`: the actions to begin in the state after it. Their intents are written with the outcome, in one write. */
  finish(
    seq: number,
    action: ActionOf<M>,
    outcome: object,
    next?: (s: State<F, A, Mem>) => readonly ActionOf<M>[],
  ): Result<readonly Begun<M>[]>;
  recovered(seq: number, action: ActionOf<M>): Result<void>;
  event(event: External): Result<void>;
  drop(seq: number, why: string): void;
  /** Makes one line of the journal if it has more lines than this. */
  compact(atLeast: number): void;
};

export type PositionDeps<F> = {
  readonly journal: Journal<Line>;
  readonly store: Store<F>;
  readonly iso: () => string;
  readonly base: string;
  /** The file of a machine that has never run. */
  readonly initial: () => F;
};

/** Whether a machine with this journal would continue where it is, and not by the text of its file alone. */
export function isWhereItWas(journal: string, text: string): boolean {
  const lines = readLines<Line>(journal);
  const stored = lines.ok ? lines.value.lines.flatMap((line) => ('at' in line ? [line.file] : [])) : [];
  return stored.slice(-2).includes(fingerprint(text));
}

export function openPosition<F, A extends { readonly stage: string }, Mem, M extends ActionMap>(
  m: Machine<F, A, Mem, M>,
  deps: PositionDeps<F>,
): Result<OpenPosition<F, A, Mem, M>> {
  type S = State<F, A, Mem>;
  const { journal, store } = deps;
  const place = journal.lines.findLast((l): l is PlaceLine => l.t === 'place');
  const newer = newerThan(m, place, journal.path);
  if (newer !== null) return err(newer);
  const isOwn = place?.machine === m.name && place.version === m.version;
  const intents = new Map<number, Intent>();
  let epoch = place?.epoch ?? 0;
  let base = isOwn ? place.base : deps.base;
  let seq = 0;
  for (const line of journal.lines) {
    if ('seq' in line) seq = Math.max(seq, line.seq);
    if (line.t === 'intent') intents.set(line.seq, line);
    if (line.t === 'place') for (const intent of line.open ?? []) intents.set(intent.seq, intent);
  }
  let written = '';

  const apply = (s: S, action: ActionOf<M>, outcome: object, at: string): S => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the performer of this kind answered, so action and outcome are a pair
    const done = { kind: action.kind, key: action.key, action, outcome, at } as unknown as Done<M>;
    return stageOf(m, s.at).apply(s, done);
  };
  const recover = (s: S, action: ActionOf<M>): S => stageOf(m, s.at).recover?.(s, action) ?? s;
  const on = (s: S, event: External, at: string): S => m.on?.(s, event, at) ?? s;
  const placed = (p: StoredPosition, open: readonly Intent[]): Line => ({
    t: 'place',
    format: FORMAT,
    machine: m.name,
    version: m.version,
    epoch,
    base,
    seq,
    ...(open.length > 0 ? { open } : {}),
    ...p,
  });
  const positionOf = (s: S, text: string, time: string): StoredPosition => ({
    at: s.at,
    mem: s.mem,
    file: fingerprint(text),
    time,
  });

  function persist(
    after: S,
    line: (p: StoredPosition) => Line,
    time: string,
    intentsAfter: (s: S) => readonly Intent[] = () => [],
    add = journal.append,
  ): Result<S> {
    const edit = m.edited && written !== '' ? editedSince() : ok(null);
    if (!edit.ok) return edit;
    const next = m.edited && edit.value ? m.edited(after, edit.value.file) : after;
    const text = textOf(next.file);
    add(line(positionOf(next, text, time)), ...intentsAfter(next));
    // A file that does not change is not written: an agent's edit of it is left for the tamper guard to find.
    if (text !== (edit.value?.text ?? written)) put(text);
    written = text;
    return ok(next);
  }
  const textOf = (file: F): string => (m.gone !== undefined && file === m.gone ? '' : store.render(file));
  const put = (text: string): void => (text === '' ? store.remove() : store.write(text));

  /** The file, if another program has written it since; null: none has. */
  function editedSince(): Result<Stored<F> | null> {
    const disk = store.read();
    return disk.ok && disk.value?.text === written ? ok(null) : disk;
  }

  function load(): Result<{ state: S; isPlaced: boolean }> {
    const disk = store.read();
    if (!disk.ok) return disk;
    written = disk.value?.text ?? '';
    const known = storedState(disk.value);
    if (known !== null) return ok({ state: known, isPlaced: false });
    const file = disk.value?.file ?? deps.initial();
    epoch += 1;
    base = deps.base;
    // Not waited for: without it the machine is placed by its file once more. The first intent takes it along.
    const none = (): readonly Intent[] => [];
    const stored = persist({ file, ...m.place(file) }, (p) => placed(p, []), deps.iso(), none, journal.note);
    return stored.ok ? ok({ state: stored.value, isPlaced: true }) : stored;
  }

  /** The state by the stored positions; null: they are void (I3). */
  function storedState(disk: Stored<F> | null): S | null {
    if (!isOwn) return null;
    const positions = journal.lines.filter((l): l is PositionLine => 'at' in l);
    const [previous, last] = [positions.at(-2), positions.at(-1)];
    if (disk === null)
      return m.gone !== undefined && last?.file === fingerprint('') ? readPosition(m.gone, last) : null;
    const hash = fingerprint(disk.text);
    if (last?.file === hash) return readPosition(disk.file, last);
    if (last === undefined || previous?.file !== hash) return null;
    // The file write was lost in a crash.
    const before = readPosition(disk.file, previous);
    if (before === null) return null;
    const after = again(before, last);
    written = textOf(after.file);
    put(written);
    return after;
  }

  function readPosition(file: F, p: StoredPosition): S | null {
    try {
      return { file, ...m.position.parse({ at: p.at, mem: p.mem }) };
    } catch {
      return null;
    }
  }
  const actionOf = (n: number): ActionOf<M> => {
    const intent = intents.get(n);
    if (!intent) throw new Bug(`journal ${journal.path}: an outcome without its intent (${n})`);
    return storedAction<M>(intent);
  };
  function again(s: S, line: PositionLine): S {
    switch (line.t) {
      case 'place':
        return s;
      case 'outcome':
        return apply(s, actionOf(line.seq), line.outcome, line.time);
      case 'recovered':
        return recover(s, actionOf(line.seq));
      case 'event':
        return on(s, line.event, line.time);
      default:
        return unreachable(line);
    }
  }

  const before = intentsOf(journal.lines);
  const loaded = load();
  if (!loaded.ok) return loaded;
  let current = loaded.value.state;
  const open = loaded.value.isPlaced ? [] : before.open;
  const closed = loaded.value.isPlaced
    ? [
        ...before.closed,
        ...before.open.map((intent) => ({ ...intent, base: place?.base ?? '', epoch: place?.epoch ?? 0 })),
      ]
    : before.closed;
  const unfinished = new Map(open.map((intent) => [intent.seq, intent]));
  const settle = (result: Result<S>, n?: number): Result<void> => {
    if (!result.ok) return err(result.failure);
    current = result.value;
    if (n !== undefined) unfinished.delete(n);
    return ok(undefined);
  };
  const intentOf = (action: ActionOf<M>): Intent => {
    seq += 1;
    return { t: 'intent', seq, key: action.key, action };
  };
  return ok({
    state: () => current,
    epoch,
    base,
    open,
    closed,
    begin(action) {
      const intent = intentOf(action);
      journal.append(intent);
      unfinished.set(intent.seq, intent);
      return intent.seq;
    },
    finish(n, action, outcome, next = () => []) {
      const time = deps.iso();
      const after = apply(current, action, outcome, time);
      let begun: readonly Intent[] = [];
      const intentsAfter = (s: S): readonly Intent[] => (begun = next(s).map(intentOf));
      const stored = settle(
        persist(after, (p) => ({ t: 'outcome', seq: n, outcome, ...p }), time, intentsAfter),
        n,
      );
      if (!stored.ok) return stored;
      for (const intent of begun) unfinished.set(intent.seq, intent);
      return ok(begun.map((intent) => ({ seq: intent.seq, action: storedAction<M>(intent) })));
    },
    recovered: (n, action) =>
      settle(
        persist(recover(current, action), (p) => ({ t: 'recovered', seq: n, ...p }), deps.iso()),
        n,
      ),
    event(event) {
      const time = deps.iso();
      const after = on(current, event, time);
      const isSilent = after === current && event.type !== 'parked';
      return isSilent ? ok(undefined) : settle(persist(after, (p) => ({ t: 'event', event, ...p }), time));
    },
    drop(n, why) {
      journal.append({ t: 'drop', seq: n, why });
      unfinished.delete(n);
    },
    compact(atLeast) {
      if (journal.lines.length <= atLeast) return;
      journal.replaceAll([placed(positionOf(current, written, deps.iso()), [...unfinished.values()])]);
    },
  });
}

/** `state-newer`: a newer version of the program wrote it, so what it says cannot be known here. null: this one or an older one did. */
function newerThan(
  { name, version }: { readonly name: string; readonly version: number },
  place: PlaceLine | undefined,
  file: string,
): Failure | null {
  const format = place?.format ?? 1;
  const refused = (found: number, supported: number): Failure =>
    failure('state-newer', { file, found, supported }, { at: { file } });
  if (format > FORMAT) return refused(format, FORMAT);
  return place?.machine === name && place.version > version ? refused(place.version, version) : null;
}

/** Why a run could not read this journal of a machine; null: it can. Changes nothing, unlike opening it. */
export function unreadableJournal(
  m: { readonly name: string; readonly version: number },
  file: string,
  text: string,
): Failure | null {
  const read = readLines<Line>(text);
  if (!read.ok) return failure('journal-broken', { file, line: read.failure }, { at: { file, line: read.failure } });
  return newerThan(
    m,
    read.value.lines.findLast((line): line is PlaceLine => line.t === 'place'),
    file,
  );
}

/** A stored action, as one of the machine's actions. */
export const storedAction = <M extends ActionMap>({ action }: Pick<Intent, 'action'>): ActionOf<M> =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was stored under the name and version of this machine
  action as ActionOf<M>;

/** A placement closes whatever was open before it, except the intents that it names itself. */
export function intentsOf(lines: readonly Line[]): {
  readonly open: readonly Intent[];
  readonly closed: readonly ClosedIntent[];
} {
  const ended = new Set(
    lines.flatMap((l) => (l.t === 'outcome' || l.t === 'recovered' || l.t === 'drop' ? [l.seq] : [])),
  );
  let open: Intent[] = [];
  const closed: ClosedIntent[] = [];
  let placement = { base: '', epoch: 0 };
  const close = (intents: readonly Intent[]): void =>
    void closed.push(...intents.map((intent) => ({ ...intent, ...placement })));
  for (const line of lines) {
    if (line.t === 'place') {
      const kept = new Set((line.open ?? []).map((intent) => intent.seq));
      close(open.filter((intent) => !kept.has(intent.seq)));
      placement = { base: line.base, epoch: line.epoch };
      open = [...(line.open ?? [])];
    } else if (line.t === 'intent') open.push(line);
  }
  close(open.filter((intent) => ended.has(intent.seq)));
  return { open: open.filter((intent) => !ended.has(intent.seq)), closed };
}
