// Deutsch: was einem Agenten gesagt wird, wenn eine Grenze seiner Sitzung nahe ist.
import type { limits as english } from '../en/limits.ts';
import type { Phrase } from '../../../model/sentences.ts';

export const limits = {
  'limit.from-harness': 'Ein Hinweis des Harness, unter dem du arbeitest: {words}',
  'limit.context-warning':
    '{percent} % deines Kontextfensters sind belegt. Bringe zu Ende, was du begonnen hast, und fange nichts Großes mehr an. Reicht der Rest nicht, so schreibe in {notes}, wo du stehst, damit die nächste Sitzung weitermachen kann.',
  'limit.context-wrap-up':
    'dein Kontextfenster ist fast voll ({percent} %). Höre jetzt auf und ändere keinen Code mehr. Schreibe in {notes}: was fertig ist, was halb fertig ist, was noch fehlt und wo du aufgehört hast. Hetze nicht zum Ende und melde die Aufgabe nicht als fertig: eine saubere Übergabe ist mehr wert. Beende dann deinen Zug; das Harness behält deine Arbeit, die nächste Sitzung setzt darauf auf.',
  'limit.stuck':
    '{words} (In den letzten {tokens} Token wurde keine Datei geändert, kein Test ausgeführt und kaum ein Befehl.) Hält dich etwas auf, so sage, was es ist.',
  'limit.stuck-wrap-up':
    'es geht noch immer nicht voran, deshalb endet diese Sitzung hier. Schreibe in {notes}, was dich aufhält, was du versucht hast und was du als Nächstes versuchen würdest. Beende dann deinen Zug.',
  'limit.same-error':
    'derselbe Fehler ist {count}-mal aufgetreten: {error}. So geht es nicht. Lies noch einmal, was er sagt, und versuche etwas grundsätzlich anderes.',
  'limit.time-warning': {
    one: 'Von dieser Sitzung ist noch {minutes} Minute übrig. Bringe zu Ende, was du begonnen hast, oder schreibe in {notes}, wo du stehst.',
    other:
      'Von dieser Sitzung sind noch {minutes} Minuten übrig. Bringe zu Ende, was du begonnen hast, oder schreibe in {notes}, wo du stehst.',
  },
  'limit.budget-wrap-up':
    'das Geld für diese Sitzung ist fast aufgebraucht. Höre jetzt auf, schreibe in {notes}, was fertig ist und was fehlt, und beende deinen Zug.',
  'limit.quota-wrap-up':
    'von dem, was dein Anbieter diesem Konto gewährt ({window}), sind {percent} % verbraucht; bald nimmt er keine Anfragen mehr an. Höre jetzt auf und ändere keinen Code mehr. Schreibe in {notes}: was fertig ist, was halb fertig ist, was fehlt und wo du aufgehört hast. Später oder mit einem anderen Agenten geht es von dort weiter. Beende dann deinen Zug.',
  'limit.again':
    'deine letzte Antwort wurde von etwas unterbrochen, das nicht an deiner Arbeit liegt ({why}). Was du bisher getan hast, ist da. Sieh nach, wo du aufgehört hast, und mache weiter.',
} as const satisfies { readonly [K in keyof typeof english]: Phrase };
