/** How Discord's client shows a text: the words that people read, and what became of the rest. */
export type Read = { text: string; marks: string[]; codes: string[] };

type Rule = { pattern: RegExp; mark: string };

/** At the place where the client looks, the first that fits. Of one that is escaped no character is left to begin it. */
const RULES: readonly Rule[] = [
  { pattern: /^\*\*((?:\\.|`[^`]*`|[^*\\`])+)\*\*/, mark: 'bold' },
  { pattern: /^__([^_]+)__/, mark: 'underline' },
  { pattern: /^~~([^~]+)~~/, mark: 'strike' },
  { pattern: /^\|\|([^|]+)\|\|/, mark: 'spoiler' },
  { pattern: /^[*_]([^*_\s][^*_]*)[*_]/, mark: 'italic' },
  { pattern: /^\[([^\]]+)\]\(([^)]+)\)/, mark: 'masked link' },
  { pattern: /^<(?:@&|#|\/[^:>]+:|t:|a?:\w+:)[^>]+>/, mark: 'entity' },
  { pattern: /^@(?:everyone|here)/, mark: 'everyone' },
  { pattern: /^https?:\/\/\S+/, mark: 'link' },
];
const LINE_START = /^(?:#{1,3} |>>? ?|[-*] |\d+\. )/;

export function readMarkup(content: string, nameOf: (userId: string) => string): Read {
  const read: Read = { text: '', marks: [], codes: [] };
  const lines = content.split('\n').map((line) => {
    const isSmall = line.startsWith('-# ');
    if (isSmall) read.marks.push('small');
    else if (LINE_START.test(line)) read.marks.push('block');
    return readLine(isSmall ? line.slice(3) : line, nameOf, read);
  });
  return { ...read, text: lines.join('\n'), marks: [...new Set(read.marks)] };
}

function readLine(line: string, nameOf: (userId: string) => string, read: Read): string {
  let shown = '';
  for (let at = 0; at < line.length;) {
    const rest = line.slice(at);
    const [escaped] = /^\\[^A-Za-z0-9\s]/.exec(rest) ?? [];
    const [code, , inCode = ''] = /^(`+)([^]*?[^`])\1(?!`)/.exec(rest) ?? [];
    const [mention, person = ''] = /^<@!?(\d+)>/.exec(rest) ?? [];
    const rule = RULES.find(({ pattern }) => pattern.test(rest));
    const [found, inside] = rule?.pattern.exec(rest) ?? [];
    if (escaped) shown += escaped.slice(1);
    else if (code) {
      const words = inCode.startsWith(' ') && inCode.endsWith(' ') ? inCode.slice(1, -1) : inCode;
      read.codes.push(words);
      read.marks.push('code');
      shown += words;
    } else if (mention) {
      read.marks.push('mention');
      shown += nameOf(person);
    } else if (found && rule) {
      read.marks.push(rule.mark);
      shown += inside === undefined ? found : readLine(inside, nameOf, read);
    } else shown += rest[0] ?? '';
    at += (escaped ?? code ?? mention ?? found ?? ' ').length;
  }
  return shown;
}
