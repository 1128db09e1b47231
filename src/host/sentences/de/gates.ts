// German. The parameters of each sentence are listed in its English twin, ../en/gates.ts.
import type { FailureSection, GateSentences, OptionSentences } from '../shape.ts';

export const gates = {
  'gate-unknown': {
    title: 'Die Frage {gate} gibt es nicht.',
    why: '[[Offene Fragen: {open}.]]',
    fix: ['harness gates'],
  },
  'gate-ambiguous': {
    title: '{gate} passt auf mehr als eine Frage: {matches}.',
    why: '',
    fix: ['harness gates'],
  },
  'gate-option-unknown': {
    title: 'Die Frage {gate} hat keine Option {option}.',
    why: 'Erlaubt: {allowed}.',
    fix: ['harness gates show {gate}'],
  },
  'gate-already-answered': {
    title: 'Die Frage {gate} ist schon beantwortet: {option}, von {by} am {at}.',
    why: 'Die erste Antwort gilt.',
    fix: ['harness gates   (zeigt offene Fragen)'],
  },
  'gate-withdrawn': {
    title: 'Die Frage {gate} wartet nicht mehr auf Antwort: sie wurde am {at} zurückgezogen.',
    why: '[[{#why}. ]][[Neu gestellt wird sie als {next}.]]',
    fix: ['harness gates   (zeigt offene Fragen)'],
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
      one: '{count} Test, der vorher bestand, schlägt nach Sitzung {session} fehl[[: {tests}]]. Was nun?',
      other: '{count} Tests, die vorher bestanden, schlagen nach Sitzung {session} fehl[[: {tests}]]. Was nun?',
    },
  },
  'repeated-failures': {
    header: 'Fehlschlag',
    question: 'Aufgabe {item} hat die Prüfung {attempts}-mal nicht bestanden. Was nun?',
  },
  'sanity-failed': {
    header: 'App defekt',
    question: 'Die Anwendung ist auch nach einem Reparaturversuch noch defekt[[ ({check})]]. Was nun?',
  },
  'reset-failed': {
    header: 'Reset defekt',
    question:
      'Ein sauberer Zustand ließ sich nicht herstellen[[: {command} ist fehlgeschlagen]]. Die Umgebung braucht einen Menschen. Was nun?',
    options: {
      manual: {
        label: 'Selbst beheben',
        description: 'Sie bringen die Umgebung in Ordnung; danach geht der Lauf weiter.',
      },
    },
  },
  'budget-exceeded': {
    header: 'Budget',
    question:
      '[[{spentUsd} sind ausgegeben, das Limit ist {limitUsd}]][[{spentTokens} Tokens sind verbraucht, das Limit ist {limitTokens}]][[Agenten haben {spentMs} gearbeitet, das Limit ist {limitMs}]][[ ({#scope})]]. Wie soll es weitergehen?',
  },
  'dependency-cycle': {
    header: 'Zyklus',
    question: 'Aufgaben hängen zyklisch voneinander ab: {cycle}. Keine davon kann begonnen werden. Was nun?',
    options: {
      skip: { label: 'Auslassen', description: 'Die Aufgaben des Zyklus auslassen; davon abhängige warten.' },
    },
  },
  'false-positives': {
    header: 'Tests rot',
    question: {
      one: 'Alle Aufgaben gelten als fertig, aber {count} Test, der schon bestand, schlägt fehl[[ ({items})]]. Was nun?',
      other:
        'Alle Aufgaben gelten als fertig, aber {count} Tests, die schon bestanden, schlagen fehl[[ ({items})]]. Was nun?',
    },
    options: {
      reset: {
        label: 'Zurücksetzen',
        description: 'Aufgaben, deren Tests fehlschlagen, gelten als nicht fertig und werden neu bearbeitet.',
      },
    },
  },
  'large-feature': {
    header: 'Zu groß',
    question:
      'Aufgabe {item} ist größer als für eine Sitzung empfohlen[[ ({steps} Prüfschritte, empfohlen sind höchstens {max})]][[ ({files} Dateien, empfohlen sind höchstens {maxFiles})]][[ (etwa {lines} Zeilen, empfohlen sind höchstens {maxLines})]]. Wie soll es weitergehen?',
    options: {
      proceed: { label: 'Trotzdem', description: 'So bearbeiten und für diese Aufgabe nicht wieder fragen.' },
    },
  },
  tampering: {
    header: 'Eingriff',
    question: 'Dateien des Harness wurden in Sitzung {session} geändert.[[ {detail}]] Was nun?',
  },
  'manual-verification': {
    header: 'Prüfen',
    question:
      'Aufgabe {item} ({title}) ist umgesetzt; die automatischen Prüfungen bestehen[[: {held}]][[ ({passed} Tests bestanden)]].[[ Nicht möglich: {notPossible}.]] Den Rest muss ein Mensch prüfen; die Arbeit liegt im Arbeitsverzeichnis. Funktioniert sie?[[\nZu prüfen:\n{checks}]][[\nSchritte:\n{steps}]][[\nZu sehen in:\n{files}]]',
    options: {
      verified: { label: 'Funktioniert', description: 'Die Aufgabe wird übernommen, mit Ihrem Namen.' },
      failed: {
        label: 'Funktioniert nicht',
        description:
          'Die Arbeit wird als Versuch gespeichert und zurückgenommen; die nächste Sitzung erhält Ihre Bemerkung (-m).',
      },
    },
  },
  // {count}; the doubts are listed below
  'doubtful-proof': {
    header: 'Zweifel',
    question:
      'Die Prüfungen von Aufgabe {item} bestehen[[ ({held})]], aber ihre Aussagekraft ist zweifelhaft.[[ Nicht möglich: {notPossible}.]] Soll die Arbeit übernommen werden?',
    options: {
      land: {
        label: 'Annehmen',
        description: 'Sie haben es geprüft: die Arbeit wird übernommen, und der Commit nennt, wer entschieden hat.',
      },
      reject: {
        label: 'Ablehnen',
        description:
          'Die Arbeit wird zurückgenommen und als Versuch gespeichert; die nächste Sitzung erhält den Grund.',
      },
    },
  },
  'landing-in-the-way': {
    header: 'Im Weg',
    question:
      'Aufgabe {item} ist fertig; sie zu übernehmen würde Dateien ändern, die in Ihrem Arbeitsverzeichnis gerade geändert sind. Sind sie jetzt committet oder weggelegt?',
    options: {
      retry: {
        label: 'Jetzt übernehmen',
        description: 'Ihr Arbeitsverzeichnis folgt; die geprüfte Arbeit wird nicht noch einmal gemacht.',
      },
      reject: {
        label: 'Ablehnen',
        description: 'Die Arbeit bleibt als Versuch; die Aufgabe wird noch einmal versucht.',
      },
    },
  },
  unproved: {
    header: 'Kein Beweis',
    question:
      'Nichts zeigt, ob Aufgabe {item} fertig ist: sie hat keinen Prüfbefehl. Soll die Arbeit übernommen werden?',
    options: {
      land: {
        label: 'Annehmen',
        description: 'Die Arbeit wird durch Ihre Entscheidung übernommen, und der Commit nennt das.',
      },
      reject: {
        label: 'Ablehnen',
        description:
          'Die Arbeit wird zurückgenommen und als Versuch gespeichert; die Aufgabe wird noch einmal versucht.',
      },
      skip: {
        label: 'Auslassen',
        description: 'Die Arbeit wird als Versuch gespeichert; an der Aufgabe wird nicht mehr gearbeitet.',
      },
    },
  },
  'agent-unavailable': {
    header: 'Kein Agent',
    question:
      'Der Agent[[ {provider}]] ist nicht verfügbar: {#reason}. Der Lauf hat {rests}-mal gewartet. Wie soll es weitergehen?',
    options: {
      retry: {
        label: 'Noch einmal',
        description: 'Jetzt eine neue Sitzung beginnen; die Wartezeiten zählen von vorn.',
      },
    },
  },
} as const satisfies { readonly [subject: string]: GateSentences };

