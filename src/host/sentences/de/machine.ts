// German. The parameters of each sentence are listed in its English twin, ../en/machine.ts.
import type { FailureSection } from '../shape.ts';

export const machine = {
  'lock-unavailable': {
    title: 'Dieses Repository lässt sich nicht sperren: {dir} ist nicht benutzbar[[ ({code})]].',
    why: 'Ohne Sperre könnten zwei Läufe einander überschreiben.',
    mend: ['Dafür sorgen, dass der Ordner beschreibbar ist und auf einer lokalen Platte liegt.', 'harness doctor'],
  },
  'file-unreadable': {
    title: '{file} ist nicht lesbar[[ ({#code})]].',
    why: '',
    mend: ['Nachsehen, wer lesen darf: ls -l {file}'],
  },
  'environment-variable-missing': {
    title: 'Die Umgebungsvariable {name} ist nicht gesetzt[[, aber {variable} entsteht aus ihr]].',
    why: '',
    mend: ['{name} vor dem Start setzen, oder env: des Agenten in der Konfiguration ändern.'],
  },
} as const satisfies FailureSection;
