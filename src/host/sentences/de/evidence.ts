// German. The parameters of each sentence are listed in its English twin, ../en/evidence.ts.
import type { evidenceScreens as english } from '../en/evidence.ts';
import type { FailureSection } from '../shape.ts';
import type { Phrase } from '../../../model/sentences.ts';

export const evidence = {
  'evidence-broken': {
    title: 'Die Kette der Belege ist nicht lesbar ({ref}).',
    why: 'Ein neues Glied würde den Bruch verdecken, deshalb landet nichts, bevor ein Mensch nachgesehen hat.',
    fix: [
      'harness evidence verify --all',
      'Die Refs aus einem Klon zurückholen oder bewusst entfernen: git update-ref -d {ref}',
    ],
  },
  'evidence-unknown': {
    title: 'Von Aufgabe {item} gibt es hier keine Belege.',
    why: '[[Belege gibt es von: {known}.]]',
    fix: ['harness evidence show', 'In einem Klon zuerst holen: harness evidence show --fetch'],
  },
  'evidence-unreadable': {
    title: 'Aus {file} sind keine Belege lesbar.',
    why: '[[{words}]]',
    fix: ['Die Datei noch einmal anfordern: harness evidence export AUFGABE --to DATEI'],
  },
  'evidence-not-here': {
    title: 'Hier gibt es noch keine Belege.',
    why: 'Sie liegen unter eigenen Refs, die git clone und git fetch auslassen.',
    fix: ["git fetch origin '{refspec}'", 'harness evidence verify --all --fetch'],
  },
  'file-exists': {
    title: 'Die Datei {file} gibt es schon.',
    why: 'Vorhandene Dateien werden nie überschrieben.',
    fix: ['Eine andere nennen[[: {option} DATEI]]'],
  },
} as const satisfies FailureSection;

