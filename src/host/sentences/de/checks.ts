// German. The parameters of each sentence are listed in its English twin, ../en/checks.ts.
import type { FailureSection } from '../shape.ts';

export const checks = {
  'command-missing': {
    title: 'Der Befehl der Prüfung {check} lässt sich nicht starten: {command}',
    why: 'Das Programm wurde nicht gefunden oder darf nicht ausgeführt werden.',
    mend: ['Installieren, oder den Befehl unter testing: in der Konfiguration berichtigen.'],
  },
  'report-missing': {
    title: 'Die Prüfung {check} hat keinen Testbericht hinterlassen[[ ({file})]].',
    why: 'Ohne Bericht müsste man einem Exit-Code allein glauben.',
    mend: ['testing.runner auf das benutzte Testprogramm setzen, oder {report} in den Befehl schreiben.'],
  },
  'report-unreadable': {
    title: 'Ein Testbericht ist nicht lesbar[[ ({runner})]].',
    why: '[[{why}]]',
    mend: ['testing.runner auf das benutzte Testprogramm setzen.'],
  },
} as const satisfies FailureSection;
