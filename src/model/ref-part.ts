// Any text as one part of the name of a ref. Pure.
export const refPart = (text: string): string =>
  text === ''
    ? '%empty'
    : text.replace(/[^A-Za-z0-9_-]/gu, (sign) =>
        [...new TextEncoder().encode(sign)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
      );
