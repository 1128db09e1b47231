// The screen of `memory`: the layers, the tricks, and with a role what it has learnt.
import type { Answers } from '../../app/operations/all.ts';
import type { Caller } from '../command.ts';
import { minute } from './gates.ts';
import { columns, oneLine, short } from './table.ts';

type Memory = Answers['memory'];

export function showMemory(memory: Memory, caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  const none = [
    ...(memory.remembers ? [] : [text('memory.not', { playbook: memory.playbook })]),
    ...(memory.has_memory || !memory.remembers ? [] : [text('memory.none')]),
  ];
  const learnt = identityOf(memory, caller);
  if (!memory.has_memory) return [...none, ...learnt];
  return [
    ...none,
    ...layersOf(memory, caller),
    '',
    text('memory.entries', curationOf(memory)),
    ...tricksOf(memory, caller),
    ...learnt,
  ];
}

function layersOf({ layers }: Memory, caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  const rows = layers.map((one) => [
    one.layer,
    text(`memory.${one.layer}`, one.role === null ? {} : { role: one.role }),
    one.most_lines === null || one.most_tokens === null
      ? text('memory.size', { lines: one.lines, tokens: one.tokens })
      : text('memory.capped', {
          lines: one.lines,
          tokens: one.tokens,
          mostLines: one.most_lines,
          mostTokens: one.most_tokens,
        }),
    one.broken.length === 0 ? one.file : text('memory.broken', { file: one.file, why: one.broken.join(', ') }),
  ]);
  return columns(rows, (cell, row, column) =>
    column === 3 && (layers[row]?.broken.length ?? 0) > 0 ? caller.tint('yellow', cell) : cell,
  );
}

const curationOf = ({ entries, fresh, last_curation: last }: Memory) => ({
  entries,
  fresh,
  at: last === null ? '' : minute(last.at),
  session: last?.session ?? '',
});

function tricksOf({ tricks }: Memory, caller: Caller): readonly string[] {
  const { text } = caller.catalogue;
  if (tricks.length === 0) return [text('memory.no-tricks')];
  const rows = tricks.map((one) => [
    one.confirmed ? text('memory.confirmed') : text('memory.unconfirmed'),
    text('memory.named', {
      roles: one.roles.map((role) => oneLine(role)).join(', '),
      sessions: one.sessions.join(', '),
    }),
    short(one.text),
  ]);
  return [
    '',
    ...columns(rows, (cell, row, at) =>
      at === 0 && tricks[row]?.confirmed === true ? caller.tint('green', cell) : cell,
    ),
  ];
}

function identityOf({ identity }: Memory, caller: Caller): readonly string[] {
  if (identity === null) return [];
  const { text } = caller.catalogue;
  const { role } = identity;
  if (identity.text === '') return ['', text('memory.learnt-nothing', { role })];
  const lines = identity.text.split('\n').map((line) => `  ${oneLine(line)}`.trimEnd());
  return ['', caller.tint('bold', text('memory.learnt', { role })), ...lines];
}
