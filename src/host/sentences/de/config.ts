// German. The parameters of each sentence are listed in its English twin, ../en/config.ts.
import type { FailureSection } from '../shape.ts';

export const config = {
  usage: { title: 'Der Befehl wurde nicht verstanden: {detail}', why: '', mend: ['harness --help'] },
  'config-not-found': {
    title: 'Es gibt keine Konfigurationsdatei.',
    why: '[[Gesucht wurde: {looked}.]]',
    mend: ['harness init', 'harness --config DATEI …'],
  },
  'config-ambiguous': {
    title: 'Es gibt mehr als eine Konfigurationsdatei: {files}.',
    why: 'Welche gelten soll, lässt sich nicht erraten.',
    mend: ['Eine behalten und die anderen entfernen, oder sie mit --config DATEI nennen.'],
  },
  'config-unreadable': {
    title: 'Die Konfiguration {file} ist nicht lesbar.',
    why: '{detail}',
    mend: ['Die Datei berichtigen, dann: harness config check'],
  },
  'config-invalid': {
    title: { one: 'Die Konfiguration {file} hat einen Fehler.', other: 'Die Konfiguration {file} hat {count} Fehler.' },
    why: '',
    mend: ['harness config schema', 'harness config check'],
  },
  'config-key-unknown': {
    title: 'Den Schlüssel {key} gibt es nicht.[[ War {suggestion} gemeint?]]',
    why: '[[Hier erlaubt: {allowed}.]]',
    mend: ['harness config schema'],
  },
  'config-value-invalid': {
    title: '{key}: erwartet wird {expected}[[, nicht {got}]].',
    why: '',
    mend: ['harness config schema'],
  },
  'config-not-supported': {
    title: '{key} ist bekannt, wird aber noch nicht unterstützt.',
    why: '[[{detail}]]',
    mend: ['Den Schlüssel entfernen; nichts Eingestelltes soll stillschweigend wirkungslos sein.'],
  },
} as const satisfies FailureSection;
