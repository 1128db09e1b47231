// Questions to people: asked once per key and epoch, answered once (the first answer counts), kept for ever.
// Owns the order of writes that makes each of these survive a kill. Asking is the driver's alone (it holds the lock);
// answering may happen in any number of processes at once.
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../host/clock.ts';
import type { Io } from '../host/io.ts';
import { Bug } from '../model/bug.ts';
import { failure, type Failure } from '../model/failure.ts';
import type { Gate, GateAnswer, GateAsk, GatePolicy } from '../model/gate.ts';
import type { ItemId } from '../model/item.ts';
import { err, ok, type Result } from '../model/result.ts';
import {
  claim,
  closedFile,
  gateFile,
  lastFile,
  pointerFile,
  readRecord,
  recordText,
  usedFile,
  type Closed,
} from './files.ts';
import { namesIn, pathsIn } from './paths.ts';

export type GateRecord = {
  readonly gate: Gate;
  /** null: it waits for an answer. */
  readonly closed:
    | null
    | ({ readonly how: 'answered' } & GateAnswer)
    | { readonly how: 'withdrawn'; readonly why: string; readonly next: string; readonly at: string };
};

/** Every call can fail with `state-unreadable` or `state-newer`: a user or another version may have written the file. */
export type Gates = {
  /**
   * The same key and epoch is the same gate; so is that of an earlier epoch whose answer was never used, if it asked the same and no session has
   * begun since: the machine's file was edited meanwhile. `session`: the last that began. `title`: of the item. Open gates of the key's earlier epochs, and others of this work tree about the same item, are withdrawn.
   */
  ask(
    ask: GateAsk,
    position: { readonly key: string; readonly epoch: number; readonly session?: number; readonly title?: string },
    policy?: GatePolicy,
  ): Promise<Result<Gate>>;
  /** null: no such gate was asked. */
  find(id: string): Result<GateRecord | null>;
  /** Oldest first. `own`: only those of this work tree. */
  list(filter: { readonly open: boolean; readonly own?: boolean }): Result<readonly GateRecord[]>;
  /** Fails with `gate-unknown`, `gate-option-unknown`, `gate-already-answered`, `gate-withdrawn`. */
  answer(
    id: string,
    answer: { readonly option: string; readonly note: string; readonly by: string },
  ): Promise<Result<GateAnswer>>;
  /** null: not asked, not answered, or answered in another epoch only. */
  answerOf(key: string, epoch: number): Result<GateAnswer | null>;
  /** The answer is used: it answers no later question. Repeatable. */
  use(id: string): Result<null>;
  /** The answer is not needed any more. Repeatable; fails if an answer came first. */
  withdraw(id: string, why: string): Promise<Result<null>>;
};

