// German. The parameters of each sentence are listed in its English twin, ../en/agents.ts.
import type { FailureSection } from '../shape.ts';

export const agents = {
  'agent-not-configured': {
    title: 'Der Agent[[ {provider}]][[ für die Rolle {role}]] ist nicht konfiguriert[[: {#missing}]].',
    why: '[[{detail}]][[{message}]]',
    fix: ['Den Abschnitt agents: der Konfiguration ergänzen.', 'harness config check'],
  },
  'agent-not-installed': {
    title: 'Der Agent[[ {provider}]][[ ({program})]] lässt sich nicht starten.',
    why: '[[{#why}. ]][[({package}) ]][[{where} ]][[{detail}]][[{message}]]',
    fix: [
      '[[{install}]]',
      '[[oder darauf verzichten, unter env: des Agenten: {unless}]]',
      'Den Agenten installieren, oder unter agents: einen anderen konfigurieren.',
    ],
  },
  'agent-not-addable': {
    title: 'Der Agent {program} lässt sich nicht mit npm installieren.',
    why: '',
    fix: ['Ihn installieren, wie sein Hersteller sagt: {page}', 'harness agents check {program}'],
  },
  'agent-not-added': {
    title: 'Der Agent {program} konnte nicht installiert werden ({package}).',
    why: 'npm sagt:\n{words}',
    fix: [
      'Die Ursache beheben, dann: harness agents add {program}',
      'Eine andere Version: harness agents add {program}@VERSION',
    ],
  },
  'agents-folder-missing': {
    title: 'Es gibt keinen Ordner für Agenten: weder HOME noch XDG_DATA_HOME ist gesetzt.',
    why: '',
    fix: ['HARNESS_AGENTS_DIR=DIR harness agents add NAME'],
  },
  'agent-auth': {
    title: 'Der Agent[[ {provider}]][[ ({program})]] ist nicht angemeldet.',
    why: '[[{detail}]][[{message}]]',
    fix: ['Mit dem Programm des Agenten anmelden oder seinen API-Schlüssel setzen, dann: harness run'],
  },
  'agent-billing': {
    title: 'Das Konto des Agenten[[ {provider}]][[ ({program})]] hat kein Guthaben mehr.',
    why: '[[{detail}]][[{message}]]',
    fix: ['Beim Anbieter Guthaben aufladen; die bisherige Arbeit ist gesichert.'],
  },
  'agent-quota-near': {
    title: 'Der Agent {provider} hat {percent} % seines Kontingents verbraucht ({window}).',
    why: 'So kurz vor der Grenze beginnt keine Sitzung (quota.begin_below).[[ Es wird in {retryAfterMs} zurückgesetzt.]]',
    fix: [
      'So lange warten, in agents.fallback einen anderen Agenten eintragen oder quota.begin_below anheben, dann: harness run',
    ],
  },
  'agent-rate-limited': {
    title: 'Der Agent[[ {provider}]][[ ({program})]] hat das Anfragelimit erreicht.',
    why: '[[Neuer Versuch in {retryAfterMs}. ]][[{detail}]][[{message}]]',
    fix: ['Etwas warten, dann: harness run'],
  },
  'agent-overloaded': {
    title: 'Der Anbieter des Agenten[[ {provider}]][[ ({program})]] ist überlastet.',
    why: '[[{detail}]][[{message}]]',
    fix: ['Etwas warten, dann: harness run'],
  },
  'agent-network': {
    title: 'Der Agent[[ {provider}]][[ ({program})]] erreicht seinen Anbieter nicht.',
    why: '[[{detail}]][[{message}]]',
    fix: ['Die Netzwerkverbindung prüfen, dann: harness run'],
  },
  'agent-timeout': {
    title: 'Der Agent[[ {provider}]][[ ({program})]] hat nicht rechtzeitig geantwortet[[ ({limitMs})]].',
    why: '[[{detail}]][[{message}]]',
    fix: ['session.timeout_minutes oder session.idle_seconds anheben, wenn die Arbeit länger braucht.'],
  },
  'agent-malformed': {
    title: 'Der Agent[[ {provider}]][[ ({program})]] hat eine ungültige Nachricht gesendet.',
    why: '[[{#what}. ]][[Erwartet: {expected}. ]][[Gefunden: {found}. ]][[Sie beginnt mit: {line} ]][[{detail}]][[{message}]]',
    fix: ['Unter agents: prüfen, ob der Agent dieses Protokoll in einer unterstützten Version spricht.'],
  },
  'agent-context-full': {
    title: 'Das Kontextfenster des Agenten[[ {provider}]][[ ({program})]] ist voll.',
    why: '[[{#what}. ]][[{detail}]][[{message}]]',
    fix: ['Die Aufgabe teilen: eine Aufgabe sollte in eine Sitzung passen.'],
  },
  'agent-refused': {
    title: 'Der Agent[[ {provider}]][[ ({program})]] hat die Aufgabe abgelehnt.',
    why: '[[{#what}. ]][[{detail}]][[{message}]]',
    fix: ['Die Aufgabe anders formulieren.'],
  },
  'agent-crashed': {
    title: 'Der Agent[[ {provider}]][[ ({program})]] wurde unerwartet beendet[[ (Exit-Code {code})]][[ ({signal})]].',
    why: '[[{#what}. ]][[{detail}]][[{message}]][[Letzte Ausgabe: {stderr}]]',
    fix: [
      'Seine letzten Schritte stehen im Ordner der Sitzung in .harness/sessions/. Die Ursache beheben, dann: harness run',
    ],
  },
  'agent-unknown': {
    title: 'Der Agent[[ {provider}]][[ ({program})]] ist aus unbekanntem Grund fehlgeschlagen.',
    why: '[[{detail}]][[{message}]][[ Seine letzten Worte: {words}]][[ Es gab aus: {stderr}]]',
    fix: [
      'Seine letzten Schritte stehen im Ordner der Sitzung in .harness/sessions/. Die Ursache beheben, dann: harness run',
    ],
  },
  'scenario-invalid': {
    title: 'Das Szenario[[ {file}]] des Skript-Agenten ist ungültig.',
    why: '',
    fix: ['Das Szenario korrigieren; alle Schritte stehen in docs/scenarios.md.'],
  },
  'scenario-mistake': {
    title: '{#problem}.',
    why: '',
    fix: ['Das Szenario korrigieren; alle Schritte stehen in docs/scenarios.md.'],
  },
  'cassette-invalid': {
    title: 'Die Kassette {file} kann nicht wiedergegeben werden.',
    why: '[[{#what}.]]',
    fix: ['Die Datei im aufgenommenen Zustand wiederherstellen, oder neu aufnehmen: harness run --record'],
  },
  'replay-departed': {
    title: 'Die Wiedergabe weicht vom aufgenommenen Lauf ab[[: {#what}]][[ (Sitzung {session}, Runde {turn})]].',
    why: '[[In Zeile {line}.]][[\nAufgenommen: {expected}]][[\nJetzt:       {found}]][[Datei: {path}. ]][[{#because}. ]][[{detail}]]',
    fix: ['Den aufgenommenen Stand wiederherstellen ({command}), oder neu aufnehmen: harness run --record'],
  },
  'role-missing': {
    title: 'Das Playbook {playbook} hat keine Rolle {role}: {file} ist nicht vorhanden.',
    why: '',
    fix: ['Eine Rolle des Playbooks verwenden, oder harness neu installieren, falls Prompts fehlen.'],
  },
  'role-invalid': {
    title: 'Die Rolle {role} des Playbooks {playbook} kann nicht verwendet werden.',
    why: '{detail}',
    fix: ['{file} korrigieren; ohne eigene Rolle gilt die mitgelieferte.'],
  },
  'agent-session-lost': {
    title: 'Die Sitzung[[ {session}]] des Agenten[[ {provider}]][[ ({program})]] kann nicht fortgesetzt werden.',
    why: '[[{#why}. ]][[{detail}]][[{message}]]',
    fix: ['Nichts zu tun: die Arbeit geht in einer neuen Sitzung weiter.'],
  },
} as const satisfies FailureSection;
