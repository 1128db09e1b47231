// The progress of a run on stderr, a line per event.
import * as z from 'zod/mini';
import type { Watcher } from '../../app/open/run-context.ts';
import type { TextKey } from '../../host/sentences/en/all.ts';
import { problemsSchema } from '../../model/verdict.ts';
import { entryOf } from '../../model/entry.ts';
import { PLAYBOOKS } from '../../model/config/names.ts';
import type { HarnessEvent } from '../../model/event.ts';
import type { Params } from '../../model/failure.ts';
import type { Json } from '../../model/json.ts';
import type { Caller } from '../command.ts';
import { issueLine, proposalLine } from './issues.ts';

/** What makes room for another item: then there is one at work, not two. */
const ENDS: ReadonlySet<string> = new Set(['item-ended', 'item-parked']);

export function narrator(caller: Caller): Watcher {
  const atWork = new Set<string>();
  let areSeveral = false;
  return {
    event(event) {
      const { item = null } = event;
      if (event.type === 'item-started' && item !== null) atWork.add(item);
      areSeveral ||= atWork.size > 1;
      const line = lineOf(event, caller);
      if (line !== null) caller.say(areSeveral && item !== null ? ofItem(line, item, caller) : line);
      if (ENDS.has(event.type) && item !== null) atWork.delete(item);
    },
    agent(_session, event) {
      // With --json the lines go to a log, and what a tool is called with may be secret.
      if (!caller.verbose || caller.json) return;
      if (event.t === 'tool-start')
        caller.say(caller.paint('dim', `    ${event.name} ${JSON.stringify(event.input).slice(0, 120)}`));
    },
  };
}

