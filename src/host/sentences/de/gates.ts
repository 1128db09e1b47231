// German. The parameters of each sentence are listed in its English twin, ../en/gates.ts.
import type { FailureSection, GateSentences, OptionSentences } from '../shape.ts';

export const gates = {
  'gate-unknown': {
    title: 'Die Frage {gate} gibt es nicht.',
    why: '[[Auf Antwort warten: {open}.]]',
    mend: ['harness gates'],
  },
  'gate-ambiguous': {
    title: '{gate} könnte mehr als eine Frage meinen: {matches}.',
    why: '',
    mend: ['harness gates'],
  },
  'gate-option-unknown': {
    title: 'Die Frage {gate} hat keine Option {option}.',
    why: 'Erlaubt: {allowed}.',
    mend: ['harness gates show {gate}'],
  },
  'gate-already-answered': {
    title: 'Die Frage {gate} ist schon beantwortet: {option}, von {by} am {at}.',
    why: 'Die erste Antwort gilt.',
    mend: ['harness gates   (was noch wartet)'],
  },
  'gate-withdrawn': {
    title: 'Die Frage {gate} wartet nicht mehr auf Antwort: sie wurde am {at} zurückgezogen.',
    why: '[[{why}. ]][[Neu gestellt wird sie als {next}.]]',
    mend: ['harness gates   (was noch wartet)'],
  },
} as const satisfies FailureSection;

export const subjects = {
  'feature-stuck': {
    header: 'Hängt fest',
    question: 'Aufgabe {item} wurde in {sessions} Sitzungen nicht fertig. Wie soll es weitergehen?',
  },
  'verification-failed': {
    header: 'Ungeprüft',
    question: 'Der Agent sagte, Aufgabe {item} sei fertig, aber das ließ sich nicht nachweisen.[[ {detail}]] Was nun?',
  },
  regression: {
    header: 'Rückschritt',
    question: {
      one: '{count} Test, der vorher bestand, scheitert nach Sitzung {session}[[: {tests}]]. Was nun?',
      other: '{count} Tests, die vorher bestanden, scheitern nach Sitzung {session}[[: {tests}]]. Was nun?',
    },
  },
  'repeated-failures': {
    header: 'Scheitert',
    question: 'Aufgabe {item} ist {attempts}-mal an der Prüfung gescheitert. Was nun?',
  },
  'sanity-failed': {
    header: 'App defekt',
    question: 'Die Anwendung ist auch nach einem Reparaturversuch noch defekt[[ ({check})]]. Was nun?',
  },
  'reset-failed': {
    header: 'Reset defekt',
    question:
      'Ein sauberer Zustand war nicht zu erreichen[[: {command} ist gescheitert]]. Die Umgebung braucht einen Menschen. Was nun?',
    options: {
      manual: {
        label: 'Selbst beheben',
        description: 'Sie bringen die Umgebung in Ordnung; danach geht der Lauf weiter.',
      },
    },
  },
  'budget-exceeded': {
    header: 'Budget',
    question: 'Es hat {spentUsd} gekostet, die Grenze ist {limitUsd}[[ ({scope})]]. Wie soll es weitergehen?',
  },
  'dependency-cycle': {
    header: 'Kreis',
    question: 'Aufgaben hängen im Kreis voneinander ab: {cycle}. Keine davon kann begonnen werden. Was nun?',
    options: {
      skip: { label: 'Auslassen', description: 'Die Aufgaben des Kreises auslassen; was sie braucht, wartet.' },
    },
  },
  'false-positives': {
    header: 'Tests rot',
    question: {
      one: 'Alle Aufgaben gelten als fertig, aber {count} Test, der schon hielt, scheitert[[ ({items})]]. Was nun?',
      other:
        'Alle Aufgaben gelten als fertig, aber {count} Tests, die schon hielten, scheitern[[ ({items})]]. Was nun?',
    },
    options: {
      reset: {
        label: 'Zurücksetzen',
        description: 'Aufgaben, deren Tests scheitern, gelten als nicht fertig und werden neu bearbeitet.',
      },
    },
  },
  'large-feature': {
    header: 'Zu groß',
    question:
      'Aufgabe {item} ist größer, als eine Sitzung schaffen soll[[: {steps} Prüfschritte, empfohlen sind höchstens {max}]][[: {files} Dateien]][[: etwa {lines} Zeilen]]. Wie soll es weitergehen?',
    options: {
      proceed: { label: 'Trotzdem', description: 'So bearbeiten und für diese Aufgabe nicht wieder fragen.' },
    },
  },
  tampering: {
    header: 'Eingriff',
    question: 'Dateien, die harness gehören, wurden in Sitzung {session} geändert.[[ {detail}]] Was nun?',
  },
  'manual-verification': {
    header: 'Ansehen',
    question:
      'Aufgabe {item} ({title}) ist gebaut; alles, was sich ausführen lässt, stimmt[[ ({passed} Tests bestanden)]]. Den Rest sieht nur ein Mensch; die Arbeit liegt in der Arbeitskopie. Stimmt sie?[[\nZu prüfen:\n{checks}]][[\nSchritte:\n{steps}]][[\nZu sehen in:\n{files}]]',
    options: {
      verified: { label: 'Stimmt', description: 'Die Aufgabe wird übernommen, mit Ihrem Namen.' },
      failed: {
        label: 'Stimmt nicht',
        description:
          'Die Arbeit wird als Versuch aufgehoben und zurückgenommen; die nächste Sitzung erfährt, was Sie sagen (-m).',
      },
    },
  },
  // {count}; the doubts stand below
  'doubtful-proof': {
    header: 'Zweifel',
    question: 'Jede Prüfung von Aufgabe {item} hält, aber was sie beweist, ist zweifelhaft. Soll die Arbeit gelten?',
    options: {
      land: {
        label: 'Annehmen',
        description: 'Du hast es dir angesehen: die Arbeit gilt, und der Commit nennt, wer entschieden hat.',
      },
      reject: {
        label: 'Ablehnen',
        description: 'Die Arbeit wird zurückgerollt und als Versuch aufgehoben; die nächste Sitzung erfährt, warum.',
      },
    },
  },
  unproved: {
    header: 'Kein Beweis',
    question:
      'Nichts sagt, ob Aufgabe {item} fertig ist: sie nennt keinen Befehl, der es beweist. Soll die Arbeit gelten?',
    options: {
      land: { label: 'Annehmen', description: 'Die Arbeit gilt auf dein Wort, und der Commit sagt das.' },
      reject: {
        label: 'Ablehnen',
        description: 'Die Arbeit wird zurückgerollt und als Versuch aufgehoben; die Aufgabe wird neu versucht.',
      },
      skip: {
        label: 'Auslassen',
        description: 'Die Arbeit wird als Versuch aufgehoben; an der Aufgabe wird nicht mehr gearbeitet.',
      },
    },
  },
  'agent-unavailable': {
    header: 'Kein Agent',
    question:
      'Der Agent[[ {provider}]] ist nicht zu haben: {#reason}. Der Lauf hat dafür {rests}-mal gerastet. Wie soll es weitergehen?',
    options: {
      retry: { label: 'Noch einmal', description: 'Jetzt eine neue Sitzung beginnen; die Rasten zählen von vorn.' },
    },
  },
} as const satisfies { readonly [subject: string]: GateSentences };

