const HEIGHT = 28;
const PADDING = 12;
/** As wide as the widest letters: the text must fit whatever a reader's fonts are. */
const LETTER = 8.2;
const WIDE_LETTER = 15;
const WIDE = /[\u3000-\u9fff\uff00-\uffef]/;

/** A button to be put anywhere as a picture. It loads nothing, and every name it bears is written as text. */
export function badgeSvg(label: string): string {
  const width = Math.ceil(
    Array.from(label).reduce((sum, one) => sum + (WIDE.test(one) ? WIDE_LETTER : LETTER), 2 * PADDING),
  );
  const text = escapeXml(label);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${text}"><title>${text}</title><rect width="${width}" height="${HEIGHT}" rx="${HEIGHT / 2}" fill="#a3172f"/><text x="${width / 2}" y="19" fill="#fff" font-family="Verdana,Geneva,sans-serif" font-size="13" font-weight="700" text-anchor="middle">${text}</text></svg>`;
}

function escapeXml(text: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (one) => names[one] ?? '');
}
