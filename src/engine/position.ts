// Where a machine stands: its file, and the position on the last journal line. The file wins.
// I1 a position is durable (with the hash of the file it belongs to) before the file is written.
// I2 at most the last position can be missing from the file: recovery is one apply, never a fold of history.
// I3 a file that fits neither the last position nor the one before was written by somebody else: the machine places itself
//    anew from the file alone, and the epoch rises, so that answers of the earlier life pass nothing.
//    No file is one too (the machine's `gone`): where the last position says so, nobody else removed it.
// I4 the journal is bounded: where nothing is open, one line says all of it.
import { Bug, unreachable } from '../model/bug.ts';
import type { Failure } from '../model/failure.ts';
import { err, ok, type Result } from '../model/result.ts';
import { fingerprint, type Journal } from './journal.ts';
import type { Store, Stored } from './store.ts';
import type { ActionMap, ActionOf, Done, External, Machine, State } from './types.ts';

type At = { readonly stage: string };
type Position = { readonly at: unknown; readonly mem: unknown; readonly file: string; readonly time: string };
export type Line =
  | ({
      readonly t: 'place';
      readonly machine: string;
      readonly version: number;
      readonly epoch: number;
      readonly base: string;
      /** The highest number an intent of this journal had: tokens are never given twice. */
      readonly seq: number;
    } & Position)
  | { readonly t: 'intent'; readonly seq: number; readonly key: string; readonly action: object }
  | ({ readonly t: 'outcome'; readonly seq: number; readonly outcome: object } & Position)
  | ({ readonly t: 'recovered'; readonly seq: number } & Position)
  | ({ readonly t: 'event'; readonly event: External } & Position)
  | { readonly t: 'drop'; readonly seq: number; readonly why: string };
export type Intent = Extract<Line, { t: 'intent' }>;
type Positioned = Exclude<Line, { t: 'intent' | 'drop' }>;