export const otherSubject: GateSentences = {
  header: 'Entscheidung',
  question: 'Eine Entscheidung wird gebraucht: {subject}[[ (Aufgabe {item})]].',
};

export const options = {
  split: { label: 'Teilen', description: 'Sie teilen die Aufgabe im Backlog in kleinere; dann geht es weiter.' },
  manual: { label: 'Selbst machen', description: 'harness lässt die Aufgabe in Ruhe, bis Sie sie zurückgeben.' },
  'manual-verify': { label: 'Selbst prüfen', description: 'Sie sehen die Arbeit an und sagen, ob sie taugt.' },
  verified: { label: 'Geprüft', description: 'Ein Mensch hat es angesehen, und es stimmt.' },
  failed: { label: 'Nicht bestanden', description: 'Ein Mensch hat es angesehen, und es stimmt nicht.' },
  skip: {
    label: 'Auslassen',
    description: 'Diese Aufgabe auslassen, mit der nächsten weiter; was sie braucht, wartet.',
  },
  abort: { label: 'Lauf beenden', description: 'Nichts Neues wird begonnen; alles bisher Getane ist gesichert.' },
  retry: { label: 'Noch einmal', description: 'Noch eine Sitzung für diese Aufgabe, die erfährt, was scheiterte.' },
  rollback: {
    label: 'Zurücknehmen',
    description: 'Zurück zum Stand vor der Sitzung; ihre Arbeit bleibt als Versuch erhalten.',
  },
  keep: { label: 'Behalten', description: 'Die Arbeit bleibt, wie sie ist.' },
  increase: {
    label: 'Grenze anheben',
    description:
      'Noch einmal so viel darf ausgegeben werden, über die konfigurierte Grenze hinaus; dann geht es weiter.',
  },
  pause: { label: 'Anhalten', description: 'Alles ist gesichert und wartet auf: harness resume' },
  edit: { label: 'Berichtigen', description: 'Sie berichtigen das Backlog; dann geht es weiter.' },
  reset: { label: 'Zurücksetzen', description: 'Was nicht hält, gilt als nicht fertig.' },
  investigate: { label: 'Nachsehen', description: 'Nichts wird geändert; ein Mensch findet heraus, was kaputtging.' },
  proceed: { label: 'Weiter', description: 'So weitermachen.' },
  accept: { label: 'Annehmen', description: 'Die Arbeit nehmen, wie sie ist.' },
  reject: { label: 'Ablehnen', description: 'Die Arbeit nicht nehmen; sie bleibt als Versuch erhalten.' },
  continue: { label: 'Weiter', description: 'Mit dem nächsten Schritt weitermachen.' },
} as const satisfies { readonly [id: string]: OptionSentences };
