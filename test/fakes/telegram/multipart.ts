/**
 * multipart/form-data as grammY writes it: file names without quotes, header names in small letters. Node's own parser
 * takes neither.
 */
export type Part = { name: string; filename: string | null; bytes: Buffer };

const PARTS_MAX = 100;

export function readMultipart(body: Buffer, contentType: string): Part[] {
  const match = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) throw new Error('multipart without a boundary');
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter stands at the very start, without the line break that the others have before them.
  const whole = Buffer.concat([Buffer.from('\r\n'), body]);
  const parts: Part[] = [];
  let from = whole.indexOf(delimiter);
  while (from >= 0) {
    const start = from + delimiter.length;
    const end = whole.indexOf(delimiter, start);
    if (end < 0) break;
    parts.push(readPart(whole.subarray(start, end)));
    if (parts.length > PARTS_MAX) throw new Error(`multipart has at most ${PARTS_MAX} parts`);
    from = end;
  }
  return parts;
}

function readPart(part: Buffer): Part {
  const split = part.indexOf('\r\n\r\n');
  if (split < 0) throw new Error('a part of multipart has a blank line after its headers');
  const headers = part.subarray(0, split).toString('utf8');
  const name = parameter(headers, 'name');
  if (name === null) throw new Error('a part of multipart has a name');
  return { name, filename: parameter(headers, 'filename'), bytes: part.subarray(split + 4) };
}

function parameter(headers: string, name: string): string | null {
  const match = new RegExp(`[;\\s]${name}=(?:"([^"]*)"|([^;\\r\\n]*))`, 'i').exec(headers);
  return match ? (match[1] ?? match[2] ?? '').trim() : null;
}
