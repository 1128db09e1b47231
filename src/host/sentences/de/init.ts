// German. The parameters of each sentence are listed in its English twin, ../en/init.ts.
import type { FailureSection } from '../shape.ts';

export const init = {
  'init-rejected': {
    title: 'Was der Initializer geschrieben hat, wurde nicht angenommen.',
    why: '[[{detail}]]',
    mend: ['Lesen, was aufgeführt ist, die Spezifikation dort klarer machen, dann: harness init'],
  },
  'already-initialised': {
    title: 'Dieses Projekt ist schon eingerichtet[[: {file} ist vorhanden]].',
    why: 'Noch einmal einzurichten würde das Backlog ersetzen.',
    mend: ['harness status', 'harness run'],
  },
  'init-unfinished': {
    title: 'Das Einrichten dieses Projekts wurde unterbrochen und ist nicht fertig.',
    why: 'Was dabei bisher entstand, ist nicht geprüft.',
    mend: ['harness init   (macht weiter oder nimmt es zurück)'],
  },
  'spec-missing': {
    title: 'Die Spezifikation[[ {file}]] ist nicht lesbar[[: {#why}]].',
    why: 'Aus ihr entsteht der Plan.',
    mend: ['harness init --spec DATEI   (eine Textdatei, die sagt, was entstehen soll)'],
  },
} as const satisfies FailureSection;
