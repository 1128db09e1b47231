// German. The parameters of each sentence are listed in its English twin, ../en/evidence.ts.
import type { evidenceScreens as english } from '../en/evidence.ts';
import type { FailureSection } from '../shape.ts';
import type { Phrase } from '../../../model/sentences.ts';

export const evidence = {
  'evidence-broken': {
    title: 'Die Kette der Belege ist nicht lesbar ({ref}).',
    why: 'Ein neues Glied würde den Bruch verdecken, also landet nichts, bevor ein Mensch nachgesehen hat.',
    mend: [
      'harness evidence verify --all',
      'Die Refs aus einem Klon zurückholen oder bewusst entfernen: git update-ref -d {ref}',
    ],
  },
  'evidence-unknown': {
    title: 'Von Aufgabe {item} gibt es hier keine Belege.',
    why: '[[Belege gibt es von: {known}.]]',
    mend: ['harness evidence show', 'In einem Klon zuerst holen: harness evidence show --fetch'],
  },
  'evidence-unreadable': {
    title: 'Aus {file} sind keine Belege lesbar.',
    why: '[[{words}]]',
    mend: ['Die Datei noch einmal anfordern: harness evidence export AUFGABE --to DATEI'],
  },
  'evidence-not-here': {
    title: 'Hier gibt es noch keine Belege.',
    why: 'Sie liegen unter eigenen Refs, die git clone und git fetch auslassen.',
    mend: ["git fetch origin '{refspec}'", 'harness evidence verify --all --fetch'],
  },
  'file-exists': {
    title: 'Die Datei {file} gibt es schon.',
    why: 'Was dort liegt, wird nicht überschrieben.',
    mend: ['Eine andere nennen: --to DATEI'],
  },
} as const satisfies FailureSection;

export const evidenceScreens: { readonly [K in keyof typeof english]: Phrase } = {
  'evidence.item': '#{item} {title}',
  'evidence.session': 'Sitzung {session} von Lauf {run}, {from} bis {to}',
  'evidence.tree': 'gelandeter Baum {tree} auf {parent}',
  'evidence.hash': 'Manifest sha256:{hash}',
  'evidence.previous': 'nach #{item}, sha256:{previous}',
  'evidence.first': 'der Anfang der Kette',
  'evidence.agent': 'Agent {provider}[[ {model}]], Rolle {role}, {turns} Runden, {calls} Werkzeugaufrufe',
  'evidence.check': '$ {command}   Exit {exit}',
  'evidence.tests': '{passed} von {total} Tests bestanden',
  'evidence.sandbox': 'gelaufen in der Sandbox-Stufe: {level}',
  'evidence.sandbox-none': 'gelaufen ohne Sandbox',
  'evidence.decision': 'entschieden von {by}: {subject} → {option}',
  'evidence.mismatches': 'Was der Agent gezeigt hat, ist nicht, was beobachtet wurde:',
  'evidence.warnings': 'Warnungen der Prüfung:',
  'evidence.files': { one: '{count} Datei', other: '{count} Dateien' },
  'evidence.left-out': 'ausgelassen, zu groß: {path} ({bytes} Bytes)',
  'evidence.how': 'neu beweisen:  harness evidence verify {item} --rerun',
  'evidence.look': 'lesen:         git show {ref}:manifest.json',
  'evidence.holds': {
    one: 'Sie halten: {count} Bündel, jeder Hash.',
    other: 'Sie halten: {count} Bündel, jeder Hash.',
  },
  'evidence.held': '#{item} ist gelandet mit {commit}',
  'evidence.broken': 'Die Belege halten nicht. Das erste gebrochene Glied, Aufgabe {item}:',
  'evidence.file': '  in       {file}',
  'evidence.expected': '  erwartet {expected}',
  'evidence.found': '  gefunden {found}',
  'evidence.not-looked': 'nicht angesehen: {#what}',
  'evidence.limits':
    'Was das nicht beweisen kann: Wer dieses Repository schreiben kann, kann die ganze Kette mit frischen Hashes neu schreiben. Mit einem Hash vergleichen, den man aufgehoben hat, oder mit gepushten Commits:',
  'evidence.keep': '  sha256:{hash}',
  'evidence.exported': 'Geschrieben: {file}',
  'evidence.export-how': 'jeder kann es prüfen:  harness evidence verify --from {file}',
  'evidence.rerun-holds': 'Noch einmal gelaufen: dieselben Tests bestehen.',
  'evidence.rerun-broken': 'Noch einmal gelaufen, hält es nicht:',
  'evidence.rerun-masked':
    '  {check}: der Befehl enthielt ein Geheimnis, das maskiert ist; er kann nicht noch einmal laufen',
  'evidence.rerun-exit': '  {check}: Exit {found}, aufgezeichnet war {expected}',
  'evidence.rerun-tests': {
    one: '  {count} Test, der bestand, besteht nicht:',
    other: '  {count} Tests, die bestanden, bestehen nicht:',
  },
  'evidence.rerun-nothing': '  es gibt nichts auszuführen: ein Mensch hat es geprüft',
  'evidence.break.object-unreadable': 'ein Objekt des Bündels ist beschädigt oder fehlt',
  'evidence.break.manifest-missing': 'das Bündel hat kein Manifest',
  'evidence.break.manifest-unreadable': 'das Manifest ist nicht lesbar',
  'evidence.break.file-missing': 'eine Datei, die das Manifest nennt, ist nicht im Bündel',
  'evidence.break.file-unlisted': 'im Bündel ist eine Datei, die das Manifest nicht nennt',
  'evidence.break.file-changed': 'eine Datei ist nicht, was das Manifest sagt',
  'evidence.break.checks-differ': 'die aufgehobenen Prüfungen sind nicht die des Urteils',
  'evidence.break.previous-differs': 'das Bündel davor ist nicht das, was es nennt',
  'evidence.break.session-twice': 'eine Sitzung steht für zwei Aufgaben',
  'evidence.break.item-differs': 'das Bündel ist das einer anderen Aufgabe',
  'evidence.break.ref-differs': 'die Ref der Aufgabe nennt ein anderes Bündel als die Kette',
  'evidence.break.landing-missing': 'kein Commit dieser Geschichte trägt den Hash des Manifests',
  'evidence.break.landing-hash-differs': 'der Commit der Landung trägt einen anderen Hash, als das Manifest hat',
  'evidence.break.landing-tree-differs': 'der Baum des Commits der Landung ist nicht der bewiesene',
  'evidence.break.landing-parent-differs': 'der Commit der Landung steht auf einem anderen Commit als damals',
  'evidence.break.landing-item-differs':
    'der Commit der Landung ist der einer anderen Aufgabe, Sitzung oder eines anderen Laufs',
  'evidence.break.diff-differs': 'der gezeigte Unterschied ist nicht der gelandete',
  'evidence.break.journal-differs': 'das Journal hat eine andere Zeile als die, unter der das Bündel entstand',
  'evidence.break.bundle-missing': 'ein Commit einer Landung nennt ein Bündel, das nicht in der Kette ist',
};
