// Events of a run as lines for people; null: it is not of note. Data of agents in them is shown as text.
import type { RunEvent } from './api.ts';
import { plain, span } from './format.ts';

type Line = { readonly text: string; readonly tone: 'good' | 'bad' | 'warn' | 'live' | 'calm' };
const line = (tone: Line['tone'], text: string): Line => ({ tone, text: plain(text) });

const word = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;

export function lineOf({ type, item = '', data = {} }: RunEvent): Line | null {
  const of = (name: string): string => word(data[name]);
  switch (type) {
    case 'run-started':
      return line('live', `${of('command')} started`);
    case 'run-ended':
      return line(
        of('result') === 'done' || of('result') === 'landed' ? 'good' : 'warn',
        `The run ended: ${of('result')}`,
      );
    case 'item-started':
      return line('calm', `#${item} is next`);
    case 'phase-began':
      return line('calm', `Phase: ${of('phase')} (round ${Number(data['round'])})`);
    case 'session-started':
      return line(
        'live',
        [of('role'), of('model') || of('provider')].filter((one) => one !== '').join(', ') + ' at work',
      );
    case 'checked': {
      const checks = list(data['checks']);
      if (checks.length === 0) return null;
      const failed = checks
        .filter((check) => fieldOf(check, 'passed') === false)
        .map((check) => word(fieldOf(check, 'name')));
      const ms = checks.reduce<number>((sum, check) => sum + Number(fieldOf(check, 'ms') ?? 0), 0);
      const names = checks.map((check) => word(fieldOf(check, 'name'))).join(', ');
      return data['holds'] === true
        ? line('good', `${of('purpose')}: ${names} passed in ${span(ms)}`)
        : line('bad', `${of('purpose')}: ${failed.join(', ') || names} failed`);
    }
    case 'proved': {
      const proofs = list(data['proofs']).map(
        (proof) => `${word(fieldOf(proof, 'proof'))} ${word(fieldOf(proof, 'came'))}`,
      );
      return line(list(data['problems']).length === 0 ? 'good' : 'bad', `Proof: ${proofs.join(', ')}`);
    }
    case 'landed':
      return line('good', `#${item} landed as ${of('commit').slice(0, 10)}`);
    case 'rolled-back':
      return line('bad', `#${item} was rolled back: ${of('why')}`);
    case 'item-ended':
      return of('result') === 'landed'
        ? null
        : line(of('result') === 'gate' ? 'warn' : 'bad', `#${item} ended: ${of('result')}, ${of('reason')}`);
    case 'gate-opened':
      return line('warn', `A question waits: ${of('subject')}`);
    case 'item-parked':
      return line('warn', `#${item} waits for an answer; others continue`);
    case 'item-unparked':
      return line('calm', `#${item} continues`);
    case 'waiting':
      return line('warn', `Waiting until ${of('until')}: ${of('why')}`);
    case 'tool-denied':
      return line('warn', `Refused ${of('tool')}: ${of('about').slice(0, 120)}`);
    case 'tool-violation':
      return line('bad', `${of('tool')} did not ask: ${of('about').slice(0, 120)}`);
    case 'tampering':
      return line('bad', `A protected file was changed and is put back: ${of('file')}`);
    case 'session-limit':
      return line('warn', `Limit: ${of('limit')} (${of('did')})`);
    case 'push-failed':
      return line('bad', 'The push was refused');
    case 'context-compacted':
      return line('calm', 'The agent shortened its context');
    default:
      return null;
  }
}
