// German. The parameters of each sentence are listed in its English twin, ../en/repository.ts.
import type { FailureSection } from '../shape.ts';

export const repository = {
  'not-a-repository': {
    title: '{path} liegt in keinem Git-Repository.',
    why: 'Arbeit wird mit Git gesichert, verglichen und zurückgenommen.[[ Git sagt: {words}]]',
    fix: ['git init', 'harness -C ORDNER …'],
  },
  'repository-of-another': {
    title: 'Das Repository {root} gehört einem anderen Benutzer.',
    why: 'Git vertraut ihm nicht, weil seine Konfiguration Programme starten kann.',
    fix: ['git config --global --add safe.directory {path}   (wenn Sie ihm vertrauen)'],
  },
  'folder-missing': {
    title: 'Der Ordner {path} existiert nicht.',
    why: '',
    fix: ['harness -C ORDNER …   (ein Ordner in einem Git-Repository)'],
  },
  'harness-own-folder': {
    title: '{path} ist ein Ordner des Harness selbst.',
    why: 'Jeder Lauf überschreibt ihn: er gehört zum Projekt {root}, in dem Stand, Liste und Branch sind.',
    fix: ['cd {root}', 'harness -C {root} …'],
  },
  'bare-repository': {
    title: '{path} ist ein Git-Repository ohne Arbeitsverzeichnis (bare).',
    why: 'Agenten und Tests brauchen Dateien, an denen sie arbeiten.',
    fix: ['git clone {path} ORDNER', 'harness -C ORDNER …'],
  },
  'run-branch-gone': {
    title: 'Den Branch {branch}, auf dem eine angefangene Aufgabe landet, gibt es nicht mehr.',
    why: 'Verloren ist nichts: sein letzter Commit und die unfertige Arbeit sind noch da.',
    fix: ['[[git branch {branch} {commit}   (stellt ihn wieder her)]]', 'harness run'],
  },
  'run-branch-conflict': {
    title: '{from} und {branch}, der noch nicht gemergt ist, widersprechen sich: {files}.',
    why: 'Der nächste Lauf beginnt mit beidem, und was davon gilt, wissen nur Sie.',
    fix: [
      'git merge {branch}   (den Konflikt lösen, dann: harness run)',
      'git branch -D {branch}   (verwirft, was darauf ist)',
    ],
  },
  'run-branch-late': {
    title: 'Eine Aufgabe ist angefangen, die vor land: branch begonnen hat und auf dem aktuellen Branch landen würde.',
    why: '',
    fix: ['land: commit   (bis sie beendet ist)', 'harness abort   (behält ihre Arbeit als Versuch)'],
  },
  'run-branch-unmerged': {
    title: 'Was hier ist, lässt sich nicht zusammen mit {branch} prüfen: der Branch ist nicht gemergt.',
    why: 'takeback prüft die Dateien Ihres Arbeitsverzeichnisses, und die gültige Liste ist auf diesem Branch.',
    fix: ['git merge {branch}', 'git branch -D {branch}   (verwirft, was darauf ist)'],
  },
  'no-commits': {
    title: 'Das Repository[[ {root}]] hat noch keinen Commit.',
    why: 'Ohne einen ersten Commit gibt es keinen Stand, auf den zurückgesetzt werden kann.',
    fix: ['git add -A && git commit --allow-empty -m "erster Commit"'],
  },
  'two-repositories': {
    title: 'In {root} läuft eine Sitzung ohne Git, aber {git} ist ein Git-Repository.',
    why: 'Die Sitzung speichert ihre Arbeit in .harness-engine; es ist unklar, welches von beiden gilt.',
    fix: [
      'mv {git}/.git {git}/.git-later   (und zurück, wenn die Sitzung beendet ist)',
      'rm -r {root}/.harness-engine {root}/.harness   (verwirft die Sitzung und beginnt mit Git von vorn)',
    ],
  },
  'dirty-tree': {
    title: {
      one: 'Im Arbeitsverzeichnis ist {count} Datei nicht committet, deshalb wurde nichts begonnen.',
      other: 'Im Arbeitsverzeichnis sind {count} Dateien nicht committet, deshalb wurde nichts begonnen.',
    },
    why: '[[{files}\n]]Nach einem fehlgeschlagenen Versuch wird das Arbeitsverzeichnis zurückgesetzt; diese Dateien würden mit vermischt.',
    fix: [
      'git stash push -u -- {paths}',
      'git add -- {paths} && git commit -m "meine Arbeit"',
      'dirty_tree: stash   (in der Konfiguration: automatisch stashen)',
    ],
  },
  'git-operation-open': {
    title: 'Ein „git {operation}“ ist hier noch nicht beendet, deshalb wurde nichts begonnen.',
    why: 'Commits des Harness würden ein Teil davon.',
    fix: ['git {operation} --continue', 'git {operation} --abort'],
  },
  'detached-head': {
    title: 'Es ist kein Branch ausgecheckt (HEAD ist losgelöst[[, bei {commit}]]).',
    why: 'Angenommene Arbeit gehörte zu keinem Branch und ginge verloren.',
    fix: ['git switch BRANCH', 'git switch -c NEUER-BRANCH'],
  },
  'git-failed': {
    title: 'git {command} ist fehlgeschlagen[[, Exit-Code {exit}]].',
    why: '[[{words}]]',
    fix: ['Für Einzelheiten von Hand ausführen; danach wurde nichts mehr geändert.'],
  },
  'git-missing': {
    title: 'git wurde nicht gefunden[[ oder ist zu alt ({found})]].',
    why: '[[Nötig ist mindestens Version {needed}.]]',
    fix: ['Git installieren und prüfen, ob es im PATH liegt.'],
  },
  'git-busy': {
    title: 'Git ist in diesem Repository beschäftigt[[, deshalb lief git {command} nicht]].',
    why: '[[{words}\n]]Ein anderer Git-Prozess läuft, oder einer wurde unterbrochen.',
    fix: ['Abwarten. Läuft kein Git-Prozess, die Sperrdatei entfernen.'],
  },
  'nested-repository': {
    title: '{path} ist ein Git-Repository innerhalb von diesem.',
    why: 'Seine Dateien gehören zu keinem äußeren Commit; sie lassen sich weder sichern noch zurücknehmen.',
    fix: ['Als Submodul aufnehmen, ignorieren (.gitignore) oder anderswohin verschieben.'],
  },
  'push-rejected': {
    title: 'Das Remote {remote} hat den Push[[ von {branch}]] abgelehnt.',
    why: '[[{words}\n]]Es wurde zweimal versucht. Die Arbeit ist hier committet; nichts ist verloren, und die nächste Übernahme pusht beides.',
    fix: ['Die Meldung des Remotes prüfen, dann: git push'],
  },
  'push-unreachable': {
    title: 'Das Remote {remote} war für den Push[[ von {branch}]] nicht zu erreichen.',
    why: '[[{words}\n]]Es wurde zweimal versucht. Die Arbeit ist hier committet; nichts ist verloren, und die nächste Übernahme pusht beides.',
    fix: ['Netz und Anmeldung prüfen, dann: git push'],
  },
  'push-behind': {
    title: 'Das Remote {remote} hat[[ auf {branch}]] Commits, die hier fehlen; deshalb wurde der Push abgelehnt.',
    why: 'Die Arbeit ist hier committet; nichts ist verloren. Automatisch zusammengeführt wurde nicht: keine Testsuite prüft das Ergebnis (testing.full), das Arbeitsverzeichnis ist nicht sauber, oder das Remote hat sich wieder geändert.',
    fix: ['git pull --no-rebase', 'git push'],
  },
  'pull-conflict': {
    title:
      'Die Commits auf {remote}[[ ({branch})]] und die hier übernommene Arbeit ändern dieselben Zeilen[[: {files}]].',
    why: 'Die Arbeit ist hier committet; nichts ist verloren, nichts wurde zusammengeführt oder gepusht.',
    fix: ['git pull --no-rebase', 'Die Konflikte lösen und committen', 'git push'],
  },
  'pull-protected': {
    title: 'Commits auf {remote}[[ ({branch})]] ändern Dateien, die das Harness steuern[[: {files}]].',
    why: 'Änderungen an Konfiguration, Backlog, Protokoll und Skripten führen nur Menschen zusammen. Die Arbeit ist hier committet; nichts ist verloren, nichts wurde zusammengeführt oder gepusht.',
    fix: ['git fetch, dann git diff HEAD...FETCH_HEAD   (zeigt sie)', 'git pull --no-rebase', 'git push'],
  },
  'pull-failing': {
    title:
      'Die hier übernommene Arbeit besteht die Prüfungen nicht, wenn sie mit {remote}[[ ({branch})]] zusammengeführt wird.',
    why: '[[{tests}\n]][[{command}:\n{tail}\n]]Beides wurde zusammengeführt und als Ganzes geprüft, dann wurde die Zusammenführung zurückgenommen: der Branch ist wie übernommen, die Zusammenführung ist als Versuch gespeichert, gepusht wurde nichts.',
    fix: ['git pull --no-rebase', 'Beheben, was fehlschlägt, und committen', 'git push'],
  },
  'unwind-conflict': {
    title:
      'Die angefangene Arbeit an #{item} ließ sich nicht zurücknehmen: spätere Commits ändern dieselben Zeilen[[: {files}]].',
    why: 'Die Aufgabe ist ausgelassen; ihre vorläufigen Commits bleiben auf dem Branch. Nichts wurde geändert.',
    fix: ['git log --grep "^WIP"   (zeigt sie)', 'git revert <commit>, und die Konflikte lösen'],
  },
  'unwind-failing': {
    title: 'Ohne die angefangene Arbeit an #{item} schlagen Tests fehl, die bestanden haben.',
    why: '[[{tests}\n]][[{command}:\n{tail}\n]]Sie wurde zurückgenommen, geprüft und wiederhergestellt: übernommene Arbeit hängt davon ab, oder die Tests schlagen auch mit ihr fehl.',
    fix: ['git log --grep "^WIP"   (zeigt ihre Commits)', 'Entscheiden, was davon bleibt'],
  },
  'unwind-not-clean': {
    title: 'Die angefangene Arbeit an #{item} wurde nicht zurückgenommen: das Arbeitsverzeichnis ist nicht sauber.',
    why: 'Nur ein sauberes Arbeitsverzeichnis wird geändert. Die Aufgabe ist ausgelassen; ihre vorläufigen Commits bleiben auf dem Branch. Außerdem ist git ab 2.38 nötig.',
    fix: ['git status', 'git log --grep "^WIP"   (zeigt ihre Commits; git revert nimmt einen zurück)'],
  },
  'unwind-unproved': {
    title:
      'Die angefangene Arbeit an #{item} wurde nicht zurückgenommen: keine Testsuite würde zeigen, was davon abhängt.',
    why: 'testing.full ist nicht konfiguriert. Die Aufgabe ist ausgelassen; ihre vorläufigen Commits bleiben auf dem Branch.',
    fix: ['testing.full konfigurieren', 'git log --grep "^WIP"   (zeigt ihre Commits; git revert nimmt einen zurück)'],
  },
  locked: {
    title: 'In diesem Repository läuft schon ein harness (PID {pid}[[, seit {since}]][[, {command}]]).',
    why: 'Zwei zugleich würden einander überschreiben.',
    fix: ['harness status', 'harness stop'],
  },
  'sparse-checkout': {
    title: '{root} ist nur teilweise ausgecheckt (sparse checkout).',
    why: 'Dateien, die nicht ausgecheckt sind, lassen sich weder prüfen noch sichern.',
    fix: ['git sparse-checkout disable'],
  },
  'restore-incomplete': {
    title:
      'Das Arbeitsverzeichnis ließ sich nicht auf den Checkpoint zurücksetzen[[ (Baum {expected}, gefunden {found})]].',
    why: 'Etwas schreibt weiter hinein. Der bisherige Inhalt ist als Versuch gespeichert.',
    fix: ['Alle Programme beenden, die ins Repository schreiben, dann: harness resume'],
  },
  'path-outside-repository': {
    title: '{path} liegt außerhalb des Repositorys.',
    why: 'Das Harness schreibt nur innerhalb des Repositorys.',
    fix: ['Einen Pfad innerhalb des Repositorys nennen.'],
  },
} as const satisfies FailureSection;
