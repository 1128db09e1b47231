// German. The parameters of each sentence are listed in its English twin, ../en/init.ts.
import type { FailureSection } from '../shape.ts';

export const init = {
  'init-rejected': {
    title: 'Was der Initializer geschrieben hat, wurde nicht angenommen.',
    why: '[[{detail}]]',
    fix: ['Die Spezifikation an den aufgeführten Stellen präzisieren, dann: harness init'],
  },
  'claims-unresolved': {
    title: 'Feature {item} lässt sich nicht validieren.',
    why: '[[Es beruft sich auf {claims}; im committeten {file} steht das nicht. ]]Ohne Aussage besteht nichts.',
    fix: ['Die Aussage in {file} schreiben, committen, dann: harness run'],
  },
  'checkpoint-refused': {
    title: 'Ein Checkpoint der Mission wurde nicht freigegeben.',
    why: 'Alles Übernommene bleibt.',
    fix: ['Den Plan ändern oder Features ergänzen (harness add), dann: harness run'],
  },
  'mission-issues-undecided': {
    title: 'Über Befunde zu übernommenen Features ist noch nicht entschieden ({count}).',
    why: 'Der Orchestrator, der darüber entscheidet, war nicht verfügbar. Die Befunde liegen in .harness/issues.',
    fix: ['harness health   (sind alle Agenten verfügbar?)', 'harness run   (fragt den Orchestrator erneut)'],
  },
  'plan-rejected': {
    title: 'Der Plan wurde abgelehnt.',
    why: '[[{reasons}]]',
    fix: ['Der Entwurf liegt in .harness/plan. Die Spezifikation präzisieren, dann neu planen: harness run'],
  },
  'already-initialised': {
    title: 'Dieses Projekt ist schon eingerichtet[[: {file} ist vorhanden]].',
    why: 'Noch einmal einzurichten würde das Backlog ersetzen.',
    fix: ['harness status', 'harness run'],
  },
  'init-unfinished': {
    title: 'Das Einrichten dieses Projekts wurde unterbrochen und ist nicht fertig.',
    why: 'Was der Initializer bisher geschrieben hat, ist nicht geprüft.',
    fix: [
      'Derselbe Befehl noch einmal, etwa harness plan oder harness init --spec DATEI   (macht weiter oder nimmt es zurück)',
    ],
  },
  'spec-missing': {
    title: 'Die Spezifikation[[ {file}]] ist nicht lesbar[[: {#why}]].',
    why: 'Aus ihr entsteht der Plan.',
    fix: [
      'In eine Textdatei schreiben, was gebaut werden soll: wofür, was jeder Teil tut, seine Grenzen und Fehler. Dann: harness plan DATEI',
      'harness init --spec DATEI   (für ein Projekt, das nicht eingerichtet ist)',
    ],
  },
  'items-under-way': {
    title: 'An einer Aufgabe wird gearbeitet.',
    why: 'Ihre unfertige Arbeit ist in dem Arbeitsverzeichnis, das hierfür gebraucht wird.',
    fix: ['harness run   (macht damit weiter), dann noch einmal'],
  },
  'site-unreachable': {
    title: 'Die Website kann nicht angesehen werden: {url}[[: {words}]].',
    why: 'Eine Spezifikation entsteht aus dem, was ein echter Browser zeigt. Nur diese Adresse wird erreicht, keine andere.',
    fix: ['curl -sS -o /dev/null -D - {url}   (die Website starten oder die Adresse berichtigen)'],
  },
  'site-needs-login': {
    title: 'Die Seite verlangt eine Anmeldung: {url} (Status {status}).',
    why: 'Der Browser hat kein Konto und kein Passwort, damit keines festgehalten werden kann.',
    fix: ['Die Website ohne Anmeldung bereitstellen, etwa auf 127.0.0.1, und diese Adresse nennen.'],
  },
} as const satisfies FailureSection;
