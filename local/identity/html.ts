/** A piece of a page. `html` makes them, so that every value placed in one is escaped; the style alone is put in raw. */
export type Html = { readonly html: string };

type Value = string | number | Html | readonly Html[];

export function html(texts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return {
    html: texts.map((text, index) => (index === 0 ? text : `${render(values[index - 1] ?? '')}${text}`)).join(''),
  };
}

function render(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number') return escape(String(value));
  return 'html' in value ? value.html : value.map((piece) => piece.html).join('\n');
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
