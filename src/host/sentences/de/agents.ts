// German. The parameters of each sentence are listed in its English twin, ../en/agents.ts.
import type { FailureSection } from '../shape.ts';

export const agents = {
  'agent-not-configured': {
    title: 'Es ist kein Agent eingestellt[[ für die Rolle {role}]].',
    why: '',
    mend: ['agents.default.provider in der Konfiguration setzen.', 'harness doctor'],
  },
  'agent-not-installed': {
    title: 'Der Agent {provider} ist nicht installiert.',
    why: '[[{detail}]]',
    mend: ['harness doctor   (sagt, wie man ihn installiert)'],
  },
  'agent-auth': {
    title: 'Der Agent {provider} ist nicht angemeldet.',
    why: '[[{detail}]]',
    mend: ['Mit dem Programm des Agenten anmelden oder seinen Schlüssel setzen, dann: harness doctor'],
  },
  'agent-billing': {
    title: 'Das Konto bei {provider} hat kein Guthaben mehr.',
    why: '[[{detail}]]',
    mend: ['Beim Anbieter klären; was bisher getan wurde, ist gesichert.'],
  },
  'agent-rate-limited': {
    title: '{provider} nimmt zurzeit keine weiteren Anfragen an.',
    why: '[[In {retryMs} darf wieder gefragt werden. ]][[{detail}]]',
    mend: ['Abwarten; es wird von selbst wieder versucht.'],
  },
  'agent-overloaded': {
    title: '{provider} ist überlastet.',
    why: '[[{detail}]]',
    mend: ['Abwarten; es wird von selbst wieder versucht.'],
  },
  'agent-network': {
    title: '{provider} ist nicht erreichbar.',
    why: '[[{detail}]]',
    mend: ['Nachsehen, ob diese Maschine ein Netz hat; es wird von selbst wieder versucht.'],
  },
  'agent-timeout': {
    title: 'Der Agent {provider} hat nicht rechtzeitig geantwortet[[ ({limitMs})]].',
    why: '[[{detail}]]',
    mend: ['session.timeout_minutes oder session.idle_seconds anheben, wenn die Arbeit länger braucht.'],
  },
  'agent-malformed': {
    title: 'Der Agent {provider} hat etwas gesendet, das nicht zu seinem Protokoll gehört.',
    why: '[[{detail}]]',
    mend: ['harness doctor   (nennt die Versionen, die bekanntermaßen gehen)'],
  },
  'agent-context-full': {
    title: 'Das Kontextfenster von {provider} ist voll.',
    why: '[[{detail}]]',
    mend: ['Die Aufgabe teilen: eine Aufgabe sollte in eine Sitzung passen.'],
  },
  'agent-refused': {
    title: 'Der Agent {provider} hat die Aufgabe abgelehnt.',
    why: '[[{detail}]]',
    mend: ['Die Aufgabe so lesen, wie der Agent sie liest, und anders formulieren.'],
  },
  'agent-crashed': {
    title: 'Der Agent {provider} hat unerwartet geendet[[ (Exit-Code {exit})]].',
    why: '[[{tail}]]',
    mend: ['Die Mitschrift der Sitzung zeigt die letzten Schritte: harness logs'],
  },
  'agent-unknown': {
    title: 'Der Agent {provider} ist aus unbekanntem Grund gescheitert.',
    why: '[[{detail}]]',
    mend: ['Die Mitschrift der Sitzung zeigt die letzten Schritte: harness logs'],
  },
  'scenario-invalid': {
    title: 'Das Szenario {file} des gespielten Agenten hat einen Fehler.',
    why: '{detail}',
    mend: ['Das Szenario berichtigen.'],
  },
  'role-missing': {
    title: 'Das Playbook {playbook} hat keine Rolle {role}: {file} ist nicht vorhanden.',
    why: '',
    mend: ['Eine Rolle des Playbooks benutzen, oder harness neu installieren, falls seine Prompts fehlen.'],
  },
  'role-invalid': {
    title: 'Die Rolle {role} des Playbooks {playbook} ist nicht benutzbar.',
    why: '{detail}',
    mend: ['{file} berichtigen; eine eigene Rolle kann entfernt werden, dann gilt die mitgelieferte.'],
  },
} as const satisfies FailureSection;
