// German. The parameters of each sentence are listed in its English twin, ../en/checks.ts.
import type { FailureSection } from '../shape.ts';

export const checks = {
  'command-missing': {
    title: 'Der Befehl der Prüfung {check} lässt sich nicht starten: {command}',
    why: 'Das Programm wurde nicht gefunden oder ist nicht ausführbar.',
    fix: ['Installieren, oder den Befehl unter testing: in der Konfiguration korrigieren.'],
  },
  'report-missing': {
    title: 'Die Prüfung {check} hat keinen Testbericht geschrieben[[ ({file})]].',
    why: 'Ein Exit-Code allein beweist nicht, dass Tests gelaufen sind.',
    fix: ['testing.runner auf das benutzte Testprogramm setzen, oder {report} in den Befehl aufnehmen.'],
  },
  'report-unreadable': {
    title: 'Ein Testbericht ist nicht lesbar[[ ({runner})]].',
    why: '[[{why}]]',
    fix: ['testing.runner auf das benutzte Testprogramm setzen.'],
  },
} as const satisfies FailureSection;
