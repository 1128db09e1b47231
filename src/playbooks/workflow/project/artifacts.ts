// The few things that are read out of files which sessions leave (reference 004, Architecture Principles 1): a verdict, and whether a patch is
// one. Their words are nobody's here.

/** `### Verdict: PASS`. Of several, one FAIL is a FAIL. A line that leaves the choice open is none. */
export function verdictOf(report: string): 'verdict: pass' | 'verdict: fail' | 'verdict: none' {
  const lines = [...report.matchAll(/^[ \t]*#{1,6}[ \t]*\**[ \t]*Verdict\b[ \t]*\**[ \t]*[:：](.*)$/gim)].map(
    ([, said = '']) => said,
  );
  const words = lines.flatMap((said) => {
    const [word, ...more] = said.toUpperCase().match(/\b(?:PASS|FAIL)(?=ED\b|\b)/g) ?? [];
    return word === undefined || more.some((other) => other !== word) ? [] : [word];
  });
  if (words.includes('FAIL')) return 'verdict: fail';
  return words.includes('PASS') ? 'verdict: pass' : 'verdict: none';
}

/** "At least one ```diff code block AND at least one @@ hunk header", and in it. */
export function isPatch(text: string): boolean {
  const blocks = [...text.matchAll(/^[ \t]*(`{3,})diff\b.*\r?\n([\s\S]*?)^[ \t]*\1/gm)];
  return blocks.some(([, , body = '']) => /^@@ .*@@/m.test(body));
}
