// English: confirmations, and the words of the command line itself.
import type { FailureSection } from '../shape.ts';
import type { Phrase } from '../../phrase.ts';

export const cli = {
  // {action, detail}
  'confirmation-needed': {
    title: '{action} needs your consent, and nobody can be asked here.',
    why: '[[{detail}]]',
    mend: ['Run it in a terminal, or add --yes.'],
  },
  // {command}
  'reason-needed': {
    title: '{command} needs a reason.',
    why: 'The reason stays visible on the item.',
    mend: ['--reason "why"'],
  },
} as const satisfies FailureSection;

export const texts = {
  'status.pending': 'pending',
  'status.ready': 'ready',
  'status.active': 'at work',
  'status.waiting': 'waiting',
  'status.landed': 'landed',
  'status.unproved': 'landed without proof',
  'status.failed': 'failed',
  'status.blocked': 'blocked',
  'status.skipped': 'skipped',
  // {item, reason}
  'result.landed': 'Item {item} landed: {reason}.',
  'result.partial': 'Item {item} is partly done: {reason}.',
  'result.failed': 'Item {item} failed: {reason}.',
  'result.rejected': 'Item {item} was rejected: {reason}.',
  'result.gate': 'Item {item} waits at a gate: {reason}.',
  'result.blocked': 'Nothing can go on: {reason}.',
  'result.done': 'Done: {reason}.',
  'result.limit': 'Stopped at a limit: {reason}.',
  'result.paused': 'Paused: {reason}.',
  // {gate, header, item}
  'gate.waits': 'Gate {gate} "{header}" wants an answer[[ for item {item}]]. It will wait; nothing is being spent.',
  'gate.recommended': 'recommended',
  'gate.none': 'No gate waits for an answer.',
  // {gate, option}
  'gate.answered': 'Gate {gate} is answered: {option}.',
  // {count}
  'ids.more': { one: '… and {count} more', other: '… and {count} more' },
  // {question}
  'confirm.question': '{question} Type "yes" to go on: ',
} as const satisfies { readonly [key: string]: Phrase };
