// German. The parameters of each sentence are listed in its English twin, ../en/config.ts.
import type { FailureSection } from '../shape.ts';

export const config = {
  usage: { title: 'Der Befehl wurde nicht verstanden: {what}', why: '', mend: ['{hint}'] },
  'config-not-found': {
    title: 'Es gibt keine Konfigurationsdatei[[ {file}]].',
    why: '',
    mend: ['Eine nennen, die es gibt: --config DATEI', 'harness init   (legt eine an)'],
  },
  'config-ambiguous': {
    title: 'Es gibt mehr als eine Konfigurationsdatei: {files}.',
    why: 'Welche gelten soll, lässt sich nicht erraten.',
    mend: ['Eine behalten und die anderen entfernen, oder sie mit --config DATEI nennen.'],
  },
  'config-unreadable': {
    title: 'Die Konfiguration {file} ist nicht lesbar[[: {#problem}]].',
    why: '[[{#detail}]]',
    mend: ['Die Datei berichtigen, dann: harness config check'],
  },
  'config-invalid': {
    title: { one: 'Die Konfiguration {file} hat einen Fehler.', other: 'Die Konfiguration {file} hat {count} Fehler.' },
    why: '',
    mend: ['Die genannten Stellen berichtigen, dann: harness config check', 'harness config schema   (alle Schlüssel)'],
  },
  'config-key-unknown': {
    title: '[[{key} ]]ist kein bekannter Schlüssel.[[ War {suggestion} gemeint?]]',
    why: '[[Hier erlaubt: {allowed}.]]',
    mend: ['harness config schema'],
  },
  'config-value-invalid': {
    title: '[[{key} ]]kann nicht {got} sein; erlaubt: {#allowed}.[[ War {suggestion} gemeint?]]',
    why: '',
    mend: ['harness config schema'],
  },
  'config-not-supported': {
    title: '{got} geht noch nicht[[ ({#part})]].',
    why: '[[Heute geht: {allowed}. ]]Nichts Eingestelltes soll stillschweigend wirkungslos sein.',
    mend: ['harness config schema'],
  },
  'config-misnamed': {
    title: '{file} ist kein Name, unter dem die Konfiguration gefunden wird.',
    why: 'Erlaubt sind: {allowed}.',
    mend: ['Die Datei umbenennen.'],
  },
  'config-syntax': {
    title: '[[{file} ist nicht zu verstehen: ]]{#problem}[[: {detail}]].',
    why: '',
    mend: ['Die Datei berichtigen, dann: harness config check'],
  },
  'config-key-twice': {
    title: '[[{key} ]]steht zweimal da: als {first} und als {second}.',
    why: '',
    mend: ['Eines davon entfernen.'],
  },
  'config-value-missing': {
    title: '[[{key} ]]fehlt[[: {#why}]][[ ({found})]]; erlaubt: {#allowed}.',
    why: '',
    mend: ['In der Konfiguration ergänzen, dann: harness config check', 'harness config schema   (alle Schlüssel)'],
  },
} as const satisfies FailureSection;
