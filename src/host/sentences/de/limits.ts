// German. The parameters of each sentence are listed in its English twin, ../en/limits.ts.
import type { limits as english } from '../en/limits.ts';
import type { Phrase } from '../../../model/sentences.ts';

export const limits = {
  'limit.from-harness': 'Ein Hinweis des Harness, das diese Sitzung ausführt: {words}',
  'limit.context-warning':
    '{percent} % deines Kontextfensters sind belegt. Bringe zu Ende, was du begonnen hast, und fange nichts Großes mehr an. Reicht der Rest nicht, so schreibe den Stand in {notes}, damit die nächste Sitzung weitermachen kann.',
  'limit.context-wrap-up':
    'dein Kontextfenster ist fast voll ({percent} %). Höre jetzt auf und ändere keinen Code mehr. Schreibe in {notes}: was fertig ist, was halb fertig ist, was noch fehlt und wo du aufgehört hast. Hetze nicht zum Ende und melde die Aufgabe nicht als fertig: eine saubere Übergabe ist mehr wert. Beende dann deine Runde; das Harness behält deine Arbeit, die nächste Sitzung setzt darauf auf.',
  'limit.stuck':
    '{words} (In den letzten {tokens} Token wurde keine Datei geändert, kein Test ausgeführt und kaum ein Befehl.) Wenn dich etwas blockiert, sage, was es ist.',
  'limit.stuck-wrap-up':
    'es geht noch immer nicht voran, deshalb endet diese Sitzung hier. Schreibe in {notes}, was dich blockiert, was du versucht hast und was du als Nächstes versuchen würdest. Beende dann deine Runde.',
  'limit.same-error':
    'derselbe Fehler ist {count}-mal aufgetreten: {error}. Dieser Weg funktioniert nicht. Lies die Meldung noch einmal und versuche etwas grundsätzlich anderes.',
  'limit.time-warning': {
    one: 'Von dieser Sitzung ist noch {minutes} Minute übrig. Bringe zu Ende, was du begonnen hast, oder schreibe den Stand in {notes}.',
    other:
      'Von dieser Sitzung sind noch {minutes} Minuten übrig. Bringe zu Ende, was du begonnen hast, oder schreibe den Stand in {notes}.',
  },
  'limit.budget-wrap-up':
    'das Budget dieser Sitzung ist fast aufgebraucht. Höre jetzt auf, schreibe in {notes}, was fertig ist und was fehlt, und beende deine Runde.',
  'limit.quota-wrap-up':
    'vom Kontingent deines Anbieters für dieses Konto ({window}) sind {percent} % verbraucht; bald nimmt er keine Anfragen mehr an. Höre jetzt auf und ändere keinen Code mehr. Schreibe in {notes}: was fertig ist, was halb fertig ist, was fehlt und wo du aufgehört hast. Später oder mit einem anderen Agenten geht es von dort weiter. Beende dann deine Runde.',
  'limit.again':
    'deine letzte Antwort wurde durch etwas außerhalb deiner Arbeit unterbrochen ({why}). Was du bisher getan hast, ist gesichert. Prüfe, wo du aufgehört hast, und mache weiter.',
  'limit.reopened':
    'deine letzte Antwort wurde abgeschnitten: das Programm, das diese Sitzung ausführt, wurde mittendrin beendet. Die Dateien im Arbeitsverzeichnis sind wieder so, wie sie vor dieser Antwort waren[[, und was sie geändert hatte, liegt im Commit {attempt}. Sieh es an mit: git diff {base} {attempt}. Hole zurück, was von dir ist, mit: git diff --binary {base} {attempt} -- PFADE | git apply]]. Alles andere, woran du dich erinnerst, gilt noch. Prüfe, wo du aufgehört hast, und mache weiter.',
  'limit.set-aside':
    'die Arbeit, die eine frühere Sitzung hinterlassen hat, passt nicht auf die neuesten Commits, weil beide dieselben Zeilen geändert haben ({files}). Du beginnst bei den neuesten Commits. Die frühere Arbeit liegt in {attempt}: sieh sie mit git show an und übernimm von Hand, was noch brauchbar ist.',
} as const satisfies { readonly [K in keyof typeof english]: Phrase };
