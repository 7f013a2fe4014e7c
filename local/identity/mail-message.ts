/** Reads the mails that this service writes: headers, and the plain text of what may come in several forms. */
export type MailMessage = {
  /** By lower-case name; the first of each. */
  headers: ReadonlyMap<string, string>;
  subject: string;
  text: string;
  html: string;
};

type Part = { headers: ReadonlyMap<string, string>; body: string };

/** `raw` in Latin-1: a character for each byte. */
export function readMail(raw: string): MailMessage {
  const mail = toPart(raw);
  const parts = splitParts(mail);
  const textOf = (type: string) => {
    const part = parts.find(({ headers }) => (headers.get('content-type') ?? 'text/plain').startsWith(type));
    return part ? decodeBody(part) : '';
  };
  return {
    headers: mail.headers,
    subject: decodeWords(mail.headers.get('subject') ?? ''),
    text: textOf('text/plain'),
    html: textOf('text/html'),
  };
}

function toPart(raw: string): Part {
  const end = raw.indexOf('\r\n\r\n');
  const head = (end < 0 ? raw : raw.slice(0, end)).replace(/\r\n[ \t]+/g, ' ');
  const headers = new Map<string, string>();
  for (const line of head.split('\r\n')) {
    const [, name = '', value = ''] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? [];
    if (name !== '' && !headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), value);
  }
  return { headers, body: end < 0 ? '' : raw.slice(end + 4) };
}

function splitParts(mail: Part): readonly Part[] {
  const boundary = /^multipart\/.*boundary="?([^";]+)"?/i.exec(mail.headers.get('content-type') ?? '')?.[1];
  if (boundary === undefined) return [mail];
  const pieces = mail.body.split(`--${boundary}`).slice(1, -1);
  return pieces.map((piece) => toPart(piece.replace(/^\r\n/, '').replace(/\r\n$/, '')));
}

function decodeBody({ headers, body }: Part): string {
  const encoding = (headers.get('content-transfer-encoding') ?? '7bit').toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  const bytes =
    encoding === 'quoted-printable' ? decodeQuoted(body.replace(/=\r\n/g, '')) : Buffer.from(body, 'latin1');
  return bytes.toString('utf8').replaceAll('\r\n', '\n');
}

function decodeQuoted(text: string): Buffer {
  const decoded = text.replace(/=([0-9A-Fa-f]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(decoded, 'latin1');
}

/** RFC 2047. */
function decodeWords(text: string): string {
  return text.replace(/=\?utf-8\?([QB])\?([^?]*)\?=(?:\s+(?==\?))?/gi, (_all, form: string, word: string) =>
    form.toUpperCase() === 'B'
      ? Buffer.from(word, 'base64').toString('utf8')
      : decodeQuoted(word.replaceAll('_', ' ')).toString('utf8'),
  );
}
