// German. The parameters of each sentence are listed in its English twin, ../en/agents.ts.
import type { FailureSection } from '../shape.ts';

export const agents = {
  'agent-not-configured': {
    title: 'Der Agent[[ {provider}]][[ für die Rolle {role}]] ist nicht eingestellt[[: {#missing}]].',
    why: '[[{detail}]][[{message}]]',
    mend: ['agents: in der Konfiguration ergänzen.', 'harness config check'],
  },
  'agent-not-installed': {
    title: 'Der Agent[[ {provider}]][[ ({program})]] lässt sich nicht starten.',
    why: '[[{#why}. ]][[({package}) ]][[{where} ]][[{detail}]][[{message}]]',
    mend: [
      '[[{install}]]',
      '[[oder ohne auskommen, in env: des Agenten: {unless}]]',
      'Ihn installieren, oder unter agents: in der Konfiguration einen anderen nennen.',
    ],
  },
  'agent-auth': {
    title: 'Der Agent[[ {provider}]][[ ({program})]] ist nicht angemeldet.',
    why: '[[{detail}]][[{message}]]',
    mend: ['Mit dem Programm des Agenten anmelden oder seinen Schlüssel setzen, dann: harness run'],
  },
  'agent-billing': {
    title: 'Das Konto des Agenten[[ {provider}]][[ ({program})]] hat kein Guthaben mehr.',
    why: '[[{detail}]][[{message}]]',
    mend: ['Beim Anbieter klären; was bisher getan wurde, ist gesichert.'],
  },
  'agent-quota-near': {
    title: 'Vom Kontingent des Agenten {provider} sind {percent} % verbraucht ({window}).',
    why: 'So kurz vor dem Ende beginnt keine Sitzung (quota.begin_below).[[ In {retryAfterMs} beginnt ein neues.]]',
    mend: [
      'So lange warten, in agents.fallback einen anderen Agenten nennen oder quota.begin_below anheben, dann: harness run',
    ],
  },
  'agent-rate-limited': {
    title: 'Der Agent[[ {provider}]][[ ({program})]] darf zurzeit keine weiteren Anfragen stellen.',
    why: '[[In {retryAfterMs} darf wieder gefragt werden. ]][[{detail}]][[{message}]]',
    mend: ['Etwas abwarten, dann: harness run'],
  },
  'agent-overloaded': {
    title: 'Der Anbieter des Agenten[[ {provider}]][[ ({program})]] ist überlastet.',
    why: '[[{detail}]][[{message}]]',
    mend: ['Etwas abwarten, dann: harness run'],
  },
  'agent-network': {
    title: 'Der Agent[[ {provider}]][[ ({program})]] erreicht seinen Anbieter nicht.',
    why: '[[{detail}]][[{message}]]',
    mend: ['Nachsehen, ob diese Maschine ein Netz hat, dann: harness run'],
  },
  'agent-timeout': {
    title: 'Der Agent[[ {provider}]][[ ({program})]] hat nicht rechtzeitig geantwortet[[ ({limitMs})]].',
    why: '[[{detail}]][[{message}]]',
    mend: ['session.timeout_minutes oder session.idle_seconds anheben, wenn die Arbeit länger braucht.'],
  },
  'agent-malformed': {
    title: 'Der Agent[[ {provider}]][[ ({program})]] hat etwas Unverständliches gesendet.',
    why: '[[{#what}. ]][[Erwartet: {expected}. ]][[Gefunden: {found}. ]][[Seine ersten Worte: {line} ]][[{detail}]][[{message}]]',
    mend: ['Unter agents: in der Konfiguration nachsehen, ob er dieses Protokoll spricht und die Version passt.'],
  },
  'agent-context-full': {
    title: 'Das Kontextfenster des Agenten[[ {provider}]][[ ({program})]] ist voll.',
    why: '[[{#what}. ]][[{detail}]][[{message}]]',
    mend: ['Die Aufgabe teilen: eine Aufgabe sollte in eine Sitzung passen.'],
  },
  'agent-refused': {
    title: 'Der Agent[[ {provider}]][[ ({program})]] hat die Aufgabe abgelehnt.',
    why: '[[{#what}. ]][[{detail}]][[{message}]]',
    mend: ['Die Aufgabe so lesen, wie der Agent sie liest, und anders formulieren.'],
  },
  'agent-crashed': {
    title: 'Der Agent[[ {provider}]][[ ({program})]] hat unerwartet geendet[[ (Exit-Code {code})]][[ ({signal})]].',
    why: '[[{#what}. ]][[{detail}]][[{message}]][[Seine letzten Worte: {stderr}]]',
    mend: ['Seine letzten Schritte stehen in .harness/sessions/, im Ordner der Sitzung. Beheben, dann: harness run'],
  },
  'agent-unknown': {
    title: 'Der Agent[[ {provider}]][[ ({program})]] ist aus unbekanntem Grund gescheitert.',
    why: '[[{detail}]][[{message}]]',
    mend: ['Seine letzten Schritte stehen in .harness/sessions/, im Ordner der Sitzung. Beheben, dann: harness run'],
  },
  'scenario-invalid': {
    title: 'Das Szenario[[ {file}]] des gespielten Agenten ist nicht gültig.',
    why: '',
    mend: ['Das Szenario berichtigen; alle Schritte stehen in docs/scenarios.md.'],
  },
  'scenario-mistake': {
    title: '{#problem}.',
    why: '',
    mend: ['Das Szenario berichtigen; alle Schritte stehen in docs/scenarios.md.'],
  },
  'cassette-invalid': {
    title: 'Die Kassette {file} ist nicht abspielbar.',
    why: '[[{#what}.]]',
    mend: ['Die Datei nehmen, wie sie aufgenommen wurde, oder neu aufnehmen: harness run --record'],
  },
  'replay-departed': {
    title: 'Die Wiedergabe ist nicht mehr der aufgenommene Lauf[[: {#what}]][[ (Sitzung {session}, Zug {turn})]].',
    why: '[[Zeile {line} davon.]][[\nAufgenommen: {expected}]][[\nJetzt:       {found}]][[Datei: {path}. ]][[{#because}. ]][[{detail}]]',
    mend: ['Zurück zu dem, was aufgenommen wurde ({command}), oder neu aufnehmen: harness run --record'],
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
  'agent-session-lost': {
    title: 'Die Sitzung[[ {session}]] des Agenten[[ {provider}]][[ ({program})]] lässt sich nicht wieder aufnehmen.',
    why: '[[{#why}. ]][[{detail}]][[{message}]]',
    mend: ['Nichts: es geht in einer frischen Sitzung weiter.'],
  },
} as const satisfies FailureSection;
