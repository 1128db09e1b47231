// German. The parameters of each sentence are listed in its English twin, ../en/repository.ts.
import type { FailureSection } from '../shape.ts';

export const repository = {
  'not-a-repository': {
    title: '{path} liegt in keinem Git-Repository.',
    why: 'Arbeit wird mit Git gesichert, verglichen und zurückgenommen.[[ Git sagt: {words}]]',
    mend: ['git init', 'harness -C ORDNER …'],
  },
  'folder-missing': {
    title: 'Es gibt keinen Ordner {path}.',
    why: '',
    mend: ['harness -C ORDNER …   (ein Ordner in einem Git-Repository)'],
  },
  'bare-repository': {
    title: '{path} ist ein Git-Repository ohne Arbeitsverzeichnis (bare).',
    why: 'Agenten und Tests brauchen Dateien, an denen sie arbeiten.',
    mend: ['git clone {path} ORDNER', 'harness -C ORDNER …'],
  },
  'no-commits': {
    title: 'Das Repository[[ {root}]] hat noch keinen Commit.',
    why: 'Ohne einen ersten Commit gibt es nichts, wohin man zurückkehren könnte.',
    mend: ['git add -A && git commit -m "erster Commit"'],
  },
  'two-repositories': {
    title: 'In {root} läuft eine Sitzung ohne Git, und {git} ist ein Git-Repository.',
    why: 'Die Sitzung bewahrt ihre Arbeit in .harness-engine auf; zu welchem von beiden sie gehört, ist nicht zu erkennen.',
    mend: [
      'mv {git}/.git {git}/.git-later   (und zurück, wenn die Sitzung beendet ist)',
      'rm -r {root}/.harness-engine {root}/.harness   (gibt die Sitzung auf; mit Git wird neu begonnen)',
    ],
  },
  'dirty-tree': {
    title: {
      one: 'Im Arbeitsverzeichnis ist {count} Datei nicht committet, deshalb wurde nichts begonnen.',
      other: 'Im Arbeitsverzeichnis sind {count} Dateien nicht committet, deshalb wurde nichts begonnen.',
    },
    why: '[[{files}\n]]Nach einem gescheiterten Versuch wird zurückgesetzt; fremde Änderungen gerieten dabei durcheinander.',
    mend: ['git stash', 'git commit', 'dirty_tree: stash   (in der Konfiguration: selbst beiseitelegen)'],
  },
  'git-operation-open': {
    title: 'Ein „git {operation}“ ist hier noch nicht beendet, deshalb wurde nichts begonnen.',
    why: 'Was das Harness festschreibt, würde ein Teil davon.',
    mend: ['git {operation} --continue', 'git {operation} --abort'],
  },
  'detached-head': {
    title: 'Es ist kein Branch ausgecheckt (HEAD ist losgelöst[[, bei {commit}]]).',
    why: 'Angenommene Arbeit gehörte zu keinem Branch und ginge verloren.',
    mend: ['git switch BRANCH', 'git switch -c NEUER-BRANCH'],
  },
  'git-failed': {
    title: 'git {command} ist gescheitert[[, Exit-Code {exit}]].',
    why: '[[{words}]]',
    mend: ['Von Hand ausführen, um mehr zu sehen; danach wurde nichts mehr geändert.'],
  },
  'git-missing': {
    title: 'git wurde nicht gefunden[[ oder ist zu alt ({found})]].',
    why: '[[Nötig ist mindestens Version {needed}.]]',
    mend: ['Git installieren und dafür sorgen, dass es im PATH liegt.'],
  },
  'git-busy': {
    title: 'Git ist in diesem Repository beschäftigt[[, deshalb lief git {command} nicht]].',
    why: '[[{words}\n]]Ein anderer Git-Prozess arbeitet, oder einer wurde mittendrin beendet.',
    mend: ['Abwarten. Läuft kein Git-Prozess, die Sperrdatei entfernen.'],
  },
  'nested-repository': {
    title: '{path} ist ein Git-Repository innerhalb von diesem.',
    why: 'Seine Dateien gehören zu keinem äußeren Commit; sie ließen sich weder sichern noch zurücknehmen.',
    mend: ['Als Submodul aufnehmen, ignorieren (.gitignore) oder anderswohin verschieben.'],
  },
  'push-rejected': {
    title: 'Das Remote {remote} hat den Push[[ von {branch}]] nicht angenommen.',
    why: '[[{words}\n]]Es wurde zweimal versucht. Die Arbeit ist hier committet; nichts ist verloren, und die nächste Übernahme pusht beides.',
    mend: ['Ansehen, was das Remote sagt, dann: git push'],
  },
  'push-unreachable': {
    title: 'Das Remote {remote} war für den Push[[ von {branch}]] nicht zu erreichen.',
    why: '[[{words}\n]]Es wurde zweimal versucht. Die Arbeit ist hier committet; nichts ist verloren, und die nächste Übernahme pusht beides.',
    mend: ['Netz und Anmeldung prüfen, dann: git push'],
  },
  'push-behind': {
    title: 'Das Remote {remote} hat[[ auf {branch}]] Commits, die hier fehlen; deshalb wurde der Push abgelehnt.',
    why: 'Die Arbeit ist hier committet; nichts ist verloren. Von selbst zusammengeführt wurde nicht: nichts prüft das Ganze (testing.full), Dateien hier sind nicht so, wie sie committet wurden, oder das Remote ist schon wieder weiter.',
    mend: ['git pull --no-rebase', 'git push'],
  },
  'pull-conflict': {
    title: 'Was auf {remote}[[ ({branch})]] liegt und was hier übernommen wurde, ändert dieselben Zeilen[[: {files}]].',
    why: 'Die Arbeit ist hier committet; nichts ist verloren, nichts wurde zusammengeführt oder gepusht.',
    mend: ['git pull --no-rebase', 'Die Konflikte lösen und committen', 'git push'],
  },
  'pull-protected': {
    title: 'Commits auf {remote}[[ ({branch})]] ändern, wonach sich der harness richtet[[: {files}]].',
    why: 'Konfiguration, Backlog, Protokoll und Skripte kommen nur durch einen Menschen herein. Die Arbeit ist hier committet; nichts ist verloren, nichts wurde zusammengeführt oder gepusht.',
    mend: ['git fetch, dann zum Ansehen git diff HEAD...FETCH_HEAD', 'git pull --no-rebase', 'git push'],
  },
  'pull-failing': {
    title: 'Was hier übernommen wurde, hält nicht zusammen mit dem, was auf {remote}[[ ({branch})]] liegt.',
    why: '[[{tests}\n]][[{command}:\n{tail}\n]]Beides wurde zusammengeführt und als Ganzes geprüft, und das wurde zurückgenommen: Der Branch ist wie übernommen, die Zusammenführung liegt als Versuch bereit, gepusht wurde nichts.',
    mend: ['git pull --no-rebase', 'Beheben, was nicht hält, und committen', 'git push'],
  },
  'unwind-conflict': {
    title:
      'Die angefangene Arbeit an #{item} ließ sich nicht zurücknehmen: Was danach kam, ändert dieselben Zeilen[[: {files}]].',
    why: 'Das Item ist ausgelassen; seine vorläufigen Commits stehen auf dem Branch. Angefasst wurde nichts.',
    mend: ['git log --grep "^WIP" zeigt sie', 'git revert <commit>, und die Konflikte lösen'],
  },
  'unwind-failing': {
    title: 'Ohne die angefangene Arbeit an #{item} schlagen Tests fehl, die bestanden haben.',
    why: '[[{tests}\n]][[{command}:\n{tail}\n]]Sie wurde zurückgenommen, geprüft und wieder hingelegt: Etwas Übernommenes beruht darauf, oder es hält auch mit ihr nicht.',
    mend: ['git log --grep "^WIP" zeigt ihre Commits', 'Entscheiden, was davon bleibt'],
  },
  'unwind-not-clean': {
    title:
      'Die angefangene Arbeit an #{item} wurde nicht zurückgenommen: Dateien hier sind nicht so, wie sie committet wurden.',
    why: 'Geändert wird nur ein Stand, der Byte für Byte bekannt ist. Das Item ist ausgelassen; seine vorläufigen Commits stehen auf dem Branch. Git vor 2.38 kann das auch nicht.',
    mend: ['git status', 'git log --grep "^WIP" zeigt ihre Commits, git revert nimmt einen zurück'],
  },
  'unwind-unproved': {
    title:
      'Die angefangene Arbeit an #{item} wurde nicht zurückgenommen: Keine Testsuite würde zeigen, was darauf beruht.',
    why: 'testing.full ist nicht eingestellt. Das Item ist ausgelassen; seine vorläufigen Commits stehen auf dem Branch.',
    mend: ['testing.full einstellen', 'git log --grep "^WIP" zeigt ihre Commits, git revert nimmt einen zurück'],
  },
  locked: {
    title: 'In diesem Repository arbeitet schon ein harness (PID {pid}[[, seit {since}]][[, {command}]]).',
    why: 'Zwei zugleich würden einander überschreiben.',
    mend: ['harness status', 'harness stop'],
  },
  'sparse-checkout': {
    title: '{root} ist nur teilweise ausgecheckt (sparse checkout).',
    why: 'Dateien, die nicht da sind, lassen sich weder prüfen noch sichern.',
    mend: ['git sparse-checkout disable'],
  },
  'restore-incomplete': {
    title:
      'Das Arbeitsverzeichnis ließ sich nicht auf den Sicherungspunkt zurückbringen[[ (Baum {expected}, gefunden {found})]].',
    why: 'Etwas schreibt weiter hinein. Was da war, ist als Versuch erhalten.',
    mend: ['Alle Programme beenden, die ins Repository schreiben, dann: harness resume'],
  },
  'path-outside-repository': {
    title: '{path} liegt außerhalb des Repositorys.',
    why: 'Anderswohin wird nicht geschrieben.',
    mend: ['Einen Pfad innerhalb des Repositorys nennen.'],
  },
} as const satisfies FailureSection;
