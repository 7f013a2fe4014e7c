import { formatUsdcForPeople } from '../../core/money.ts';
import { shownHandle } from '../../texts/names/person.ts';
import { readFont, type Font } from './font.ts';
import { previewStamp } from './preview-stamp.ts';
import { toShownText } from './strangers-text.ts';
import { isPostmarked, type ReceiptView } from './view.ts';
import { afterName } from '../../texts/names/person.ts';
import { goingBackEn } from '../../texts/going-back/en.ts';
import { receiptPageEn } from '../../texts/receipt-page/en.ts';
import { certaintyOf, stateOf, whyBackOf } from '../../texts/receipt-page/letter.ts';

/** What social sites and chats ask for. */
export const PREVIEW_SIZE = { width: 1200, height: 630 } as const;

export type PreviewFonts = { serifBold: Font; medium: Font; bold: Font };

/** The fonts that the picture names, and no others: the machine that draws it may have none. */
export function readPreviewFonts(): PreviewFonts {
  return {
    serifBold: readFont('literata-bold.ttf'),
    medium: readFont('inter-medium.ttf'),
    bold: readFont('inter-bold.ttf'),
  };
}

const LEFT = 112;
const RIGHT = 1088;
const STAMP = { left: 900, top: 62, scale: 2.4 } as const;

/** The picture that previews a link to a receipt, as SVG. It shows less than the page: no note, no sender. */
export function toPreviewSvg(view: ReceiptView, fonts: PreviewFonts, isPlayMoney: boolean): string {
  const { settledAt } = view;
  const day = isPostmarked(view) && settledAt !== null ? shortDay(settledAt) : null;
  const postmark = day === null ? null : { word: receiptPageEn.postmark, day };
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" width="1200" height="630">
  <rect width="1200" height="630" fill="#f6f1e7"/>
  ${slip()}
  ${brand(fonts, isPlayMoney)}
  <g transform="translate(${STAMP.left} ${STAMP.top}) scale(${STAMP.scale})">${previewStamp(postmark)}</g>
  ${amount(view, fonts)}
  ${recipient(view, fonts)}
  ${state(view, fonts)}
</svg>`;
}

/** What `preview-static.png` shows, which stands in for every picture that is late: nothing of any receipt. */
export const toStaticSvg = (fonts: PreviewFonts): string => toWordsSvg(fonts, 'A receipt', 'Open the link to read it.');

/** What `preview-letter.png` shows: the picture of every page without one of its own. It names nobody. */
export const toLetterSvg = (fonts: PreviewFonts): string => toWordsSvg(fonts, 'A letter', 'Open the link to read it.');

function toWordsSvg(fonts: PreviewFonts, title: string, line: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" width="1200" height="630">
  <rect width="1200" height="630" fill="#f6f1e7"/>
  ${slip()}
  ${brand(fonts, false)}
  <g transform="translate(${STAMP.left} ${STAMP.top}) scale(${STAMP.scale})">${previewStamp(null)}</g>
  ${words(title, { x: LEFT - 4, y: 312, size: 110, style: SERIF, fill: INK })}
  ${words(line, { x: LEFT, y: 390, size: 46, style: MEDIUM, fill: SOFT })}
</svg>`;
}

/** A slip torn off a roll, and its shadow. */
function slip(): string {
  const teeth = Array.from({ length: 136 }, (_, index) => `l-8 ${index % 2 === 0 ? 8 : -8}`).join('');
  const outline = `M56 58a14 14 0 0 1 14-14H1130a14 14 0 0 1 14 14V578${teeth}V58z`;
  return `<path d="${outline}" fill="#46280f" opacity="0.06" transform="translate(0 8)"/>
  <path d="${outline}" fill="#fffdf8" stroke="#d9cfbd" stroke-width="1.5"/>`;
}

function brand({ bold }: PreviewFonts, isPlayMoney: boolean): string {
  const pillLeft = LEFT + 66 + bold.widthOf('pennypost', 36) + 26;
  const pillWidth = bold.widthOf(PLAY_MONEY, 24) + 40;
  return `<g transform="translate(${LEFT - 6} 84) scale(1.9)">
    <path fill="#a3172f" d="M4 4h24v24H4z"/>
    <path fill="none" stroke="#a3172f" stroke-width="4" stroke-linecap="round" stroke-dasharray="0 4.8" d="M4 4h24v24H4z"/>
    <circle cx="16" cy="16" r="8.5" fill="#fff4e6"/>
    <path fill="#a3172f" d="M13 10.5h4.2a3.6 3.6 0 0 1 0 7.2h-1.9v3.8H13zm2.3 2.1v3h1.7a1.5 1.5 0 0 0 0-3z"/>
  </g>
  ${words('pennypost', { x: LEFT + 66, y: 127, size: 36, style: BOLD, fill: INK })}
  ${
    isPlayMoney
      ? `<rect x="${pillLeft}" y="93" width="${pillWidth}" height="44" rx="22" fill="#ffe3a3"/>
  ${words(PLAY_MONEY, { x: pillLeft + 20, y: 124, size: 24, style: BOLD, fill: '#4a3200' })}`
      : ''
  }`;
}