export const otherSubject: GateSentences = {
  header: 'Entscheidung',
  question: 'Eine Entscheidung ist nötig: {subject}[[ (Aufgabe {item})]].',
};

export const options = {
  split: { label: 'Teilen', description: 'Sie teilen die Aufgabe im Backlog in kleinere; dann geht es weiter.' },
  manual: { label: 'Selbst machen', description: 'harness lässt die Aufgabe in Ruhe, bis Sie sie zurückgeben.' },
  'manual-verify': {
    label: 'Selbst prüfen',
    description: 'Sie prüfen die Arbeit und entscheiden, ob sie funktioniert.',
  },
  verified: { label: 'Geprüft', description: 'Ein Mensch hat es geprüft, und es funktioniert.' },
  failed: { label: 'Nicht bestanden', description: 'Ein Mensch hat es geprüft, und es funktioniert nicht.' },
  skip: {
    label: 'Auslassen',
    description: 'Diese Aufgabe auslassen und mit der nächsten weitermachen; davon abhängige warten.',
  },
  abort: { label: 'Lauf beenden', description: 'Nichts Neues wird begonnen; alle bisherige Arbeit ist gesichert.' },
  retry: {
    label: 'Noch einmal',
    description: 'Noch eine Sitzung für diese Aufgabe, mit einem Bericht über den Fehlschlag.',
  },
  rollback: {
    label: 'Zurücknehmen',
    description: 'Zurück zum Stand vor der Sitzung; ihre Arbeit bleibt als Versuch erhalten.',
  },
  keep: { label: 'Behalten', description: 'Die Arbeit bleibt, wie sie ist.' },
  increase: {
    label: 'Limit anheben',
    description: 'Der konfigurierte Betrag darf noch einmal ausgegeben werden; dann geht es weiter.',
  },
  pause: { label: 'Anhalten', description: 'Alles bleibt gesichert bis: harness resume' },
  edit: { label: 'Korrigieren', description: 'Sie korrigieren das Backlog; dann geht es weiter.' },
  reset: { label: 'Zurücksetzen', description: 'Fehlschlagende Aufgaben gelten als nicht fertig.' },
  investigate: { label: 'Untersuchen', description: 'Nichts wird geändert; ein Mensch sucht die Ursache.' },
  proceed: { label: 'Weiter', description: 'Unverändert weitermachen.' },
  accept: { label: 'Annehmen', description: 'Die Arbeit annehmen, wie sie ist.' },
  reject: { label: 'Ablehnen', description: 'Die Arbeit ablehnen; sie bleibt als Versuch erhalten.' },
  continue: { label: 'Weiter', description: 'Mit dem nächsten Schritt weitermachen.' },
} as const satisfies { readonly [id: string]: OptionSentences };
