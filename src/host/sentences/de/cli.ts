// German. The parameters of each sentence are listed in its English twin, ../en/cli.ts.
import type { TextKey } from '../en/all.ts';
import type { FailureSection } from '../shape.ts';
import type { Phrase } from '../../phrase.ts';

export const cli = {
  'confirmation-needed': {
    title: '{action} braucht eine Zustimmung, und hier ist niemand zu fragen.',
    why: '[[{detail}]]',
    mend: ['In einem Terminal ausführen, oder --yes hinzufügen.'],
  },
  'reason-needed': {
    title: '{command} braucht eine Begründung.',
    why: 'Sie bleibt an der Aufgabe sichtbar.',
    mend: ['--reason "warum"'],
  },
} as const satisfies FailureSection;

export const texts: { readonly [K in TextKey]: Phrase } = {
  'status.pending': 'offen',
  'status.ready': 'bereit',
  'status.active': 'in Arbeit',
  'status.waiting': 'wartet',
  'status.landed': 'gelandet',
  'status.unproved': 'ohne Nachweis gelandet',
  'status.failed': 'gescheitert',
  'status.blocked': 'blockiert',
  'status.skipped': 'ausgelassen',
  'result.landed': 'Aufgabe {item} ist gelandet: {reason}.',
  'result.partial': 'Aufgabe {item} ist teilweise fertig: {reason}.',
  'result.failed': 'Aufgabe {item} ist gescheitert: {reason}.',
  'result.rejected': 'Aufgabe {item} wurde abgelehnt: {reason}.',
  'result.gate': 'Aufgabe {item} wartet auf eine Antwort: {reason}.',
  'result.blocked': 'Nichts kann weitergehen: {reason}.',
  'result.done': 'Fertig: {reason}.',
  'result.limit': 'An einer Grenze angehalten: {reason}.',
  'result.paused': 'Pausiert: {reason}.',
  'gate.waits':
    'Die Frage {gate} „{header}“ wartet auf Antwort[[, zu Aufgabe {item}]]. Solange wird nichts ausgegeben.',
  'gate.recommended': 'empfohlen',
  'gate.none': 'Keine Frage wartet auf Antwort.',
  'gate.answered': 'Die Frage {gate} ist beantwortet: {option}.',
  'ids.more': { one: '… und {count} weiterer', other: '… und {count} weitere' },
  'confirm.question': '{question} Zum Fortfahren „yes“ eingeben: ',
};