export type Opened<F, A extends At, Mem, M extends ActionMap> = {
  state: () => State<F, A, Mem>;
  readonly epoch: number;
  readonly base: string;
  /** Intents without an end, oldest first. Empty after a placement: keys of the past mean nothing then. */
  readonly open: readonly Intent[];
  /** Intents of earlier lives that have come to an end, with the base and the epoch they had. */
  readonly closed: readonly (Intent & { readonly base: string; readonly epoch: number })[];
  begin(action: ActionOf<M>): number;
  finish(seq: number, action: ActionOf<M>, outcome: object): Result<void>;
  recovered(seq: number, action: ActionOf<M>): Result<void>;
  event(event: External): Result<void>;
  drop(seq: number, why: string): void;
  /** Where nothing is open, makes one line of the journal if it has more than this many. */
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

export function openPosition<F, A extends At, Mem, M extends ActionMap>(
  m: Machine<F, A, Mem, M>,
  deps: PositionDeps<F>,
): Result<Opened<F, A, Mem, M>> {
  type S = State<F, A, Mem>;
  const { journal, store } = deps;
  const place = journal.lines.findLast((l) => l.t === 'place');
  let epoch = place?.epoch ?? 0;
  let base = place?.base ?? deps.base;
  let seq = journal.lines.reduce((n, l) => ('seq' in l ? Math.max(n, l.seq) : n), 0);
  let written = '';

  const stage = (s: S) =>
    m.stages[s.at.stage as A['stage']] as unknown as Machine<F, A, Mem, M>['stages'][A['stage']] &
      StageOf<F, A, Mem, M>;
  const apply = (s: S, action: ActionOf<M>, outcome: object, at: string): S =>
    // The one cast of the engine: the performer of this kind answered, so action and outcome are a pair.
    stage(s).apply(s, { kind: action.kind, key: action.key, action, outcome, at } as unknown as Done<M>);
  const recover = (s: S, action: ActionOf<M>): S => stage(s).recover?.(s, action) ?? s;
  const on = (s: S, event: External, at: string): S => m.on?.(s, event, at) ?? s;
  const placed = (p: Position): Line => ({
    t: 'place',
    machine: m.name,
    version: m.version,
    epoch,
    base,
    seq,
    ...p,
  });
  const positionOf = (s: S, text: string, time: string): Position => ({
    at: s.at,
    mem: s.mem,
    file: fingerprint(text),
    time,
  });

  function persist(after: S, line: (p: Position) => Line, time: string): Result<S> {
    const edit = m.edited && written !== '' ? theirs() : ok(null);
    if (!edit.ok) return edit;
    const next = m.edited && edit.value ? m.edited(after, edit.value.file) : after;
    const text = textOf(next.file);
    journal.append(line(positionOf(next, text, time)));
    // A file that does not change is left alone: what an agent wrote over it is for the tamper window to find.
    if (text !== (edit.value?.text ?? written)) put(text);
    written = text;
    return ok(next);
  }
  const textOf = (file: F): string => (m.gone !== undefined && file === m.gone ? '' : store.render(file));
  const put = (text: string): void => (text === '' ? store.remove() : store.write(text));

  /** What somebody wrote since we last did; null: nobody has. */
  function theirs(): Result<Stored<F> | null> {
    const disk = store.read();
    return disk.ok && disk.value?.text === written ? ok(null) : disk;
  }

  function load(): Result<{ state: S; isCold: boolean }> {
    const disk = store.read();
    if (!disk.ok) return disk;
    const positions = journal.lines.filter((l): l is Positioned => 'at' in l);
    const last = positions.at(-1);
    const previous = positions.at(-2);
    const text = disk.value?.text ?? '';
    written = text;
    const hash = disk.value ? fingerprint(text) : '';
    if (disk.value === null && m.gone !== undefined && last?.file === fingerprint('')) {
      const s = readPosition(m.gone, last);
      if (s) return ok({ state: s, isCold: false });
    } else if (disk.value && last?.file === hash) {
      const s = readPosition(disk.value.file, last);
      if (s) return ok({ state: s, isCold: false });
    } else if (disk.value && last && previous?.file === hash) {
      const before = readPosition(disk.value.file, previous);
      if (before) {
        const after = again(before, last);
        written = textOf(after.file);
        put(written);
        return ok({ state: after, isCold: false });
      }
    }
    const file = disk.value?.file ?? deps.initial();
    epoch += 1;
    base = deps.base;
    const stored = persist({ file, ...m.place(file) }, placed, deps.iso());
    return stored.ok ? ok({ state: stored.value, isCold: true }) : stored;
  }

  function readPosition(file: F, p: Position): S | null {
    try {
      return { file, ...m.position.parse({ at: p.at, mem: p.mem }) };
    } catch {
      return null; // written by a version whose positions this one does not know: the file alone decides
    }
  }
  const actionOf = (n: number): ActionOf<M> => {
    const intent = journal.lines.find((l): l is Intent => l.t === 'intent' && l.seq === n);
    if (!intent) throw new Bug(`journal ${journal.path}: an outcome without its intent (${n})`);
    return intent.action as ActionOf<M>;
  };
  function again(s: S, line: Positioned): S {
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

  const loaded = load();
  if (!loaded.ok) return loaded;
  let current = loaded.value.state;
  const { open, closed } = intentsOf(journal.lines);
  const unfinished = new Set(open.map((i) => i.seq));
  const settle = (result: Result<S>, n?: number): Result<void> => {
    if (!result.ok) return err<Failure>(result.failure);
    current = result.value;
    if (n !== undefined) unfinished.delete(n);
    return ok(undefined);
  };
  return ok({
    state: () => current,
    epoch,
    base,
    open,
    closed,
    begin(action) {
      seq += 1;
      journal.append({ t: 'intent', seq, key: action.key, action });
      unfinished.add(seq);
      return seq;
    },
    finish(n, action, outcome) {
      const time = deps.iso();
      const after = apply(current, action, outcome, time);
      return settle(
        persist(after, (p) => ({ t: 'outcome', seq: n, outcome, ...p }), time),
        n,
      );
    },
    recovered: (n, action) =>
      settle(
        persist(recover(current, action), (p) => ({ t: 'recovered', seq: n, ...p }), deps.iso()),
        n,
      ),
    event(event) {
      const time = deps.iso();
      const after = on(current, event, time);
      return after === current ? ok(undefined) : settle(persist(after, (p) => ({ t: 'event', event, ...p }), time));
    },
    drop(n, why) {
      journal.append({ t: 'drop', seq: n, why });
      unfinished.delete(n);
    },
    compact(atLeast) {
      if (unfinished.size > 0 || journal.lines.length <= atLeast) return;
      journal.replaceAll([placed(positionOf(current, written, deps.iso()))]);
    },
  });
}

/** A placement ends whatever was open before it. */
function intentsOf(lines: readonly Line[]): Pick<Opened<never, never, never, never>, 'open' | 'closed'> {
  const ended = new Set(
    lines.flatMap((l) => (l.t === 'outcome' || l.t === 'recovered' || l.t === 'drop' ? [l.seq] : [])),
  );
  const lastPlace = lines.findLastIndex((l) => l.t === 'place');
  const open: Intent[] = [];
  const closed: (Intent & { base: string; epoch: number })[] = [];
  let life = { base: '', epoch: 0 };
  for (const [n, line] of lines.entries()) {
    if (line.t === 'place') life = { base: line.base, epoch: line.epoch };
    if (line.t !== 'intent') continue;
    if (n > lastPlace && !ended.has(line.seq)) open.push(line);
    else closed.push({ ...line, ...life });
  }
  return { open, closed };
}

type StageOf<F, A, Mem, M extends ActionMap> = {
  apply(s: State<F, A, Mem>, done: Done<M>): State<F, A, Mem>;
  recover?(s: State<F, A, Mem>, action: ActionOf<M>): State<F, A, Mem>;
};