/** Of several items at work, each line says whose it is. */
const ofItem = (lines: string, item: string, caller: Caller): string =>
  lines
    .split('\n')
    .map((line) => `${caller.paint('dim', `#${item}`)} ${line}`)
    .join('\n');

type Data = NonNullable<HarnessEvent['data']>;
const checksSchema = z.array(z.object({ name: z.string(), passed: z.boolean(), ms: z.number() }));
const proofsSchema = z.array(z.object({ proof: z.string(), came: z.string(), ms: z.number() }));

function listEdited(data: Data, { catalogue: { text } }: Caller): string {
  const taken = wordOf(data['taken']);
  const about = { file: wordOf(data['file']), kept: wordOf(data['kept']) };
  if (taken === 'all') return text('say.list-edited-all', about);
  return text(taken === 'part' ? 'say.list-edited-part' : 'say.list-edited-nothing', about);
}

function rolledBack(data: Data, caller: Caller): string {
  const { text, outcome } = caller.catalogue;
  const counted = (key: 'say.installed-back' | 'say.installed-left', count: number): readonly string[] =>
    count > 0 ? [text(key, { count })] : [];
  return [
    text('say.back', { why: outcome(wordOf(data['why'])) }),
    ...counted('say.installed-back', Number(data['installedBack'] ?? 0)),
    ...counted('say.installed-left', Number(data['installedLeft'] ?? 0)),
  ].join('\n');
}

const WEAKER: { readonly [level: string]: TextKey } = {
  none: 'say.unsandboxed',
  pidns: 'say.half-sandboxed',
  srt: 'say.only-checks-sandboxed',
};

function lineOf(event: Omit<HarnessEvent, 'ts'>, caller: Caller): string | null {
  const { text } = caller.catalogue;
  const data = event.data ?? {};
  const item = event.item ?? '';
  const session = event.session ?? 0;
  const word = wordOf;
  switch (event.type) {
    case 'sandbox':
      if (data['weaker'] !== true) return null;
      return caller.paint(
        'red',
        text(entryOf(WEAKER, word(data['level'])) ?? 'say.unsandboxed', { why: word(data['why']) }),
      );
    case 'migrating':
      return text('say.migrating', { from: Number(data['from']), to: Number(data['to']) });
    case 'migrated': {
      const backup = word(data['backup']);
      return caller.paint('yellow', text(backup === '' ? 'say.migrated-without' : 'say.migrated', { backup }));
    }
    case 'state-newer':
      return caller.paint(
        'red',
        text('say.newer-state', {
          found: Number(data['found']),
          supported: Number(data['supported']),
          backup: word(data['backup']),
        }),
      );
    case 'item-started':
      return text('say.item', { session, item });
    case 'phase-began':
      return phaseBegan(data, caller);
    case 'session-started':
      return text('say.session', { role: word(data['role']), provider: word(data['provider']) });
    case 'session-ended':
      return ended(data, caller);
    case 'waiting':
      return caller.paint('yellow', text('say.wait', waitOf(data)));
    case 'session-limit':
      return caller.paint('yellow', limitOf(data, caller));
    case 'agent-stands-in':
      return caller.paint('yellow', text('say.stands-in', standsIn(data)));
    case 'budget-blind':
      return caller.paint('yellow', text(`say.blind-${data['blind'] === 'tokens' ? 'tokens' : 'money'}`));
    case 'checked':
      return checked(data, caller);
    case 'proved':
      return proved(data, caller);
    case 'rolled-back':
      return caller.paint('yellow', rolledBack(data, caller));
    case 'landed':
      return caller.paint('green', text('say.landed', { item, commit: word(data['commit']).slice(0, 10) }));
    case 'turn-undone':
      return caller.paint('yellow', undone(data, session, caller));
    case 'commits-kept':
      return caller.paint('yellow', commitsKept(data, session, caller));
    case 'wip-set-aside':
      return caller.paint('yellow', text('say.set-aside', { item, number: Number(data['number']) }));
    case 'uncommitted':
      return caller.paint('yellow', text('say.uncommitted', { file: word(data['file']) }));
    case 'continues-beside':
      return caller.paint('yellow', text('say.continues-beside', { files: word(data['files']) }));
    case 'planned-again':
      return caller.paint('yellow', text('say.planned-again', { file: word(data['file']) }));
    case 'memory-repaired':
      return caller.paint('yellow', text('say.memory-repaired', { file: word(data['file']), why: word(data['why']) }));
    case 'turn-unplayable':
      return caller.paint(
        'red',
        text('say.unplayable', { session, turn: Number(data['turn']), why: word(data['why']) }),
      );
    case 'suite-tried':
      return text('say.suite', { command: word(data['command']) });
    case 'site-opened':
      return text('say.site', { url: word(data['url']) });
    case 'installing':
      return text('say.installing', { command: word(data['command']) });
    case 'install-copied':
      return caller.paint(
        'yellow',
        text('say.install-copied', { command: word(data['command']), tail: word(data['tail']) }),
      );
    case 'ignored-back':
      return caller.paint(
        'yellow',
        text('say.ignored-back', { count: Number(data['count']), files: word(data['files']) }),
      );
    case 'list-broken':
      return caller.paint(
        'red',
        text('say.list-broken', {
          file: word(data['file']),
          line: Number(data['line']),
          column: Number(data['column']),
          kept: word(data['kept']),
        }),
      );
    case 'users-files':
    case 'unclear-files':
      return caller.paint('yellow', usersFiles(event.type, data, caller));
    case 'list-edited':
      return caller.paint('yellow', listEdited(data, caller));
    case 'item-parked':
      return caller.paint('yellow', text('say.parked', { item }));
    case 'landing-waits':
      return caller.paint('dim', text('say.landing-waits', { item, behind: word(data['behind']) }));
    case 'taken-back':
      return text('say.taken-back', { item, number: Number(data['number'] ?? 0) });
    case 'message-passed':
      return text('say.message-passed', { item });
    case 'item-unparked':
      return text('say.unparked', { item });
    case 'run-branch-gone':
      return caller.paint(
        'yellow',
        text('say.run-branch-gone', { branch: word(data['branch']), commit: word(data['commit']).slice(0, 12) }),
      );
    case 'work-stashed':
      return caller.paint('yellow', text('say.stashed'));
    case 'notice-failed':
      return caller.paint(
        'yellow',
        text('say.notice-failed', { channel: word(data['channel']), why: word(data['why']) }),
      );
    case 'proposed':
      return caller.paint(
        'green',
        text('proposal.opened', { item, number: Number(data['number']), url: word(data['url']) }),
      );
    case 'proposal':
      return proposalLine(data, item, caller);
    case 'issue':
      return issueLine(data, item, caller);
    case 'issues-failed':
      return caller.paint('yellow', text('issues.failed', { cause: word(data['cause']) }));
    case 'unsigned':
      return caller.paint('yellow', text('say.unsigned'));
    case 'push-behind':
      return caller.paint('yellow', text('say.behind', { remote: word(data['remote']) }));
    case 'merged':
      return text('say.merged', { remote: word(data['remote']), count: Number(data['count']) });
    case 'unwound':
      return text('say.unwound', { item, commit: word(data['commit']).slice(0, 10) });
    case 'not-unwound':
      return caller.paint(
        'yellow',
        text('say.not-unwound', { item, why: caller.catalogue.outcome(wordOf(data['reason'])) }),
      );
    case 'push-failed':
      return caller.paint('red', text('say.push', { remote: word(data['remote']) }));
    case 'tool-denied':
    case 'tool-violation': {
      const key = event.type === 'tool-denied' ? 'say.denied' : 'say.violation';
      const about = word(data['about']).slice(0, 100);
      return caller.paint('yellow', text(key, { rule: word(data['rule']), tool: word(data['tool']), about }));
    }
    case 'tampering':
      return caller.paint(
        'red',
        text(data['code'] === 'git-files-edited' ? 'say.git-tampering' : 'say.tampering', {
          file: word(data['file']),
          kept: word(data['kept'] ?? ''),
        }),
      );
    default:
      return null;
  }
}

/** Null: the playbook of the machine has no sentence for it. */
function phaseBegan(data: Data, { catalogue: { text } }: Caller): string | null {
  const playbook = PLAYBOOKS.find((name) => name === data['machine']);
  if (playbook === undefined) return null;
  const key = `${playbook}.phase.${wordOf(data['phase'])}` as const;
  const said = text(key, { round: Number(data['round']) });
  return said === key ? null : said;
}

/** The session's own summary line, or why it failed. */
function ended(data: Data, caller: Caller): string {
  const { catalogue } = caller;
  const [role, said, result] = [wordOf(data['role']), wordOf(data['said']), wordOf(data['result'])];
  const notes = (problemsSchema.safeParse(data['notes']).data ?? []).map((note) =>
    caller.paint('yellow', `    ⚠ ${catalogue.problem(note)}`),
  );
  const why = catalogue.outcome(wordOf(data['reason']));
  const line =
    result === 'done'
      ? catalogue.text('say.said', { role, said })
      : caller.paint('yellow', catalogue.text('say.said-not', { role, said, why }));
  return [line, ...notes].join('\n');
}

const waitOf = (data: Data): Params => ({
  why: wordOf(data['why']),
  until: wordOf(data['until']),
  ...(Number(data['of']) > 1 ? { attempt: Number(data['attempt']), of: Number(data['of']) } : {}),
});

const standsIn = (data: Data): Params => ({
  for: wordOf(data['for']),
  agent: wordOf(data['agent']),
  window: wordOf(data['window']),
  percent: Number(data['percent']),
  ...(data['until'] === null ? {} : { until: wordOf(data['until']) }),
});

/** `stuck` is both a warning and an end of a session. */
function limitOf(data: Data, { catalogue }: Caller): string {
  const limit = wordOf(data['limit']);
  const name = limit === 'stuck' && data['did'] === 'ended' ? 'stuck-ended' : limit;
  const known = LIMITS.find((one) => one === name);
  const counts = { used: Number(data['used']), window: Number(data['window']) };
  return known === undefined ? name : catalogue.text(`say.limit-${known}`, counts);
}

const LIMITS = [
  'context-warning',
  'context-wrap-up',
  'context-limit',
  'stuck',
  'stuck-wrap-up',
  'stuck-ended',
  'same-error',
  'time-warning',
  'budget-wrap-up',
  'budget-limit',
  'quota-wrap-up',
  'quota-limit',
  'wall-limit',
  'idle-limit',
  'output-limit',
] as const;

/** Commits made during the turn may be the user's: they are listed with the attempt that keeps them. */
const undone = (data: Data, session: number, { catalogue }: Caller): string => {
  const commits = z.array(z.string()).safeParse(data['commits']).data ?? [];
  if (commits.length === 0) return catalogue.text('say.undone', { session });
  const named = commits.map((subject) => `"${subject}"`).join(', ');
  const about = { commits: named, item: wordOf(data['item']), number: Number(data['number']) };
  return catalogue.text('say.undone', { session, ...about });
};

/** A user and an agent changed files in the same folder. */
const usersFiles = (type: string, data: Data, { catalogue }: Caller): string => {
  const about = { count: Number(data['count']), files: wordOf(data['files']) };
  if (type === 'unclear-files') return catalogue.text('say.unclear-files', about);
  return catalogue.text(data['ends'] === 'landed' ? 'say.users-files-landed' : 'say.users-files-kept', about);
};

const commitsKept = (data: Data, session: number, { catalogue }: Caller): string => {
  const commits = z.array(z.string()).safeParse(data['commits']).data ?? [];
  const named = commits.map((subject) => `"${subject}"`).join(', ');
  const item = wordOf(data['item']);
  return catalogue.text('say.commits-kept', {
    session,
    commits: named,
    ...(item === '' ? {} : { item, number: Number(data['number']) }),
  });
};

const wordOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

function checked(data: { readonly [key: string]: Json }, caller: Caller): string | null {
  const checks = checksSchema.safeParse(data['checks']).data ?? [];
  if (checks.length === 0) return null;
  const shown = checks.map(
    (c) =>
      `${c.name} ${c.passed ? caller.paint('green', 'ok') : caller.paint('red', 'FAILED')} (${(c.ms / 1000).toFixed(1)} s)`,
  );
  return `    ${wordOf(data['purpose'])}: ${shown.join(', ')}`;
}

/** red: fails without the work · canary: the runner reports failures · mutation: notices faults · frozen: old tests pass */
function proved(data: { readonly [key: string]: Json }, caller: Caller): string | null {
  const proofs = proofsSchema.safeParse(data['proofs']).data ?? [];
  if (proofs.length === 0) return null;
  const shown = proofs.map(({ proof, came, ms }) => {
    if (came !== 'held' && came !== 'failed') return `${proof} –`;
    const how = came === 'held' ? caller.paint('green', 'ok') : caller.paint('yellow', 'no');
    return `${proof} ${how} (${(ms / 1000).toFixed(1)} s)`;
  });
  return caller.catalogue.text('say.proof', { proofs: shown.join(', ') });
}