/** `workspace`: the id of the linked work tree whose run asks; left out or null: the main one. */
export function openGates(deps: {
  readonly dir: string;
  readonly io: Io;
  readonly clock: Clock;
  readonly workspace?: string | null;
}): Gates {
  const { dir, io, clock, workspace = null } = deps;
  const isOwn = (gate: Gate): boolean => (gate.workspace ?? null) === workspace;
  const paths = pathsIn(dir);

  const pointed = (key: string, epoch: number): Result<string | null> => {
    const pointer = readRecord(paths.pointer(key, epoch), pointerFile);
    return pointer.ok ? ok(pointer.value?.gate ?? null) : pointer;
  };

  /** Gates that are closed, which never change: each is read once. */
  const ended = new Map<string, GateRecord>();

  const read = (id: string): Result<GateRecord | null> => {
    const known = ended.get(id);
    if (known !== undefined) return ok(known);
    if (!/^g-[1-9]\d*$/.test(id)) return ok(null); // what a person typed is no path
    const gate = readRecord(paths.gate(id), gateFile);
    if (!gate.ok) return gate;
    const closed = readRecord(paths.closed(id), closedFile);
    if (!closed.ok) return closed;
    if (gate.value === null) return ok(null);
    const record = { gate: gate.value, closed: closed.value && closedOf(closed.value) };
    if (record.closed !== null) ended.set(id, record);
    return ok(record);
  };

  /** A kill between a gate and its key leaves a gate that was never asked: it is not shown and takes no answer. */
  const find = (id: string): Result<GateRecord | null> => {
    const record = read(id);
    if (!record.ok || record.value === null || record.value.closed !== null) return record;
    const standing = pointed(record.value.gate.key, record.value.gate.epoch);
    return standing.ok ? ok(standing.value === id ? record.value : null) : standing;
  };

  const list: Gates['list'] = ({ open, own = false }) => {
    const names = new Set(namesIn(dir));
    const ids = [...names]
      .map((name) => /^(g-\d+)\.json$/.exec(name)?.[1])
      .filter((id) => id !== undefined)
      .filter((id) => !open || !names.has(`${id}.closed.json`))
      .sort((a, b) => numberOf(a) - numberOf(b));
    const records: GateRecord[] = [];
    for (const id of ids) {
      const record = find(id);
      if (!record.ok) return record;
      if (record.value === null || (own && !isOwn(record.value.gate))) continue;
      if (!open || record.value.closed === null) records.push(record.value);
    }
    return ok(records);
  };

  /** Why a gate that is closed takes no answer. */
  const refusal = ({ gate, closed }: GateRecord): Failure => {
    if (closed === null) throw new Bug(`${gate.id} is open and refuses an answer`);
    const { at } = closed;
    return closed.how === 'answered'
      ? failure('gate-already-answered', { gate: gate.id, option: closed.option, by: closed.by, at })
      : failure('gate-withdrawn', { gate: gate.id, why: closed.why, next: closed.next, at });
  };

  /** Ends a gate, once: null where this was the end of it, else what ended it before. */
  const close = async (id: string, end: object): Promise<Result<null>> => {
    if (await claim(io, paths.closed(id), recordText({ gate: id, ...end }), paths.claims)) return ok(null);
    const record = read(id);
    if (!record.ok) return record;
    if (record.value === null) throw new Bug(`${id} was closed and is gone`);
    return err(refusal(record.value));
  };

  const lastNumber = (): Result<number> => {
    const last = readRecord(paths.last, lastFile);
    if (!last.ok) return last;
    if (last.value !== null) return ok(last.value.last);
    return ok(namesIn(dir).reduce((most, name) => Math.max(most, numberOf(name)), 0)); // last.json was removed
  };

  /** Number, then gate, then key: only the key makes it asked. A gate that a kill left without its key is taken up. */
  const create = async (
    ask: GateAsk,
    key: string,
    epoch: number,
    withdrawn: string | null,
    policy: GatePolicy | undefined,
    { session, title }: { readonly session?: number; readonly title?: string },
  ): Promise<Result<string>> => {
    const last = lastNumber();
    if (!last.ok) return last;
    const left = read(`g-${last.value}`);
    if (!left.ok) return left;
    let id = left.value && left.value.closed === null && isFor(left.value.gate, key, epoch) ? left.value.gate.id : null;
    for (let n = last.value + 1; id === null; n += 1) {
      io.replace(paths.last, recordText({ last: n }));
      const about = { since: clock.iso(), policy: policyOf(ask, policy, clock.now()) };
      const whose = { ...(workspace === null ? {} : { workspace }), ...(session === undefined ? {} : { session }) };
      const named = title === undefined ? {} : { title };
      const text = recordText({ id: `g-${n}`, key, epoch, ...about, ...fieldsOf(ask), ...whose, ...named });
      if (await claim(io, paths.gate(`g-${n}`), text, paths.claims)) id = `g-${n}`;
    }
    return point(id, key, epoch, withdrawn);
  };

  /** `withdrawn`: the gate that the key names so far. */
  const point = async (id: string, key: string, epoch: number, withdrawn: string | null): Promise<Result<string>> => {
    const pointer = recordText({ key, epoch, gate: id });
    if (withdrawn !== null) io.replace(paths.pointer(key, epoch), pointer);
    else await claim(io, paths.pointer(key, epoch), pointer, paths.claims);
    const standing = pointed(key, epoch);
    return standing.ok ? ok(standing.value ?? id) : standing;
  };

  /** The gate of the key's last epoch, if it asked the same, of the same work, and has an answer that was never used. */
  const answeredBefore = (
    ask: GateAsk,
    key: string,
    epoch: number,
    session: number | undefined,
  ): Result<string | null> => {
    const epochs = namesIn(paths.key(key)).map((name) => Number.parseInt(name, 10));
    const last = Math.max(-1, ...epochs.filter((one) => one < epoch));
    const id = last < 0 || session === undefined ? ok(null) : pointed(key, last);
    if (!id.ok) return id;
    if (id.value === null) return session === undefined ? id : answeredElsewhere(ask, key, session);
    return isUnused(id.value, (gate) => gate.session === session && isDeepStrictEqual(fieldsOf(gate), fieldsOf(ask)));
  };

  /** The id, where the gate is answered, its answer was never used, and it is the same. */
  const isUnused = (id: string, isSame: (gate: Gate) => boolean): Result<string | null> => {
    const record = read(id);
    if (!record.ok) return record;
    const used = readRecord(paths.used(id), usedFile);
    if (!used.ok) return used;
    const { gate, closed } = record.value ?? {};
    return ok(closed?.how === 'answered' && used.value === null && gate !== undefined && isSame(gate) ? id : null);
  };

  /** A machine that is placed by its file alone may ask the same under another key, and knows less of it: the newest question about its item. */
  const answeredElsewhere = (ask: GateAsk, key: string, session: number): Result<string | null> => {
    if (ask.gate !== 'question' || ask.item === null) return ok(null);
    const all = list({ open: false, own: true });
    if (!all.ok) return all;
    const newest = all.value.findLast(({ gate }) => gate.item === ask.item);
    if (newest === undefined) return ok(null);
    return isUnused(
      newest.gate.id,
      (gate) => gate.session === session && placeIn(gate.key) === placeIn(key) && asksTheSame(gate, ask),
    );
  };

  const withdrawEarlier = async (key: string, epoch: number, next: string): Promise<Result<null>> => {
    for (const name of namesIn(paths.key(key))) {
      const earlier = Number.parseInt(name, 10);
      if (!(earlier < epoch)) continue;
      const id = pointed(key, earlier);
      if (!id.ok) return id;
      const record = id.value === null ? ok(null) : read(id.value);
      if (!record.ok) return record;
      if (record.value === null || record.value.closed !== null) continue;
      await close(record.value.gate.id, { how: 'withdrawn', why: 'asked-again', next, at: clock.iso() });
    }
    return ok(null);
  };

  /** A machine asks one question about its item at a time: another that is open was asked at a position that is lost. */
  const withdrawOthers = async (item: ItemId | null, next: string): Promise<Result<null>> => {
    const open = item === null ? ok([]) : list({ open: true, own: true });
    if (!open.ok) return open;
    for (const { gate } of open.value)
      if (gate.item === item && gate.id !== next)
        await close(gate.id, { how: 'withdrawn', why: 'asked-again', next, at: clock.iso() });
    return ok(null);
  };

  const use: Gates['use'] = (id) => {
    const used = readRecord(paths.used(id), usedFile);
    if (!used.ok) return used;
    if (used.value === null) io.replace(paths.used(id), recordText({ gate: id }));
    return ok(null);
  };

  return {
    find,
    list,
    use,

    async ask(ask, { key, epoch, ...about }, policy) {
      checkAsk(ask);
      const standing = pointed(key, epoch);
      if (!standing.ok) return standing;
      const known = standing.value === null ? ok(null) : read(standing.value);
      if (!known.ok) return known;
      const isValid = known.value !== null && known.value.closed?.how !== 'withdrawn';
      const before = isValid ? ok(null) : answeredBefore(ask, key, epoch, about.session);
      if (!before.ok) return before;
      const id = isValid
        ? ok(known.value.gate.id)
        : before.value !== null
          ? await point(before.value, key, epoch, standing.value)
          : await create(ask, key, epoch, standing.value, policy, about);
      if (!id.ok) return id;
      const earlier = await withdrawEarlier(key, epoch, id.value);
      if (!earlier.ok) return earlier;
      const others = await withdrawOthers(ask.item, id.value);
      if (!others.ok) return others;
      const record = read(id.value);
      if (!record.ok) return record;
      if (record.value === null) throw new Bug(`${id.value} was asked and is gone`);
      return ok(record.value.gate);
    },

    async answer(id, { option, note, by }) {
      const record = find(id);
      if (!record.ok) return record;
      if (record.value === null) {
        const open = list({ open: true });
        if (!open.ok) return open;
        return err(failure('gate-unknown', { gate: id, open: open.value.map((r) => r.gate.id).join(', ') }));
      }
      if (record.value.closed !== null) return err(refusal(record.value));
      const allowed = record.value.gate.options.map((o) => o.id);
      if (!allowed.includes(option))
        return err(failure('gate-option-unknown', { gate: id, option, allowed: allowed.join(', ') }));
      const answer = { option, note, by, at: clock.iso() };
      const first = await close(id, { how: 'answered', ...answer });
      return first.ok ? ok(answer) : first;
    },

    answerOf(key, epoch) {
      const id = pointed(key, epoch);
      if (!id.ok || id.value === null) return id.ok ? ok(null) : id;
      const closed = readRecord(paths.closed(id.value), closedFile);
      if (!closed.ok) return closed;
      if (closed.value?.how !== 'answered') return ok(null);
      const { option, note, by, at } = closed.value;
      return ok({ option, note, by, at });
    },

    async withdraw(id, why) {
      const record = find(id);
      if (!record.ok) return record;
      if (record.value === null) return err(failure('gate-unknown', { gate: id, open: '' }));
      if (record.value.closed === null) {
        const first = await close(id, { how: 'withdrawn', why, next: '', at: clock.iso() });
        if (first.ok || first.failure.reason === 'gate-withdrawn') return ok(null);
        return first;
      }
      return record.value.closed.how === 'withdrawn' ? ok(null) : err(refusal(record.value));
    },
  };
}

