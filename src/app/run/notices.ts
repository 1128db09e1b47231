// Which notices a run sends, and when: at a question, at its end, and those that an earlier process left. Never blocks a run.
import { join } from 'node:path';
import { openOutbox } from '../../gates/notices/outbox.ts';
import { channelsIn, sendOn } from '../../gates/notices/send.ts';
import type { Catalogue } from '../../host/catalogue.ts';
import { settlesWithin } from '../../host/clock.ts';
import { wholeEnvironment } from '../../host/environment.ts';
import { chooseLanguage } from '../../host/language.ts';
import type { RunContext } from '../../loop/run-context.ts';
import type { Config } from '../../model/config.ts';
import type { HarnessEvent } from '../../model/event.ts';
import { itemTitle, type Gate } from '../../model/gate.ts';
import type { Channel, Notice, NoticeKind } from '../../model/notice.ts';
import type { RunMode, RunResult } from '../../model/run.ts';
import type { Failure } from '../../model/failure.ts';
import type { ItemReport } from '../../loop/records/reports.ts';
import { shellWord } from '../../model/shell-quote.ts';
import { openFullCatalogue, userLanguage } from '../open/language.ts';
import type { Target } from '../open/target.ts';

/** How the run ended, as its report says. */
type RunEnding = {
  readonly run: string;
  readonly result: RunResult;
  readonly reason: string;
  readonly failure: Failure | null;
  readonly items: readonly ItemReport[];
};

export type RunNotices = {
  /** Call for every event of the run. */
  event(event: Omit<HarnessEvent, 'ts'>): void;
  /** Adds the notice of the end, and waits a short time for what is on its way. */
  ended(report: RunEnding, mode: RunMode): Promise<void>;
};

const SILENT: RunNotices = { event: () => undefined, ended: () => Promise.resolve() };
/** The program waits this long for notices before it exits; what is left is sent by the next run. */
const LAST_MS = 12_000;

export async function openNotices(target: Target, context: RunContext): Promise<RunNotices> {
  const { notify } = target.config;
  const channels = channelsIn(notify);
  if (channels.length === 0) return SILENT;
  const outbox = openOutbox(join(target.workspaceDir, 'notices'), context.io);
  const env = wholeEnvironment();
  const catalogue = await openFullCatalogue(chooseLanguage({ flag: null, config: userLanguage(target.root), env }));
  const warned = new Set<Channel>();
  let sending: Promise<void> = Promise.resolve();

  const warn = (channel: Channel, why: string): void => {
    if (warned.has(channel)) return;
    warned.add(channel);
    context.notify({ type: 'notice-failed', level: 'important', data: { channel, why: context.redact(why) } });
  };
  const sendWaiting = async (): Promise<void> => {
    for (const { notice, left } of outbox.waiting()) {
      const failed: Channel[] = [];
      for (const channel of left) {
        if (!channels.includes(channel)) continue; // not configured any more
        const why = await context.io.effect('notify', () => sendOn(channel, notify, notice, target.root));
        if (why !== null) failed.push(channel);
        if (why !== null) warn(channel, why);
      }
      outbox.tried(notice.token, failed);
    }
  };
  /** One after the other, in the background: a slow receiver delays the next notice and nothing else. */
  const send = (): void => {
    sending = sending.then(sendWaiting).catch((error: unknown) => warn(channels[0] ?? 'command', String(error)));
  };
  const add = (about: Omit<Notice, 'project' | 'run' | 'at'>): void => {
    if (!isWanted(about.kind, target.config)) return;
    const [title, text] = [about.title, about.text].map(context.redact);
    const whole = {
      ...about,
      title: title ?? '',
      text: text ?? '',
      project: target.config.project.name,
      run: context.run,
    };
    if (outbox.add({ ...whole, at: context.clock.iso() }, channels)) send();
  };
  const command = (...words: readonly string[]): string =>
    ['harness', '-C', shellWord(target.root), ...words].join(' ');
  const ask = (gate: Gate): void => add(questionOf(gate, catalogue, target.config, command));

  outbox.tidy();
  // What an earlier process was killed over: notices that were written and not sent, and questions that it had only asked.
  const open = context.gates.list({ open: true, own: true });
  if (open.ok) for (const { gate } of open.value) ask(gate);
  send();
  return {
    event({ type, data }) {
      const id = data?.['gate'];
      if (type !== 'gate-opened' || typeof id !== 'string') return;
      const found = context.gates.find(id);
      if (found.ok && found.value !== null) ask(found.value.gate);
    },
    async ended(report, mode) {
      const kind = kindOfEnd(report, mode);
      if (kind !== null) add(endOf(kind, report, catalogue, target.config, command));
      await settlesWithin(LAST_MS, sending);
    },
  };
}

const isWanted = (kind: NoticeKind, { notify }: Config): boolean => notify.on.includes(kind);

type CommandOf = (...words: readonly string[]) => string;
type About = Omit<Notice, 'project' | 'run' | 'at'>;

const STUCK: readonly string[] = ['feature-stuck', 'repeated-failures', 'verification-failed', 'false-positives'];

/** A notice is a line on a telephone. */
const MOST_OF_ITEM = 80;

function questionOf(gate: Gate, catalogue: Catalogue, config: Config, command: CommandOf): About {
  const kind = gate.subject === 'budget-exceeded' ? 'budget' : STUCK.includes(gate.subject) ? 'stuck' : 'gate';
  const { question, options } = catalogue.gate(gate);
  const { name: project } = config.project;
  const named = [gate.item ?? '', (itemTitle(gate) ?? '').split('\n')[0] ?? ''].filter((part) => part !== '');
  const title = catalogue.text('notice.question', { project, item: named.join(': ').slice(0, MOST_OF_ITEM) });
  const text = [question, ...options.map(({ id, label }) => `- ${id}: ${label}`)].join('\n');
  return { token: gate.id, kind, item: gate.item, title, text, command: command('answer', gate.id, gate.recommended) };
}

/** null: a person is there, or the questions have been sent. */
function kindOfEnd({ result, failure, reason }: RunEnding, mode: RunMode): NoticeKind | null {
  if (result === 'done') return 'done';
  if (result === 'limit') return /budget|cost/.test(reason) ? 'budget' : 'done';
  if (result === 'blocked') {
    const why = failure?.reason ?? reason;
    if (why === 'agent-auth' || why === 'agent-billing') return 'login';
    return why === 'budget-exhausted' ? 'budget' : 'stuck';
  }
  return mode.untilDone && (result === 'failed' || result === 'rejected') ? 'stuck' : null;
}

function endOf(kind: NoticeKind, report: RunEnding, catalogue: Catalogue, config: Config, command: CommandOf): About {
  const landed = report.items.filter((item) => item.result === 'landed').length;
  const { name: project } = config.project;
  const title = catalogue.text('notice.ended', { project, kind: `notice-${kind}` });
  const why = report.failure === null ? [catalogue.outcome(report.reason)] : failureLines(report, catalogue);
  const text = [...why, catalogue.text('notice.landed', { count: landed })].join('\n');
  const next =
    kind === 'done' ? command('status') : kind === 'login' ? command('run', '--until-done') : command('status');
  return { token: `${report.run}-${kind}`, kind, item: report.items.at(-1)?.id ?? null, title, text, command: next };
}

function failureLines({ failure }: RunEnding, catalogue: Catalogue): readonly string[] {
  if (failure === null) return [];
  const { title, why, fix } = catalogue.failure(failure);
  return [title, ...(why === '' ? [] : [why]), ...fix.map((step) => `→ ${step}`)];
}
