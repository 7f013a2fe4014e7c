const HIDDEN = /[\p{C}\p{Zl}\p{Zp}]+/gu;

/**
 * A service's text, safe for a terminal: one line, without characters that move the cursor or hide other text, so that
 * it cannot paint over the price that a payer confirms.
 */
export function plainText(text: string, lengthMax = 300): string {
  const plain = text.replace(HIDDEN, ' ').trim();
  return plain.length > lengthMax ? `${plain.slice(0, lengthMax)}…` : plain;
}
