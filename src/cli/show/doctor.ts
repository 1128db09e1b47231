// The screen of `doctor`: each part, the sandbox levels that were tried, and how to fix what fails.
import type { Diagnosis } from '../../app/setup/doctor.ts';
import type { TriedChannel } from '../../app/setup/try-notify.ts';
import type { Caller } from '../command.ts';
import { oneLine, pairs } from './table.ts';

type Login = NonNullable<Diagnosis['providers'][number]['login']>;
type Probe = Diagnosis['sandbox']['probes'][number];
/** Canaries for what must work in a box; the others try to escape. */
const WORKS: readonly string[] = ['write', 'exit', 'clean'];

export function showDiagnosis(found: Diagnosis, caller: Caller): readonly string[] {
  const { text, failure: sentence } = caller.catalogue;
  const { harness, node, git, config, providers, hooks, lock, failures } = found;
  const rows: [string, string | readonly string[]][] = [
    [text('doctor.program'), text('doctor.versions', { harness, node })],
    [text('doctor.git'), git ?? bad(caller, text('doctor.git-missing'))],
    [text('doctor.sandbox'), sandboxOf(found, caller)],
  ];
  if (config !== null)
    rows.push([
      text('doctor.config'),
      config.file === null ? text('config.defaults') : text('config.from', { file: config.file }),
    ]);
  if (providers.length > 0)
    rows.push([
      text('doctor.agents'),
      providers.flatMap(({ provider, version, capabilities, login, failure }) => {
        const state = failure === null ? text('doctor.ready') : bad(caller, text('doctor.not-ready'));
        const named = `${oneLine(provider)}${version === null ? '' : ` ${oneLine(version)}`}: ${state}`;
        const signs = failure === null && login !== null ? [`  ${loginOf(login, caller)}`] : [];
        return [
          named,
          ...signs,
          ...(capabilities === null ? [] : [`  ${text('doctor.can', canOf(capabilities, login?.known ?? null))}`]),
        ];
      }),
    ]);
  if (hooks.length > 0)
    rows.push([text('doctor.hooks'), caller.tint('yellow', text('doctor.no-hooks', { names: hooks.join(', ') }))]);
  if (config !== null)
    rows.push([text('doctor.lock'), lock === null ? text('doctor.free') : bad(caller, holderOf(lock, caller))]);
  const lines = [...pairs(rows), ''];
  if (failures.length === 0) return [...lines, caller.tint('green', text('doctor.fine'))];
  lines.push(bad(caller, text('doctor.ill', { count: failures.length })));
  for (const failure of failures) {
    const { title, why, fix, causes } = sentence(failure);
    lines.push(`✗ ${title}`, ...causes.map((cause) => `    ${cause}`));
    if (why !== '') lines.push(...why.split('\n').map((line) => `    ${line}`));
    lines.push(...fix.map((step) => `    → ${step}`));
  }
  return lines;
}

/** What is known of the agent says more than the protocol it is driven by. */
function usageOf(declared: string, known: Login['known'] | null): string {
  if (known === null || known.money) return declared;
  return known.tokens === 'no' ? 'none' : 'tokens';
}

export function showChannels(tried: readonly TriedChannel[], caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  if (tried.length === 0) return ['', text('doctor.no-channel')];
  const lines = tried.map(({ channel, why }) =>
    why === null
      ? text('doctor.channel', { channel })
      : bad(caller, text('doctor.channel-broken', { channel, why: oneLine(why) })),
  );
  return ['', ...lines];
}

const loginOf = ({ login, known }: Login, caller: Caller): string =>
  login === null
    ? caller.tint('yellow', caller.catalogue.text('agents.login-unseen', { how: known.login.how }))
    : caller.catalogue.text('agents.login-seen', { sign: login });

const canOf = (
  { inject, context, usage, quota }: NonNullable<Diagnosis['providers'][number]['capabilities']>,
  known: Login['known'] | null,
) => ({
  inject: `inject-${inject}`,
  context: `context-${context}`,
  usage: `usage-${usageOf(usage, known)}`,
  quota: `quota-${quota}`,
});

function sandboxOf({ sandbox }: Diagnosis, caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  const { level, network, probes } = sandbox;
  const head =
    level === null
      ? bad(caller, text('doctor.level-missing'))
      : text(network === 'open' ? 'doctor.level-open' : 'doctor.level', { level });
  const outside = level === 'srt' || level === 'pidns' ? [caller.tint('yellow', text('doctor.outside'))] : [];
  const tried = probes.map((probe) => probeOf(probe, caller));
  return [level === 'none' ? caller.tint('yellow', head) : head, ...outside, ...tried];
}

/** One line per level: what it stops, what it does not stop, and what does not work in it. */
function probeOf({ level, holds, canaries, hindrance, words }: Probe, caller: Caller): string {
  const { text } = caller.catalogue;
  const why = { level, why: hindrance ?? '', ...(words === '' ? {} : { words: oneLine(words) }) };
  const named = (which: (canary: Probe['canaries'][number]) => boolean): string =>
    canaries
      .filter(which)
      .map(({ name }) => text(`doctor.canary-${name}`))
      .join(', ');
  const isEscape = ({ name }: { readonly name: string }): boolean => !WORKS.includes(name);
  const parts = [
    ['doctor.closed', named((canary) => isEscape(canary) && canary.ok)],
    ['doctor.open', named((canary) => isEscape(canary) && !canary.ok)],
    ['doctor.broken', named((canary) => !isEscape(canary) && !canary.ok)],
  ] as const;
  const said = parts.filter(([, which]) => which !== '').map(([key, which]) => text(key, { which }));
  const head = `${holds ? '✓' : '✗'} ${hindrance === null ? level : text('doctor.hindrance', why)}`;
  const line = [head, ...said].join('   ');
  return holds ? line : caller.tint('yellow', line);
}

const holderOf = (
  { pid, command }: { readonly pid: number | null; readonly command: string | null },
  { catalogue }: Caller,
): string => catalogue.text('status.held', { command: command ?? '?', ...(pid === null ? {} : { pid }) });

const bad = (caller: Caller, line: string): string => caller.tint('red', line);
