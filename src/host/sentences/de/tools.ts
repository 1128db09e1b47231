// German. The parameters of each sentence are listed in its English twin, ../en/tools.ts.
import type { tools as english } from '../en/tools.ts';
import type { Phrase } from '../../../model/sentences.ts';

export const tools = {
  'tool.refused': 'Der Aufruf wurde abgelehnt ({rule}): {why}',
  'tool.mode-has-no-tools': 'diese Sitzung hat keine Werkzeuge. Antworte als Text.',
  'tool.mode-only-reads': 'diese Sitzung liest nur[[ ({about})]]. Verwende git diff, cat oder grep und ändere nichts.',
  'tool.tool-not-in-mode': 'ein Werkzeug {about} gibt es in dieser Sitzung nicht. Nimm ein anderes.',
  'tool.tool-disabled': 'die Konfiguration deaktiviert solche Werkzeuge. Arbeite ohne sie weiter.',
  'tool.outside-the-lane':
    '{about} liegt außerhalb des Projekts. Schreibe im Projekt; Befehle dürfen auch nach /tmp schreiben.',
  'tool.target-unknown':
    'das Ziel {about} ist erst bei der Ausführung bekannt. Schreibe den Pfad aus oder beginne ihn mit einem Ordner.',
  'tool.path-denied': 'die Konfiguration sperrt {about}. Arbeite ohne es.',
  'tool.unseen':
    '{about} ist nicht für diese Sitzung: sie beurteilt die Arbeit selbst, ohne die Gründe derer, die sie gemacht haben.',
  'tool.git-folder': '{about} gehört git. Ändere .git nicht; das Harness macht die Commits.',
  'tool.harness-file': '{about} gehört zum Harness. Ändere es nicht.',
  'tool.harness-file-removed':
    '{about} würde Dateien des Harness entfernen. Ändere die eine Zeile, die du brauchst, und behalte den Rest.',
  'tool.backlog-beyond-claim': 'in {about} darf nur passes deiner Aufgabe geändert werden, von false auf true.',
  'tool.secret': '{about} enthält Schlüssel oder Passwörter. Keine Aufgabe braucht sie.',
  'tool.device': '{about} ist ein Gerät. Schreibe in eine Datei des Projekts.',
  'tool.unreadable-path': 'dieser Pfad lässt sich nicht auflösen. Nimm einen einfachen Pfad im Projekt.',
  'tool.command-unreadable':
    'dieser Befehl ist nicht lesbar ({about}). Schreibe ihn als einfache, vollständige Shell-Zeile.',
  'tool.command-unknown':
    'welches Programm läuft, steht erst bei der Ausführung fest ({about}). Schreibe seinen Namen aus.',
  'tool.command-denied':
    'die Konfiguration lehnt Befehle wie {about} ab. Nimm einen anderen Weg oder arbeite ohne sie.',
  'tool.unknown-code':
    '{about} würde heruntergeladenen Code ungeprüft ausführen. Speichere ihn in eine Datei, lies sie und führe sie dann aus.',
  'tool.variable': 'die Variable {about} ändert, was Programme ausführen. Lass sie weg.',
  'tool.remove-everything': '{about} würde alles entfernen. Nenne die Ordner, die du angelegt hast.',
  'tool.fork-bomb': 'diese Funktion startet sich endlos selbst.',
  'tool.privilege': '„{about}“ verlangt die Rechte eines anderen Benutzers. Arbeite ohne sie.',
  'tool.disk': '„{about}“ verändert Datenträger. Keine Aufgabe braucht das.',
  'tool.machine':
    '„{about}“ verändert diesen Rechner. Bleib im Projekt; sag, was fehlt, dann installiert es ein Mensch.',
  'tool.persistence': '„{about}“ liefe nach dieser Sitzung weiter. Führe jetzt aus, was du brauchst.',
  'tool.remote-shell': '„{about}“ verbindet sich mit einem anderen Rechner. Arbeite auf diesem.',
  'tool.publish': '„{about}“ veröffentlicht. Angenommene Arbeit veröffentlichen das Harness und Menschen.',
  'tool.container': '„{about}“ gibt einem Container mehr als das Projekt. Binde nur Ordner des Projekts ein.',
  'tool.kill': '„{about}“ beendet mehr, als du gestartet hast. Beende Prozesse über ihre PID.',
  'tool.harness-command': '„{about}“ steuert das Harness. Das tun nur Menschen.',
  'tool.git-push': '„{about}“ veröffentlicht. Das Harness pusht angenommene Arbeit.',
  'tool.git-history':
    '„{about}“ ändert die Historie. Kein amend, rebase, reset oder pull; das Harness macht die Commits.',
  'tool.git-config': '„{about}“ ändert die Einrichtung von git. Ändere Konfiguration, Hooks und Remotes nicht.',
  'tool.git-branch': '„{about}“ ändert Branches. Bleib auf dem aktuellen.',
  'tool.no-option-for-once': 'der Agent bot keine einmalige Erlaubnis an.',
  'tool.leaves-the-sandbox': 'außerhalb der Sandbox ist nichts erlaubt. Tu es darin oder arbeite ohne es weiter.',
} as const satisfies { readonly [K in keyof typeof english]: Phrase };
