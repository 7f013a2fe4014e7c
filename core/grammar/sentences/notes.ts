import { changesMeaning } from './phrases.ts';
import { isAboutWork } from './work.ts';
import type { Pieces } from './pieces.ts';

const NAME = '(?:note|memo|message|comment|remark|reference|ref\\.?|description|subject|label|purpose|reason|caption)';
const LEAD =
  '(?:(?:please|with|use|using|add|put|set|and|include|attach|as|the|a|an|this|following|its|short|payment|transfer|recipient)\\s+)*';
const MORE =
  '(?:\\s+(?:for (?:both|all|each|everyone|all of them)|line|text|field|to (?:the )?(?:recipient|receiver)|should (?:read|be|say)|shall (?:read|be)|is|reads|reading|saying|being|of|them))*';
const QUOTED = new RegExp(`[,;]?\\s*\\(?\\b${LEAD}${NAME}${MORE}\\s*[:=,]?\\s*"([^"\\n]*)"\\)?`, 'gi');
const QUOTED_FIRST = new RegExp(
  `[,;]?\\s*\\b(?:(?:please|with|use|put|add|and)\\s+)*"([^"\\n]*)"\\s+as\\s+(?:the\\s+|a\\s+|its\\s+)?${NAME}(?:\\s+for (?:both|all|each))?`,
  'gi',
);
const QUOTED_IN =
  /[,;.]?\s*\b(?:(?:please|with|put|write|add|say|saying|label(?:l?ed)?(?: it)?|mark(?:ed)?(?: it)?(?: as)?|titled|mention(?:ing)?|for)\s+)+"([^"\n]*)"(?:\s+(?:in|into|on|for) (?:the )?(?:note|memo|message|description|comment|payment|reference))?/gi;
const SAYING = /[,;]?\s*\b(?:saying|reading|and tell (?:him|her|them) (?:that )?(?:it is|it's)?)\s*:?\s*"([^"\n]*)"/gi;
/** Up to the end of its sentence. */
const OPEN = new RegExp(`[,;]?\\s*\\b${LEAD}${NAME}${MORE}\\s*[:=]\\s*([^"\\n]+?)(?=[.!?](?:\\s|$)|\\n|$)`, 'gi');
const BESIDE = new RegExp(
  `,\\s*(?:with\\s+(?:the\\s+|a\\s+)?)?(?:note|memo)\\s+([^"\\n,:]+?)(?=[.!?](?:\\s|$)|\\n|$)`,
  'gi',
);
const WRITTEN = /📝\s*([^"\n]+?)(?=\n|$)/gu;
const NONE = /[,;]?\s*\b(?:with )?(?:no|without(?: a| any)?) (?:note|memo|message)(?: needed| required)?\b/gi;

/** Marked notes: whatever they contain, except where open words take back what was said. */
export function findNotes(text: string, pieces: Pieces): string {
  const whole = (note: string) => pieces.mark('t', note.trim());
  const open = (found: string, note: string) => (takesBack(note) ? found : whole(note));
  return text
    .replace(QUOTED, (_, note: string) => whole(note))
    .replace(QUOTED_FIRST, (_, note: string) => whole(note))
    .replace(QUOTED_IN, (_, note: string) => whole(note))
    .replace(SAYING, (_, note: string) => whole(note))
    .replace(NONE, ' ')
    .replace(WRITTEN, open)
    .replace(OPEN, open)
    .replace(BESIDE, open);
}

const REASON =
  /[,;.]?\s*\b(?:it(?:'s| is) |this is |that(?:'s| is) )?(?:as (?:a )?(?:thank[- ]you|thanks|tip|reward|payment) )?(?:for|because|in (?:return|exchange) for|in (?:appreciation|recognition) of|to thank (?:her|him|them|you) for|thanking (?:her|him|them) for)\s+([^⟦⟧!?\n;"]+?)\s*(?=[.!?](?:\s|$)|\n|⟦|$)/gi;

/** A link to a page, as what the work was; the page of a person would be another name. */
const WORK_LINK = /\s+for ([a-z ]{3,60}?) (https:\/\/[\w.-]+\/[^\s"⟦⟧/]+\/[^\s"⟦⟧]*[^\s"⟦⟧.,;:!?])\.?$/i;
/** `for answering discussion https://…`, at the end. */
export const findWorkLinks = (text: string, pieces: Pieces): string =>
  text.replace(WORK_LINK, (found: string, work: string) =>
    isAboutWork(work) ? pieces.mark('t', found.trim().replace(/\.$/, '')) : found,
  );

const BESIDE_ALL = /(?:, – ([^⟦⟧"\n]{3,120}?)|\(([^⟦⟧"()\n]{3,120})\))\s*\.?$/;

/** `… – typo fix in README`, `… (typo fix)`: at the end, and of words that are about work. */
export function findBeside(text: string, pieces: Pieces): string {
  return text.replace(BESIDE_ALL, (found: string, dashed?: string, inside?: string) => {
    const note = (dashed ?? inside ?? '').trim();
    return isAboutWork(note) ? pieces.mark('t', note) : found;
  });
}

/** Without a bracket that was opened before it. */
const unpaired = (note: string) => (note.includes('(') ? note : note.replace(/\)+$/, ''));

/** `session 3`, `3 questions` count no money. */
const NUMBERED =
  /\b(?:session|episode|lesson|chapter|part|issue|version|level|round|task|module|step|unit|question|milestone|section|volume|number|ticket|phase|sprint|stage|track|bug|pr|day|week|page)\s+#?\d+\b|\b\d{1,3} (?:questions|answers|tests|issues|bugs|typos|photos|articles|reviews|icons|slides|pages|translations|commits|patches|episodes)\b(?!\s+(?:per|an?|each|every|apiece)\b)/gi;

/** `for the talk`, behind a name and a sum. */
export function findReasons(text: string, pieces: Pieces, asWritten: string): string {
  return text.replace(REASON, (found: string, _words: string, at: number) => {
    const before = text.slice(0, at);
    const after = text.slice(at + found.length);
    // Before the name only as a sentence of its own: `ten dollars for the talk. Her address is …`
    const isEnded = /^[.!?](?:\s|$)/.test(after) || !/⟦[ns]/.test(after);
    const isBehind = before.includes('⟦s') && isEnded && (before.includes('⟦n') || /⟦n/.test(after));
    const note = unpaired(found.trim().replace(/^[,;.]?\s*(?:it(?:'s| is)|this is|that(?:'s| is))?\s*/i, ''));
    // Left out rather than changed.
    const kept = asWritten.includes(note) ? note : '';
    return isBehind && !changesMeaning(note.replace(NUMBERED, '')) ? pieces.mark('t', kept) : found;
  });
}

/** Open words behind `note:` that may be for us: they change who, whether or when. */
function takesBack(note: string): boolean {
  return /⟦|[$€£]\d|\d\s*(?:usdc|usd|dollars?|bucks?|cents?|\$)/i.test(note) || TAKING_BACK.test(note);
}
const TAKING_BACK =
  /\b(?:don'?t|do not|never|cancel\w*|undo|wait|instead|rather|actually|sorry|oops|correction|never ?mind|ignore|disregard|scratch|forget|if|unless|until|when|whenever|except|provided|but|however|otherwise|approv\w*|pending|dry[ -]run|pretend\w*|hypothetical\w*|send|pay|transfer|tip|make (?:it|that)|as well|on behalf|tomorrow)\b/i;
