// Deutsch: warum ein Werkzeugaufruf abgelehnt wurde.
import type { tools as english } from '../en/tools.ts';
import type { Phrase } from '../../../model/sentences.ts';

export const tools = {
  'tool.refused': 'Der Aufruf wurde abgelehnt ({rule}): {why}',
  'tool.mode-has-no-tools': 'diese Sitzung hat keine Werkzeuge. Antworte in Worten.',
  'tool.mode-only-reads':
    'diese Sitzung liest nur[[ ({about})]]. Sieh mit git diff, cat oder grep nach und ändere nichts.',
  'tool.tool-not-in-mode': 'ein Werkzeug {about} gibt es in dieser Sitzung nicht. Nimm ein anderes.',
  'tool.tool-disabled': 'die Konfiguration hat solche Werkzeuge abgeschaltet. Arbeite ohne sie weiter.',
  'tool.outside-the-lane':
    '{about} liegt außerhalb des Projekts. Schreibe im Projekt; Befehle dürfen auch nach /tmp schreiben.',
  'tool.target-unknown':
    'wofür {about} steht, weiß vor der Ausführung niemand. Schreibe den Pfad aus oder lass ihn mit einem Ordner beginnen.',
  'tool.path-denied': 'die Konfiguration sperrt {about}. Arbeite ohne es.',
  'tool.git-folder': '{about} gehört git. Lass .git in Ruhe; harness legt die Commits an.',
  'tool.harness-file': '{about} gehört harness. Lass es, wie es ist.',
  'tool.harness-file-removed': '{about} würde Dateien von harness entfernen. Ändere die eine Zeile, die du brauchst.',
  'tool.backlog-beyond-claim': 'in {about} darf nur passes deiner Aufgabe geändert werden, von false auf true.',
  'tool.secret': '{about} enthält Schlüssel oder Passwörter. Keine Aufgabe hier braucht sie.',
  'tool.device': '{about} ist ein Gerät. Schreibe in eine Datei des Projekts.',
  'tool.unreadable-path': 'diesem Pfad kann niemand folgen. Nimm einen einfachen Pfad im Projekt.',
  'tool.command-unreadable':
    'dieser Befehl ist nicht lesbar ({about}). Schreibe ihn als einfache, vollständige Shell-Zeile.',
  'tool.command-unknown':
    'welches Programm läuft, steht erst bei der Ausführung fest ({about}). Schreibe seinen Namen aus.',
  'tool.command-denied':
    'die Konfiguration lehnt Befehle wie {about} ab. Nimm einen anderen Weg oder arbeite ohne sie.',
  'tool.unknown-code':
    '{about} würde fremden Code ausführen, den niemand gesehen hat. Sichere ihn in eine Datei, lies sie und führe sie dann aus.',
  'tool.variable': 'die Variable {about} ändert, was Programme ausführen. Lass sie weg.',
  'tool.remove-everything': '{about} würde alles entfernen. Nenne die Ordner, die du angelegt hast.',
  'tool.fork-bomb': 'diese Funktion startet sich selbst ohne Ende.',
  'tool.privilege': '„{about}“ verlangt die Rechte eines anderen Benutzers. Es muss ohne gehen.',
  'tool.disk': '„{about}“ verändert Datenträger. Keine Aufgabe hier braucht das.',
  'tool.machine':
    '„{about}“ verändert diesen Rechner. Bleib im Projekt; sag, was fehlt, dann installiert es ein Mensch.',
  'tool.persistence': '„{about}“ liefe nach dieser Sitzung weiter. Führe jetzt aus, was du brauchst.',
  'tool.remote-shell': '„{about}“ öffnet einen Weg auf einen anderen Rechner. Arbeite auf diesem.',
  'tool.publish': '„{about}“ veröffentlicht. Angenommenes veröffentlichen harness und Menschen.',
  'tool.container': '„{about}“ gibt einem Container mehr als das Projekt. Binde nur Ordner des Projekts ein.',
  'tool.kill': '„{about}“ beendet mehr, als du gestartet hast. Beende Prozesse über ihre eigene Nummer.',
  'tool.harness-command': '„{about}“ steuert harness. Das tun nur Menschen.',
  'tool.git-push': '„{about}“ veröffentlicht. Angenommenes überträgt harness selbst.',
  'tool.git-history':
    '„{about}“ ändert die Geschichte. Kein amend, rebase, reset oder pull; harness legt die Commits an.',
  'tool.git-config': '„{about}“ ändert, worauf git hört. Lass Konfiguration, Hooks und Remotes in Ruhe.',
  'tool.git-branch': '„{about}“ ändert Branches. Bleib auf dem jetzigen.',
  'tool.no-option-for-once': 'der Agent bot keine einmalige Erlaubnis an.',
  'tool.leaves-the-sandbox': 'mehr als die Sandbox wird nicht erlaubt. Tu es darin oder arbeite ohne es weiter.',
} as const satisfies { readonly [K in keyof typeof english]: Phrase };
