// German. The parameters of each sentence are listed in its English twin, ../en/config.ts.
import type { FailureSection } from '../shape.ts';

export const config = {
  usage: { title: 'Der Befehl wurde nicht verstanden: {what}', why: '', fix: ['{hint}'] },
  'config-not-found': {
    title: 'Es gibt keine Konfigurationsdatei[[ {file}]].',
    why: '',
    fix: ['Eine vorhandene nennen: --config DATEI', 'harness init   (legt eine an)'],
  },
  'config-ambiguous': {
    title: 'Es gibt mehr als eine Konfigurationsdatei: {files}.',
    why: 'Es ist unklar, welche gilt.',
    fix: ['Eine behalten und die anderen entfernen, oder sie mit --config DATEI nennen.'],
  },
  'config-unreadable': {
    title: 'Die Konfiguration {file} ist nicht lesbar[[: {#problem}]].',
    why: '[[{#detail}]]',
    fix: ['Die Datei korrigieren, dann: harness config check'],
  },
  'config-invalid': {
    title: { one: 'Die Konfiguration {file} hat einen Fehler.', other: 'Die Konfiguration {file} hat {count} Fehler.' },
    why: '',
    fix: [
      'Die aufgeführten Stellen korrigieren, dann: harness config check',
      'harness config schema   (alle Schlüssel)',
    ],
  },
  'config-key-unknown': {
    title: '[[{key} ]]ist kein bekannter Schlüssel.[[ War {suggestion} gemeint?]]',
    why: '[[Hier erlaubt: {allowed}.]]',
    fix: ['harness config schema'],
  },
  'config-value-invalid': {
    title: '[[{key} ]]kann nicht {got} sein; erlaubt: {#allowed}.[[ War {suggestion} gemeint?]]',
    why: '',
    fix: ['harness config schema'],
  },
  'config-not-supported': {
    title: '{got} wird noch nicht unterstützt[[ ({#part})]].',
    why: '[[Unterstützt: {allowed}. ]]Eine Einstellung wird nie stillschweigend ignoriert.',
    fix: ['harness config schema'],
  },
  'config-misnamed': {
    title: '{file} ist kein gültiger Name für die Konfigurationsdatei.',
    why: 'Erlaubt sind: {allowed}.',
    fix: ['Die Datei umbenennen.'],
  },
  'config-syntax': {
    title: '[[{file} ist nicht lesbar: ]]{#problem}[[: {detail}]].',
    why: '',
    fix: ['Die Datei korrigieren, dann: harness config check'],
  },
  'config-key-twice': {
    title: '[[{key} ]]ist zweimal gesetzt: als {first} und als {second}.',
    why: '',
    fix: ['Eines davon entfernen.'],
  },
  'config-value-missing': {
    title: '[[{key} ]]fehlt[[: {#why}]][[ ({found})]]; erlaubt: {#allowed}.',
    why: '',
    fix: ['In der Konfiguration ergänzen, dann: harness config check', 'harness config schema   (alle Schlüssel)'],
  },
} as const satisfies FailureSection;
