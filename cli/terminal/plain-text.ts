const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]+/gu;

/**
 * Text of a service as a terminal may show it: one line, without characters that move the cursor or hide what stands
 * there. A price that a person confirms must not be painted over.
 */
export function plainText(text: string, lengthMax = 300): string {
  const plain = text.replace(HIDDEN, ' ').trim();
  return plain.length > lengthMax ? `${plain.slice(0, lengthMax)}…` : plain;
}