export const evidenceScreens: { readonly [K in keyof typeof english]: Phrase } = {
  'evidence.item': '#{item} {title}',
  'evidence.session': 'Sitzung {session} von Lauf {run}, {from} bis {to}',
  'evidence.tree': 'gelandeter Baum {tree} auf {parent}',
  'evidence.hash': 'Manifest sha256:{hash}',
  'evidence.previous': 'nach #{item}, sha256:{previous}',
  'evidence.first': 'das erste der Kette',
  'evidence.agent': 'Agent {provider}[[ {model}]], Rolle {role}, {turns} Runden, {calls} Werkzeugaufrufe',
  'evidence.check': '$ {command}   Exit {exit}',
  'evidence.tests': '{passed} von {total} Tests bestanden',
  'evidence.sandbox': 'gelaufen in der Sandbox-Stufe: {level}',
  'evidence.sandbox-none': 'gelaufen ohne Sandbox',
  'evidence.decision': 'entschieden von {by}: {subject} → {option}',
  'evidence.mismatches': 'Was der Agent gezeigt hat, weicht vom Beobachteten ab:',
  'evidence.warnings': 'Warnungen der Prüfung:',
  'evidence.review': 'beurteilt durch {role}, Sitzung {session}:',
  'evidence.assertion': '{id} {verdict}[[ ({path}: {quote})]]',
  'evidence.files': { one: '{count} Datei', other: '{count} Dateien' },
  'evidence.left-out': 'ausgelassen, zu groß: {path} ({bytes} Bytes)',
  'evidence.how': 'erneut prüfen: harness evidence verify {item} --rerun',
  'evidence.look': 'lesen:         git show {ref}:manifest.json',
  'evidence.holds': {
    one: 'Gültig: {count} Bündel, alle Hashes stimmen.',
    other: 'Gültig: {count} Bündel, alle Hashes stimmen.',
  },
  'evidence.held': '#{item} ist gelandet mit {commit}',
  'evidence.held-older':
    '#{item} ist gelandet mit {commit} (älterer Nachweis: Meldung und geprüfter Baum werden nicht verglichen)',
  'evidence.outside': '#{item} ist nicht in der Historie der Zweige hier[[; gelandet ist sie mit {commit}]]',
  'evidence.claim.flip': 'erledigt laut Liste: die Aufgabe wechselt von offen zu erledigt',
  'evidence.claim.command': 'erledigt, weil die Befehle der Aufgabe bestanden haben',
  'evidence.claim.gate': 'erledigt durch die Antwort auf eine Frage',
  'evidence.claim.person': 'erledigt, weil ein Mensch es sagt',
  'evidence.older': 'älterer Nachweis (Schema 1): Meldung und geprüfter Baum werden nicht verglichen',
  'evidence.proof.tests': 'nachgewiesen durch einen Bericht der Tests: {held}',
  'evidence.proof.exit-code': 'nur durch Exit-Codes nachgewiesen: {held}',
  'evidence.proof.person': 'nur durch einen Menschen nachgewiesen[[: {held}]]',
  'evidence.not-possible': 'nicht möglich: {names}',
  'evidence.broken': 'Die Belege sind ungültig. Erstes gebrochenes Glied, Aufgabe {item}:',
  'evidence.file': '  in       {file}',
  'evidence.expected': '  erwartet {expected}',
  'evidence.found': '  gefunden {found}',
  'evidence.not-looked': 'nicht geprüft: {#what}',
  'evidence.limits':
    'Grenzen dieses Nachweises: Wer Schreibrechte auf dieses Repository hat, kann die ganze Kette mit neuen Hashes neu schreiben. Mit einem gespeicherten Hash oder mit gepushten Commits vergleichen:',
  'evidence.keep': '  sha256:{hash}',
  'evidence.exported': 'Geschrieben: {file}',
  'evidence.export-how': 'jeder kann es prüfen:  harness evidence verify --from {file}',
  'evidence.rerun-holds': 'Im sauberen Checkout erneut ausgeführt (Sandbox: {sandbox}): dieselben Tests bestehen.',
  'evidence.rerun-broken':
    'Erneut ausgeführt[[ im sauberen Checkout (Sandbox: {sandbox})]], ergibt sich etwas anderes:',
  'evidence.rerun-masked':
    '  {check}: der Befehl enthielt ein Geheimnis, das maskiert ist; er kann nicht erneut ausgeführt werden',
  'evidence.rerun-exit': '  {check}: Exit {found}, aufgezeichnet war {expected}',
  'evidence.rerun-tests': {
    one: '  {count} Test, der bestand, schlägt fehl:',
    other: '  {count} Tests, die bestanden, schlagen fehl:',
  },
  'evidence.rerun-nothing': '  es gibt nichts auszuführen: ein Mensch hat es geprüft',
  'evidence.break.object-unreadable': 'ein Objekt des Bündels ist beschädigt oder fehlt',
  'evidence.break.manifest-missing': 'das Bündel hat kein Manifest',
  'evidence.break.manifest-unreadable': 'das Manifest ist nicht lesbar',
  'evidence.break.file-missing': 'eine Datei, die das Manifest nennt, ist nicht im Bündel',
  'evidence.break.file-unlisted': 'im Bündel ist eine Datei, die das Manifest nicht nennt',
  'evidence.break.file-changed': 'eine Datei weicht vom Manifest ab',
  'evidence.break.checks-differ': 'die gespeicherten Prüfungen weichen von denen des Urteils ab',
  'evidence.break.previous-differs': 'das vorherige Bündel ist nicht das genannte',
  'evidence.break.session-twice': 'eine Sitzung ist für zwei Aufgaben verwendet',
  'evidence.break.item-differs': 'das Bündel gehört zu einer anderen Aufgabe',
  'evidence.break.ref-differs': 'die Ref der Aufgabe nennt ein anderes Bündel als die Kette',
  'evidence.break.landing-missing': 'kein Commit dieser Historie hat den Hash des Manifests',
  'evidence.break.landing-hash-differs': 'der gelandete Commit hat einen anderen Hash als das Manifest',
  'evidence.break.landing-tree-differs': 'der Baum des gelandeten Commits ist nicht der geprüfte',
  'evidence.break.landing-parent-differs': 'der gelandete Commit hat einen anderen Vorgänger',
  'evidence.break.landing-item-differs':
    'der gelandete Commit gehört zu einer anderen Aufgabe, Sitzung oder einem anderen Lauf',
  'evidence.break.diff-differs': 'der gespeicherte Diff ist nicht der gelandete',
  'evidence.break.claim-not-made': 'die Landung ändert die Aufgabe nicht von offen zu erledigt',
  'evidence.break.claim-differs':
    'die gespeicherte Meldung weicht von der Liste im gelandeten Baum und dessen Vorgänger ab',
  'evidence.break.list-differs': 'die Landung ändert mehr an der Liste als die Aufgabe',
  'evidence.break.log-rewritten': 'die Landung ändert Einträge des Fortschrittsprotokolls, die vorher da waren',
  'evidence.break.checked-tree-differs': 'gelandet ist nicht, was geprüft wurde',
  'evidence.break.landing-elsewhere': 'der gelandete Commit ist in der Historie keines Zweigs hier',
  'evidence.break.proof-older': 'das Bündel hat ein älteres Schema als das vorherige',
  'evidence.break.journal-differs': 'die Zeile im Journal weicht von der des Bündels ab',
  'evidence.break.bundle-missing': 'ein gelandeter Commit nennt ein Bündel, das nicht in der Kette ist',
};
