// The screens of `agents`: the table, what a check found, and how an added agent is configured.
import type { Added } from '../../app/setup/add-agent.ts';
import type { CheckedAgent, ListedAgent } from '../../app/setup/agents.ts';
import type { Json } from '../../model/json.ts';
import type { Caller } from '../command.ts';
import { columns, oneLine } from './table.ts';

type Known = ListedAgent['known'];

export function showAgents(listed: readonly ListedAgent[], caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  const head = ['name', 'installed', 'login', 'tokens', 'money'] as const;
  const rows = listed.map(({ known, place, version, login, usedAs }) => [
    known.name,
    place === null
      ? text('agents.absent')
      : text('agents.place', { place: `place-${place}`, ...(version === null ? {} : { version }) }),
    login === null ? text('agents.no-login') : oneLine(login),
    text('agents.tokens', { tokens: `tokens-${known.tokens}` }),
    `${text('agents.money', { money: known.money ? 'tokens-yes' : 'tokens-no' })}${usedAs.length === 0 ? '' : `   ${text('agents.used', { as: usedAs.join(', ') })}`}`,
  ]);
  const table = columns([head.map((key) => text(`agents.${key}-head`)), ...rows], (cell, row) =>
    row === 0 ? caller.tint('bold', cell) : listed[row - 1]?.place === null ? caller.tint('dim', cell) : cell,
  );
  const cares = listed
    .filter(({ place, usedAs }) => place !== null || usedAs.length > 0)
    .flatMap(({ known }) => careOf(known, caller));
  return [...table, ...(cares.length === 0 ? [] : ['', ...cares]), '', text('agents.hint')];
}

export function showChecked(checked: readonly CheckedAgent[], caller: Caller): readonly string[] {
  const { text, failure: sentence } = caller.catalogue;
  if (checked.length === 0) return [text('agents.none')];
  return checked.flatMap(({ name, here, version, introduction, failure }) => {
    const title = [oneLine(name), ...(version === null ? [] : [oneLine(version)])].join(' ');
    if (failure !== null) {
      const { title: what, why, fix } = sentence(failure);
      const lines = [...(why === '' ? [] : why.split('\n')), ...fix.map((step) => `→ ${step}`)];
      return [caller.tint('red', `✗ ${title}: ${what}`), ...lines.map((line) => `    ${line}`)];
    }
    const resumes = introduction === null ? [] : [text(introduction.resume ? 'agents.resumes' : 'agents.starts-again')];
    const login =
      here === null
        ? []
        : [
            here.login === null
              ? text('agents.login-unseen', { how: here.known.login.how })
              : text('agents.login-seen', { sign: here.login }),
          ];
    return [
      caller.tint('green', `✓ ${text('agents.starts', { agent: title })}`),
      ...[...login, ...resumes].map((line) => `    ${line}`),
      ...(here === null ? [] : careOf(here.known, caller).map((line) => `    ${line}`)),
    ];
  });
}

export function addedLines(
  { known, receipt, folder, isNew }: Added,
  { catalogue: { text } }: Caller,
): readonly string[] {
  const { package: from, version } = receipt;
  return [
    text(isNew ? 'agents.added' : 'agents.added-before', { package: from, version, folder }),
    '',
    text('agents.configure'),
    '  agents:',
    `    default: ${configOf(known)}`,
    '',
    text('agents.log-in', { how: known.login.how }),
    text('agents.then-check', { name: known.name }),
  ];
}

const configOf = ({ provider, command }: Known): string =>
  command.length === 0 ? `{ provider: ${provider} }` : `{ provider: ${provider}, command: [${command.join(', ')}] }`;

const careOf = ({ name, care }: Known, { catalogue: { text } }: Caller): readonly string[] =>
  care.map((one) => text('agents.care', { name, care: one }));

const knownJson = ({
  name,
  title,
  provider,
  command,
  package: from,
  page,
  tokens,
  money,
  care,
}: Known): { readonly [key: string]: Json } => ({
  name,
  title,
  provider,
  command,
  package: from?.name ?? null,
  tested: from?.version ?? null,
  page,
  reports: { tokens, money },
  care,
});

export const listedJson = ({
  known,
  place,
  version,
  login,
  usedAs,
}: ListedAgent): { readonly [key: string]: Json } => ({
  ...knownJson(known),
  installed: place !== null,
  place,
  version,
  login,
  used_as: usedAs,
});

export function checkedJson(
  { name, here, version, introduction, failure, usedAs }: CheckedAgent,
  { catalogue }: Caller,
): { readonly [key: string]: Json } {
  return {
    ...(here === null ? {} : knownJson(here.known)),
    name,
    starts: failure === null,
    installed: here === null ? failure === null : here.place !== null,
    place: here?.place ?? null,
    version,
    login: here?.login ?? null,
    resumes: introduction?.resume ?? null,
    logins: introduction?.logins ?? null,
    used_as: usedAs,
    failure:
      failure === null
        ? null
        : { code: failure.reason, message: catalogue.failure(failure).title, why: catalogue.failure(failure).why },
  };
}
