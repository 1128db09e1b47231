// Text of a list or an agent, in Markdown that others read: one line that is only text. Pure.

/** No markup, no mention of a person, no reference to an issue: it may come from an agent. */
export const plainName = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>|]/g, (sign) => `\\${sign}`)
    .replace(/([@#])(?=\w)/g, '$1\u200b');