/** The moment is fixed when the question is asked: who asks it again waits no longer. */
function policyOf(ask: GateAsk, policy: GatePolicy | undefined, nowMs: number): Gate['policy'] {
  const answer = policy?.answer ?? null;
  if (policy === undefined || answer === null || !ask.options.some(({ id }) => id === answer)) return 'wait';
  return { answer, at: new Date(nowMs + policy.afterMs).toISOString() };
}

/** An action says more than the question: only the question is kept. */
function fieldsOf({ gate, subject, item, params, problems, options, recommended, evidence, paper }: GateAsk): GateAsk {
  const about = problems === undefined ? {} : { problems };
  const read = paper === undefined ? {} : { paper };
  return { gate, subject, item, params, ...about, options, recommended, evidence, ...read };
}

function checkAsk(ask: GateAsk): void {
  const ids = ask.options.map((o) => o.id);
  if (ids.length < 2 || new Set(ids).size !== ids.length)
    throw new Bug(`gate ${ask.subject}: needs two options or more, each once`);
  if (!ids.includes(ask.recommended)) throw new Bug(`gate ${ask.subject}: recommends ${ask.recommended}, no option`);
}

/** A key is `<question>@<the item's run of its machine>`: an answer counts for no other one. */
const placeIn = (key: string): string => key.slice(key.indexOf('@') + 1);

/** What `ask` says of the matter is what was said before; it may say less. */
function asksTheSame(before: GateAsk, ask: GateAsk): boolean {
  const { params, evidence: _evidence, ...question } = fieldsOf(ask);
  const { params: known, evidence: _known, ...asked } = fieldsOf(before);
  return (
    isDeepStrictEqual(question, asked) &&
    Object.entries(params).every(([name, value]) => value === '' || value === known[name])
  );
}

const isFor = (gate: Gate, key: string, epoch: number): boolean => gate.key === key && gate.epoch === epoch;

const numberOf = (name: string): number => Number(/^g-(\d+)/.exec(name)?.[1] ?? 0);

function closedOf(closed: Closed): NonNullable<GateRecord['closed']> {
  const { schema: _, gate: __, ...end } = closed;
  return end;
}