const PLAY_MONEY = 'Play money';

function amount({ amount: sum }: ReceiptView, { serifBold }: PreviewFonts): string {
  const number = formatUsdcForPeople(sum);
  const { size } = fit(number, { font: serifBold, sizes: [140, 110, 84], width: 640 });
  const unitLeft = LEFT + serifBold.widthOf(number, size) + 16;
  return `${words(number, { x: LEFT - 4, y: 312, size, style: SERIF, fill: INK })}
  ${words('USDC', { x: unitLeft, y: 312, size: 62, style: SERIF, fill: INK })}`;
}

function recipient(view: ReceiptView, { medium, bold }: PreviewFonts): string {
  const lead = 'for ';
  const where = afterName(view.platform);
  const room = RIGHT - LEFT - medium.widthOf(lead, 46) - medium.widthOf(where, 34);
  const name = fit(shownHandle(view.to), { font: bold, sizes: [50, 44, 38, 32], width: room });
  const nameLeft = LEFT + medium.widthOf(lead, 46) - 2;
  const whereLeft = nameLeft + bold.widthOf(name.text, name.size);
  return `${words(lead, { x: LEFT, y: 390, size: 46, style: MEDIUM, fill: SOFT })}
  ${words(name.text, { x: nameLeft, y: 390, size: name.size, style: BOLD, fill: INK })}
  ${words(where, { x: whereLeft, y: 390, size: 34, style: MEDIUM, fill: SOFT })}`;
}

function state(view: ReceiptView, { medium, bold }: PreviewFonts): string {
  const width = RIGHT - LEFT - 56;
  const title = fit(stateOf(view), { font: bold, sizes: [38, 34], width });
  const detail = detailOf(view, { font: medium, sizes: [28], width });
  const color = view.status === 'paid' && view.finality !== 'pending' ? '#1d6b3f' : '#a3172f';
  return `<path d="M${LEFT} 430H${RIGHT - 14}a14 14 0 0 1 14 14V532a14 14 0 0 1-14 14H${LEFT}z" fill="#f6f1e7"/>
  <rect x="${LEFT}" y="430" width="8" height="116" fill="${color}"/>
  ${words(title.text, { x: LEFT + 34, y: 481, size: title.size, style: BOLD, fill: INK })}
  ${words(detail.text, { x: LEFT + 34, y: 523, size: detail.size, style: MEDIUM, fill: SOFT })}`;
}

/** `20 NOV`, small enough for a postmark. */
function shortDay(date: Date): string {
  const [day = '', month = ''] = receiptPageEn.shortDay(date).split(' ');
  return `${day} ${month.slice(0, 3)}`.toUpperCase();
}

/** A recipient must know first when it goes back. Why money came back is said where there is room for the whole of it. */
function detailOf(view: ReceiptView, room: Room): Fitted {
  const { font, sizes, width } = room;
  const why = whyBackOf(view);
  if (why !== null && sizes.some((size) => font.widthOf(why, size) <= width)) return fit(why, room);
  if (view.expiresAt === null || view.finality === 'pending') return fit(certaintyOf(view), room);
  const condition = view.waitsForRoute ? 'nothing_changes' : 'nobody_collects';
  const back = goingBackEn.sentence({ if: condition, to: 'sender', on: goingBackEn.day(view.expiresAt) });
  return fit(back, { ...room, sizes: BACK_SIZES });
}

/** So that the longest day of a year is shown whole. */
const BACK_SIZES = [28, 26, 24] as const;

const INK = '#211c16';
const SOFT = '#625848';
const SERIF = 'font-family="Literata" font-weight="700"';
const MEDIUM = 'font-family="Inter Medium" font-weight="500"';
const BOLD = 'font-family="Inter" font-weight="700"';

type Words = { x: number; y: number; size: number; style: string; fill: string };

function words(text: string, { x, y, size, style, fill }: Words): string {
  return `<text x="${x}" y="${y}" font-size="${size}" ${style} fill="${fill}" xml:space="preserve">${escapeXml(text)}</text>`;
}

type Room = { font: Font; sizes: readonly number[]; width: number };
type Fitted = { text: string; size: number };

/** In the largest size that fits it, else in the smallest with its middle left out: both ends tell names apart. */
function fit(text: string, { font, sizes, width }: Room): Fitted {
  const shown = drawable(text, font);
  const size = sizes.find((candidate) => font.widthOf(shown, candidate) <= width);
  if (size !== undefined) return { text: shown, size };
  const least = sizes.at(-1) ?? 1;
  const characters = Array.from(shown);
  for (let kept = characters.length - 1; kept > 1; kept -= 1) {
    const half = Math.ceil(kept / 2);
    const shortened = `${characters.slice(0, half).join('')}…${characters.slice(half - kept).join('')}`;
    if (font.widthOf(shortened, least) <= width) return { text: shortened, size: least };
  }
  return { text: '…', size: least };
}

/** Nothing hidden, and nothing that the font would leave blank. */
function drawable(text: string, font: Font): string {
  const shown = toShownText(text, 300) ?? '';
  return Array.from(shown, (character) => (font.has(character) ? character : '?')).join('');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
