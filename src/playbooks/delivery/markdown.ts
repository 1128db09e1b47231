// Lines of Markdown that are text: those of fenced blocks are emptied, so that line numbers stay.

export function cutFences(lines: readonly string[]): readonly string[] {
  let fence = '';
  return lines.map((line) => {
    const [, mark = ''] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === '') {
      fence = mark;
      return mark === '' ? line : '';
    }
    if (mark !== '' && mark.startsWith(fence) && line.trim() === mark) fence = '';
    return '';
  });
}
