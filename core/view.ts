/**
 * What a chat shows, for every transport: paragraphs with light emphasis, and the next actions. Adapters translate it
 * (HTML, Discord, Telegram). Text is always data: nothing in a view is markup, so a note or a name cannot change how a
 * message looks.
 */
export type Span = {
  text: string;
  style?: 'strong' | 'code' | 'muted';
  /** A person in it is named, and never notified. */
  isQuiet?: true;
  /** The text names this moment in UTC. */
  atMs?: number;
};

export type Paragraph = readonly Span[];

export type Action =
  | { kind: 'link'; label: string; url: string }
  /** `id` is the random id of a row, so that a reader cannot forge another one. */
  | { kind: 'button'; label: string; id: string }
  /**
   * A command to try, ready to be sent. Where a chat shows commands as buttons, `button` says it for the person, in
   * words that name people as the chat does.
   */
  | { kind: 'command'; command: string; button?: { id: string; label: string } };

export type View = {
  /** `working` will be edited; `ok` and `error` are final. */
  state: 'working' | 'ok' | 'error';
  /** In a group: visible to all, or only to the person who asked. */
  audience: 'everyone' | 'person';
  /** The message has already shown an end: where it cannot be edited any more, nobody gets another message. */
  isNews?: true;
  /**
   * Stands there first where a message that was sent may be there twice: true of it, and no sum, which would look like
   * another one.
   */
  opening?: Paragraph;
  paragraphs: readonly Paragraph[];
  actions: readonly Action[];
};

export const strong = (text: string): Span => ({ text, style: 'strong' });
export const code = (text: string): Span => ({ text, style: 'code' });
export const muted = (text: string): Span => ({ text, style: 'muted' });
export const quiet = (text: string): Span => ({ text, isQuiet: true });

/** A paragraph as a template: ``line`Sent ${strong('1.00 USDC')} to ${name}.` `` keeps every inserted value as text. */
export function line(parts: TemplateStringsArray, ...values: readonly (Span | string)[]): Paragraph {
  const spans: Span[] = [];
  for (const [index, part] of parts.entries()) {
    if (part !== '') spans.push({ text: part });
    const value = values[index];
    if (value === undefined) continue;
    spans.push(typeof value === 'string' ? { text: value } : value);
  }
  return spans;
}

/** Plain text, for logs, notifications, and transports without emphasis. */
export function plainText(view: View): string {
  return view.paragraphs.map((paragraph) => paragraph.map((span) => span.text).join('')).join('\n');
}
