// German: the place where code is reviewed, and pull requests of landed items.
import type { FailureSection } from '../shape.ts';

export const forge = {
  'forge-not-configured': {
    title: 'Es ist keine Plattform eingerichtet, also gibt es keinen Ort für einen Pull Request.',
    why: 'Das ist GitHub oder das Git-Remote selbst: dann sind Pull Requests Dateien darin.',
    fix: ['In .harness.yaml: forge: { kind: github }', 'In .harness.yaml: forge: { kind: local, ci: "npm test" }'],
  },
  'forge-remote-missing': {
    title: 'Es gibt kein Git-Remote namens {remote}.',
    why: 'Der Zweig eines Pull Requests wird dorthin geschoben.',
    fix: ['git remote add {remote} URL', 'In .harness.yaml: forge: { remote: NAME }   (ein anderes)'],
  },
  'forge-base-missing': {
    title: 'Das Remote {remote} hat keinen Zweig {branch}.',
    why: 'Ein Pull Request richtet sich gegen ihn.',
    fix: ['git push {remote} HEAD:{branch}', 'In .harness.yaml: forge: { base_branch: NAME }   (ein anderer)'],
  },
  'forge-repository-unknown': {
    title: 'Es ist nicht bekannt, welches Repository auf GitHub gemeint ist.',
    why: 'Das Remote {remote} ist {url}, und das ist keine Adresse von GitHub.',
    fix: ['In .harness.yaml: forge: { repository: owner/name, api_url: "https://api.github.com" }'],
  },
  'forge-address-unsafe': {
    title: 'Die Adresse {url} wird nicht benutzt.',
    why: 'Ein Token wird nur über https oder an diese Maschine geschickt.',
    fix: ['In .harness.yaml: forge: { api_url: "https://…" }'],
  },
  'forge-not-logged-in': {
    title: 'Sie sind bei {host} nicht angemeldet.',
    why: '[[Die Antwort: {words}. ]]Das Token ist das von GH_TOKEN oder GITHUB_TOKEN, sonst das von gh; für einen anderen Server als github.com zählt es nur, wenn GH_HOST oder GITHUB_API_URL den Server nennt.',
    fix: ['gh auth login --hostname {host}', 'export GH_TOKEN=…'],
  },
  'forge-forbidden': {
    title: 'Die Plattform erlaubt das nicht: {what}.',
    why: '[[Die Antwort: {words}]]',
    fix: ['Ein Token verwenden, das Inhalte, Pull Requests und Issues des Repositorys schreiben darf.'],
  },
  'forge-not-found': {
    title: 'Die Plattform kennt {what} nicht.',
    why: 'Es existiert nicht, oder das Token darf es nicht sehen.',
    fix: ['Den Namen des Repositorys und die Rechte des Tokens vergleichen.'],
  },
  'forge-conflict': {
    title: 'Die Plattform hat eine Änderung abgelehnt, weil andere schneller waren: {what}.',
    why: '[[Die Antwort: {words}]]',
    fix: ['Noch einmal versuchen.'],
  },
  'forge-refused': {
    title: 'Die Plattform hat das nicht angenommen: {what}.',
    why: '[[Die Antwort: {words}]]',
    fix: ['Korrigieren, was sie nennt, und noch einmal versuchen.'],
  },
  'forge-rate-limited': {
    title: '{host} nimmt bis {until} keine Anfragen mehr an.',
    why: '[[Die Antwort: {words}]]',
    fix: ['Nach {until} noch einmal versuchen; was bisher getan ist, bleibt.'],
  },
  'forge-failing': {
    title: '{host} funktioniert gerade nicht (Status {status}).',
    why: '[[Die Antwort: {words}]]',
    fix: ['Später noch einmal versuchen; was bisher getan ist, bleibt.'],
  },
  'forge-unreachable': {
    title: '{host} ist nicht erreichbar.',
    why: '[[{words}]]',
    fix: ['Das Netz prüfen und noch einmal versuchen; was bisher getan ist, bleibt.'],
  },
  'forge-answer-unknown': {
    title: 'Die Antwort der Plattform ist nicht verständlich: {what}.',
    why: '[[{words}. ]]Aus ihr wird nichts geschlossen.',
    fix: ['Die Adresse in forge.api_url prüfen, und ob es eine neuere Version von harness gibt.'],
  },
  'forge-not-visible': {
    title: 'Die Plattform zeigt noch nicht, was sie angenommen hat: {what}.',
    why: 'Neues zeigt sie mit Verzögerung.',
    fix: ['Noch einmal versuchen; nichts entsteht doppelt.'],
  },
  'forge-busy': {
    title: 'Die Pull Requests in {url} wurden immer wieder von anderen geändert.',
    why: 'Eine Änderung zählt nur auf allen anderen.',
    fix: ['Noch einmal versuchen.'],
  },
  'forge-record-unreadable': {
    title: '{file} auf {ref} des Remotes ist nicht lesbar.',
    why: '[[{words}. ]]Ein Eintrag, der nicht verstanden wird, wird nie ersetzt.',
    fix: [
      'git fetch origin {ref} && git show FETCH_HEAD:{file}',
      'Dort korrigieren, oder eine neuere Version von harness verwenden.',
    ],
  },
  'forge-pull-of-another': {
    title: 'Der Zweig hat schon einen Pull Request, den harness nicht geöffnet hat: {url}.',
    why: 'Was andere geschrieben haben, wird nicht ersetzt.',
    fix: ['„{line}“ als letzte Zeile seines Textes einfügen, um ihn harness zu geben.', 'Oder ihn schließen.'],
  },
  'forge-head-moved': {
    title: 'Pull Request #{number} ist nicht mehr, was angesehen wurde.',
    why: 'Sein Zweig ist bei {found}, nicht bei {expected}.',
    fix: ['Noch einmal ansehen.'],
  },
  'forge-not-mergeable': {
    title: 'Pull Request #{number} lässt sich nicht zusammenführen.',
    why: '[[{words}]]',
    fix: ['Seinen Zweig auf den neuesten Stand bringen, oder ihn wieder öffnen, wenn er geschlossen ist.'],
  },
  'forge-base-elsewhere': {
    title: 'Der Lauf ist nicht auf {branch}, dem Zweig, in den Pull Requests gehen.',
    why: '[[Er ist auf {here}. ]]Dort wird ein Plan zusammengeführt, in einem eigenen Arbeitsbaum, und der Zweig hier folgt.',
    fix: [
      'git switch {branch}',
      'In .harness.yaml: isolation: worktree',
      'In .harness.yaml: forge: { base_branch: NAME }   (ein anderer)',
    ],
  },
  'forge-base-ahead': {
    title: 'Der Zweig {branch} hat Commits, die {remote} nicht hat.',
    why: 'Arbeit wird in {branch} von {remote} zusammengeführt, und der Zweig hier folgt ihm.',
    fix: ['git push {remote} {branch}', 'git pull --rebase {remote} {branch}   (wenn beide neue Commits haben)'],
  },
  'forge-file-missing': {
    title: '{file} ist nicht auf {branch} der Gegenstelle.',
    why: 'Die Datei wird dort verschoben, sobald ihre Arbeit zusammengeführt ist.',
    fix: ['Den Commit mit der Datei pushen, dann: harness run'],
  },
  'forge-checks-pending': {
    title: 'Die Prüfungen des Pull Requests sind noch nicht fertig.',
    why: 'Sie laufen auf der Forge.',
    fix: ['Auf sie warten, dann: harness run'],
  },
  'pr-not-landed': {
    title: 'Aufgabe {item} ist auf diesem Zweig nicht gelandet.',
    why: 'Ein Pull Request entsteht aus den Commits, die sie gelandet haben, mit ihren Belegen.',
    fix: ['harness run {item}', 'harness show {item}', 'git switch ZWEIG   (auf dem sie gelandet ist)'],
  },
  'pr-merged': {
    title: 'Aufgabe {item} ist schon zusammengeführt: {url}.',
    why: 'Sie ist seitdem nicht noch einmal gelandet.',
    fix: ['harness evidence show {item}'],
  },
  'issues-not-synced': {
    title: 'Die Issues folgen der Liste nicht: {cause}',
    why: 'Die Konfiguration will, dass ein Lauf dann anhält (github.on_sync_failure: fail). Was bis dahin getan wurde, bleibt.',
    fix: ['Die Ursache beheben, dann: harness github sync', 'In .harness.yaml: github: { on_sync_failure: warn }'],
  },
  'issues-off': {
    title: 'Die Aufgaben haben keine Issues.',
    why: 'Die Konfiguration schaltet weder den Spiegel noch Issues als Backlog ein.',
    fix: ['In .harness.yaml: github: { repo: owner/name }', 'In .harness.yaml: backlog: github'],
  },
  'pr-on-base': {
    title: 'Aufgabe {item} ist schon auf {branch} von {remote}.',
    why: 'Gelandete Arbeit wurde dorthin geschoben, also gibt es nichts zu begutachten.',
    fix: [
      'In .harness.yaml: push: { remote: null }   (vor dem Lauf, damit zuerst begutachtet wird)',
      'git switch -c arbeit   (dort laufen lassen: gelandet wird auf dem Zweig dieses Namens)',
    ],
  },
  'pr-conflict': {
    title: 'Aufgabe {item} passt für sich allein nicht auf {branch}.',
    why: 'Ihr Commit {commit} hat Konflikte in {files}: er baut auf Arbeit auf, die noch nicht auf {branch} ist.',
    fix: ['Zuerst die Pull Requests der Aufgaben davor öffnen und zusammenführen, dann: harness pr {item}'],
  },
  'pr-branch-edited': {
    title: 'Der Zweig {branch} hat Commits von anderen.',
    why: 'Er ist bei {commit}. Nichts davon wird überschrieben.',
    fix: ['Zuerst seinen Pull Request zusammenführen oder schließen, und den Zweig löschen.'],
  },
} as const satisfies FailureSection;

