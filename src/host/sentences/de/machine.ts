// German. The parameters of each sentence are listed in its English twin, ../en/machine.ts.
import type { FailureSection } from '../shape.ts';

export const machine = {
  'lock-unavailable': {
    title: 'Dieses Repository lässt sich nicht sperren: {dir} ist nicht benutzbar[[ ({#code})]].',
    why: 'Ohne Sperre könnten zwei Läufe einander überschreiben.',
    fix: [
      'Dafür sorgen, dass der Ordner beschreibbar ist und auf einer lokalen Platte liegt.',
      '[[Auf seiner Platte Platz schaffen: df -h {full}]]',
      '[[Ist {db} darin beschädigt und läuft nichts: {db} entfernen.]]',
    ],
  },
  'workspace-unusable': {
    title: 'Das Arbeitsverzeichnis der Agenten ist nicht benutzbar: {path}[[ ({words})]].',
    why: 'Mit isolation: worktree arbeiten Agenten in einem eigenen Arbeitsverzeichnis neben dem Repository.',
    fix: [
      'Wegräumen, was dort liegt, oder den Ordner beschreibbar machen und Platz auf der Platte schaffen.',
      'isolation: in-place   (in .harness.yaml: Agenten arbeiten im Repository selbst)',
    ],
  },
  'file-unreadable': {
    title: '{file} ist nicht lesbar[[ ({#code})]].',
    why: '',
    fix: ['Prüfen, was es ist und wer es lesen darf: ls -ld {file}'],
  },
  'path-unusable': {
    title: '{file} kann nicht verwendet werden: {#code}.',
    why: 'Es sollte gerade gelesen oder geschrieben werden; die vorherige Arbeit ist sicher.',
    fix: [
      '[[Auf seiner Platte Platz schaffen: df -h {full}]]',
      '[[Prüfen, was es ist und wer schreiben darf: ls -ld {path}]]',
      'Die Ursache beheben, dann den Befehl noch einmal ausführen.',
    ],
  },
  'environment-variable-missing': {
    title: 'Die Umgebungsvariable {name} ist nicht gesetzt[[, aber {variable} wird aus ihr abgeleitet]].',
    why: '',
    fix: ['{name} vor dem Start setzen, oder env: des Agenten in der Konfiguration ändern.'],
  },
} as const satisfies FailureSection;
