import encodeQR from 'qr';

/** Light modules around the code, without which cameras do not find it (ISO/IEC 18004). */
const QUIET_ZONE = 4;

/** A code, drawn as one path in a square of `size` units, dark on light whatever the page's colours are. */
export type QrCode = { size: number; path: string };

/** A camera reads back exactly this text. Throws for more than some 2,300 bytes, which no code holds. */
export function toQrCode(text: string): QrCode {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const path = rows.flatMap((row, y) => runsOf(row).map(({ from, length }) => `M${from} ${y}h${length}v1h-${length}z`));
  return { size: rows.length, path: path.join('') };
}

/** Neighbours are drawn as one piece: the path is ten times shorter, and no hair lines show between them. */
function runsOf(row: readonly boolean[]): { from: number; length: number }[] {
  const runs: { from: number; length: number }[] = [];
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1);
    if (!isDark) continue;
    if (last && last.from + last.length === x) last.length += 1;
    else runs.push({ from: x, length: 1 });
  }
  return runs;
}