export const forgeScreens = {
  'issue.about': 'Aufgabe {item}: {title}',
  'issue.proof': 'Bewiesen durch `{proof}`.',
  'issue.depends': 'Depends on {items}',
  'issue.mirror':
    'harness führt dieses Issue: es schließt es, sobald die Aufgabe mit ihrem Beweis gelandet ist. Schließen Sie es, bleibt es geschlossen, und die Aufgabe bleibt auf der Liste.',
  'issue.done': 'Aufgabe {item} ist fertig: {title}',
  'issue.decided': '{by} hat entschieden, dass sie fertig ist, ohne Beweis: {reason}',
  'issue.broken':
    'Aufgabe {item} hat ihre Prüfungen nicht mehr bestanden, nachdem sie gelandet war. Sie ist wieder offen, und dieses Issue wird geschlossen, wenn sie wieder gelandet ist.',
  'issue.closed-by-person': 'Issue #{number} hat ein Mensch geschlossen.',
  'issue.reopened':
    'Das wurde wieder geöffnet, und die Aufgabe ist fertig: unten steht, worauf das beruht. Stimmt es nicht: `harness override {item} --passes false --reason "…"` gibt die Aufgabe zurück in die Arbeit, und dieses Issue wird geschlossen, wenn sie wieder gelandet ist. Für etwas anderes ist ein neues Issue besser.',
  'issues.create': 'Aufgabe {item}: Issue #{number} ist angelegt: {url}',
  'issues.close': 'Aufgabe {item} ist fertig: Issue #{number} ist mit seinen Belegen geschlossen.',
  'issues.explain':
    'Aufgabe {item} ist fertig, und Issue #{number} wurde wieder geöffnet: ein Kommentar dort sagt, worauf die Aufgabe beruht.',
  'issues.reopen': 'Aufgabe {item} ist wieder kaputt: Issue #{number} ist wieder offen.',
  'issues.report':
    'Issue #{number} hat ein Mensch geschlossen, und Aufgabe {item} ist nicht gelandet: das Issue bleibt geschlossen, die Aufgabe offen.',
  'issues.skip': 'Issue #{number} hat ein Mensch geschlossen: Aufgabe {item} wird ausgelassen.',
  'issues.add': 'Issue #{number} wird eine Aufgabe: {title}',
  'issues.retitle': 'Aufgabe {item} hat den neuen Titel von Issue #{number}: {title}',
  'issues.wait': 'Issue #{number} wartet: es hängt von {on} ab, und das ist keine Aufgabe.',
  'issues.refuse': 'Issue #{number} kann keine Aufgabe werden: {words}',
  'issues.queued': 'Die Liste folgt, sobald der Lauf oder die Sitzung zwischen zwei Aufgaben ist.',
  'issues.nothing': 'Aufgaben und Issues stimmen überein.',
  'issues.failed': 'Die Issues folgen der Liste nicht: {cause}',
  'proposal.opened': '  Aufgabe {item} ist vorgeschlagen: Pull Request #{number}, {url}',
  'proposal.merged': 'Pull Request #{number} ist zusammengeführt: Aufgabe {item} ist gelandet.',
  'proposal.unproved':
    'Pull Request #{number} ist in anderer Form zusammengeführt, als Aufgabe {item} bewiesen wurde, und die Liste sagt nicht, dass sie fertig ist: sie beginnt von vorn.',
  'proposal.closed':
    'Pull Request #{number} von Aufgabe {item} wurde geschlossen, ohne Zusammenführung: wieder öffnen, oder harness skip {item}. {url}',
  'proposal.open': {
    one: 'Pull Request #{number} von Aufgabe {item} hat {count} Kommentar: die nächste Sitzung der Aufgabe antwortet darauf.',
    other:
      'Pull Request #{number} von Aufgabe {item} hat {count} Kommentare: die nächste Sitzung der Aufgabe antwortet darauf.',
  },
  'proposal.red':
    'Die Prüfungen von Pull Request #{number} der Aufgabe {item} sind fehlgeschlagen ({checks}): die nächste Sitzung der Aufgabe behebt es.',
  'proposal.hidden':
    'Die Forge zeigt diesem Konto die Prüfungen von Pull Request #{number} der Aufgabe {item} nicht: schlagen sie fehl, folgt hier nichts daraus.',
  'pr.opened': 'Pull Request #{number} für Aufgabe {item} ist offen: {url}',
  'pr.updated': 'Pull Request #{number} für Aufgabe {item} ist auf den neuesten Stand gebracht: {url}',
  'pr.unchanged': 'Pull Request #{number} für Aufgabe {item} ist, wie er sein soll: {url}',
  'pr.branch': '  {branch} bei {commit}, gegen {base}',
  'pr.check': '  {name}: {state}',
  'pr.check-passed': 'bestanden',
  'pr.check-failed': 'nicht bestanden',
  'pr.check-pending': 'nicht fertig',
  'pr.is-merged': '  zusammengeführt; der nächste Lauf übernimmt es: harness run',
  'pr.is-closed': '  geschlossen, ohne Zusammenführung',
  'pr.asked': {
    one: '  {count} Kommentar oder fehlgeschlagene Prüfung, worauf die nächste Sitzung antwortet: harness run {item}',
    other:
      '  {count} Kommentare oder fehlgeschlagene Prüfungen, worauf die nächste Sitzung antwortet: harness run {item}',
  },
  'pr.no-checks': '  noch keine Prüfungen',
  'pr.about': 'Aufgabe {item}: {title}',
  'pr.what': 'Was gelandet ist',
  'pr.landing': '`{commit}`: {files} Dateien, +{added} −{removed}',
  'pr.landing-bare': '`{commit}`',
  'pr.proof': 'Wie es bewiesen wurde',
  'pr.ran': '`{command}`: Exit-Code {exit}[[, {tests}]]',
  'pr.sandbox': 'Sandbox: {level}',
  'pr.warnings': { one: '{count} Warnung', other: '{count} Warnungen' },
  'pr.decision': 'Entschieden von {by}: {subject}, {option}',
  'pr.evidence': 'Belege',
  'pr.bundle': '`{ref}`, Manifest `{hash}`',
  'pr.no-bundle': 'Das Belegbündel ist nicht in diesem Repository.',
  'pr.verify': 'Prüfen, wo es gelandet ist: `harness evidence verify {item}`',
  'pr.picked': 'Die Commits sind die gelandeten, auf den Zielzweig übertragen; die Belege nennen die Originale.',
} as const;
