// German: the sandbox, and the screen that says whether a run could start.
import type { doctor as english, sandbox as englishFailures } from '../en/sandbox.ts';
import type { FailureSentences } from '../shape.ts';
import type { Phrase } from '../../../model/sentences.ts';

export const sandbox: { readonly [R in keyof typeof englishFailures]: FailureSentences } = {
  'sandbox-unusable': {
    title: 'Die Sandbox {level} funktioniert hier nicht: {#why}.',
    why: '[[{words}\n]]Sie ist ausdrücklich konfiguriert; ohne sie wird nichts ausgeführt.',
    fix: [
      'harness doctor   (zeigt, was funktioniert und was fehlt)',
      'apt install bubblewrap',
      'npm install -g @anthropic-ai/sandbox-runtime   (für die Stufe srt; unter Linux braucht sie bubblewrap und socat)',
      'Ab Ubuntu 24.04: sysctl kernel.apparmor_restrict_unprivileged_userns=0',
      'sandbox: { level: auto }   (die stärkste, die funktioniert)',
    ],
  },
  // {level, words}
  'sandbox-not-opened': {
    title: 'Die Sandbox {level} ließ sich nicht öffnen; ein Befehl wurde deshalb nicht ausgeführt.',
    why: '{words}\nBeim Start des Laufs ging es noch. Es wurde nichts geprüft; die Arbeit bleibt erhalten.',
    fix: ['harness doctor   (probiert sie aus)', 'harness run   (macht weiter)'],
  },
  'sandbox-missing': {
    title: 'Dieser Rechner hat keine Sandbox: {#why}.',
    why: '[[{words}\n]]Code von Agenten liefe stundenlang unbeaufsichtigt mit allen Ihren Rechten.',
    fix: [
      'apt install bubblewrap',
      'Ab Ubuntu 24.04: sysctl kernel.apparmor_restrict_unprivileged_userns=0',
      'harness run --until-done --i-accept-unsandboxed',
      'sandbox: { level: none }   (immer ohne)',
    ],
  },
  'browser-missing': {
    title: 'Hier gibt es keinen Browser: {browser}.',
    why: 'Seiten der Oberfläche werden nach dem beurteilt, was ein echter Browser zeigt. Ein Programm im Arbeitsverzeichnis selbst zählt nicht.',
    fix: [
      'apt install chromium',
      'mission: { ui: { browser: /pfad/zu/chromium } }',
      'harness site-reverse URL --browser /pfad/zu/chromium',
    ],
  },
  'browser-unusable': {
    title: 'Der Browser startet nicht: {program}.',
    why: '[[{why}\n]]Seiten der Oberfläche werden nach dem beurteilt, was ein echter Browser zeigt. Er wurde in der Sandbox {box} gestartet.',
    fix: ['{program} --headless=new --version', 'mission: { ui: { browser: /pfad/zu/einem/anderen }}'],
  },
  'pages-port-taken': {
    title: 'Port {port} wird von einem anderen Programm benutzt.',
    why: 'Der Entwicklungsserver muss unter {url} antworten, damit das Gesehene von der beurteilten Arbeit stammt.',
    fix: ['ss -ltnp   (zeigt das Programm: beenden)', 'mission: { ui: { url: … } }   (ein anderer Port)'],
  },
};

export const doctor: { readonly [K in keyof typeof english]: Phrase } = {
  'say.unsandboxed': 'Keine Sandbox: Code von Agenten läuft mit allen Ihren Rechten ({#why})   → harness doctor',
  'say.half-sandboxed':
    'Nur Prozesse sind isoliert; Code von Agenten hat Zugriff auf Dateien und Netz ({#why})   → harness doctor',
  'say.only-checks-sandboxed':
    'Prüfungen laufen in sandbox-runtime; Agenten und Umgebungsskripte laufen mit allen Ihren Rechten ({#why})   → harness doctor',
  'doctor.program': 'Programm',
  'doctor.versions': 'harness {harness}, Node {node}',
  'doctor.git': 'Git',
  'doctor.git-missing': 'nicht gefunden',
  'doctor.sandbox': 'Sandbox',
  'doctor.level': 'Prüfungen laufen in: {level}',
  'doctor.level-open': 'Prüfungen laufen in: {level}, Netz laut Konfiguration offen',
  'doctor.level-missing': 'Prüfungen können nicht laufen: die konfigurierte Sandbox funktioniert nicht',
  'doctor.outside': 'Agenten und Umgebungsskripte laufen außerhalb, mit allen Ihren Rechten',
  'doctor.hindrance': '{level}: {#why}[[ ({words})]]',
  'doctor.closed': 'verhindert: {which}',
  'doctor.open': 'VERHINDERT NICHT: {which}',
  'doctor.broken': 'GEHT NICHT: {which}',
  'doctor.canary-write': 'Schreiben im Arbeitsverzeichnis',
  'doctor.canary-exit': 'Exit-Code',
  'doctor.canary-clean': 'ein Arbeitsverzeichnis ohne Spuren der Sandbox',
  'doctor.canary-outside': 'Schreiben außerhalb des Arbeitsverzeichnisses',
  'doctor.canary-git': 'Schreiben in .git',
  'doctor.canary-network': 'Netz',
  'doctor.canary-processes': 'fremde Prozesse',
  'doctor.canary-kernel': 'Einstellungen des Kernels',
  'doctor.config': 'Konfiguration',
  'doctor.agents': 'Agenten',
  'doctor.ready': 'bereit',
  'doctor.can': '{#inject} · {#context} · {#usage} · {#quota}',
  'doctor.not-ready': 'nicht bereit',
  'doctor.hooks': 'Git-Hooks',
  'doctor.no-hooks':
    'laufen bei Commits des Harness nicht: {names}. Was sie prüfen, gehört in testing.lint oder testing.full.',
  'doctor.no-channel': 'Unter notify ist kein Kanal konfiguriert.',
  'doctor.channel': '✓ notify.{channel}: eine Probenachricht ist gesendet',
  'doctor.channel-broken': '✗ notify.{channel}: {why}',
  'doctor.lock': 'Sperre',
  'doctor.free': 'frei',
  'doctor.fine': 'Ein Lauf kann beginnen   → harness run',
  'doctor.ill': { one: '{count} Problem verhindert einen Lauf:', other: '{count} Probleme verhindern einen Lauf:' },
};
