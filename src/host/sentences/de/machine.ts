// German. The parameters of each sentence are listed in its English twin, ../en/machine.ts.
import type { FailureSection } from '../shape.ts';

export const machine = {
  'lock-unavailable': {
    title: 'Dieses Repository lässt sich nicht sperren: {dir} ist nicht benutzbar[[ ({#code})]].',
    why: 'Ohne Sperre könnten zwei Läufe einander überschreiben.',
    mend: [
      'Dafür sorgen, dass der Ordner beschreibbar ist und auf einer lokalen Platte liegt.',
      'Ist lock.db darin beschädigt und läuft nichts: lock.db entfernen.',
    ],
  },
  'file-unreadable': {
    title: '{file} ist nicht lesbar[[ ({#code})]].',
    why: '',
    mend: ['Nachsehen, was es ist und wer lesen darf: ls -ld {file}'],
  },
  'path-unusable': {
    title: '{file} ist nicht benutzbar: {#code}.',
    why: 'Es sollte gerade gelesen oder geschrieben werden; was vorher getan wurde, ist sicher.',
    mend: [
      'Nachsehen, was es ist und wer schreiben darf: ls -ld {file}',
      'Beheben, dann den Befehl noch einmal ausführen.',
    ],
  },
  'environment-variable-missing': {
    title: 'Die Umgebungsvariable {name} ist nicht gesetzt[[, aber {variable} entsteht aus ihr]].',
    why: '',
    mend: ['{name} vor dem Start setzen, oder env: des Agenten in der Konfiguration ändern.'],
  },
} as const satisfies FailureSection;
