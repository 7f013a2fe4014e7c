/** What a line is tried against: a form of words, or several in a row. */
export type Form = Pick<RegExp, 'test'>;

const LINE_ENDS = /[\n\r\u2028\u2029]/;

/**
 * Whether these stand in one line, one behind the other: `a.*b`, but each is looked for once, where `.*` would look for
 * `b` again behind every `a`. The forms have the flag `g`.
 */
export function inOrder(...forms: readonly [RegExp, RegExp, ...RegExp[]]): Form {
  return { test: (text) => text.split(LINE_ENDS).some((line) => standIn(line, forms)) };
}

function standIn(line: string, forms: readonly RegExp[]): boolean {
  let at = 0;
  return forms.every((form) => {
    form.lastIndex = at;
    const isFound = form.test(line);
    at = form.lastIndex;
    return isFound;
  });
}
