import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Logger } from 'pino';
import { linesOf } from '../../db/payments/records/find.ts';
import type { Store } from '../../db/store/store.ts';
import { createLines, createShared } from '../../queue/by-key.ts';
import type { PictureFolder } from './picture-folder.ts';
import { createRenderer } from './preview-png.ts';
import { readPreviewFonts, toPreviewSvg } from './preview-svg.ts';
import { readReceipt } from './read.ts';
import type { ReceiptPlace, ReceiptView } from './view.ts';

/** About 60 kB each. The oldest goes first: a receipt is read most in the hours after its payment. */
const PICTURES_MAX = 128;
/** Payments whose pictures wait to be drawn ahead; those of further ones are drawn when they are asked for. */
const PREPARED_MAX = 500;
/** Part of every name; raised when the same SVG would be drawn differently. */
const DRAWING = 'resvg 1';
/** A chat that previews a link waits for a few seconds only. */
const LATE_MS = 1_500;

export type Preview = {
  /** The same for the same picture, in every process and after a restart. */
  etag: string;
  /** Null where it is late, or could not be drawn: the static picture stands in. It is drawn all the same. */
  png: () => Promise<Uint8Array | null>;
};

export type Previews = {
  of: (view: ReceiptView) => Preview;
  /** Draws the pictures of a payment's receipts before anyone asks, once it is quiet. Never waits and never fails. */
  prepare: (paymentId: string) => void;
  /** Says nothing of any receipt. */
  standIn: Uint8Array;
};

export type PreviewsDependencies = {
  store: Store;
  place: ReceiptPlace;
  log: Logger;
  /** Null: nothing outlasts the process. */
  now: () => number;
  folder: PictureFolder | null;
  createDraw?: typeof createRenderer;
  lateMs?: number;
  /** Whether no caller waits for a payment. */
  isQuiet?: (() => boolean) | undefined;
};

/** Pictures of receipts: each is drawn once, when it is asked for or soon after its receipt is made, and kept. */
export function createPreviews(dependencies: PreviewsDependencies): Previews {
  const { store, now, place, log, folder, createDraw = createRenderer, lateMs = LATE_MS, isQuiet } = dependencies;
  const fonts = readPreviewFonts();
  const renderer = createDraw(
    Object.values(fonts).map(({ bytes }) => bytes),
    { isQuiet },
  );
  const pictures = new Map<string, Uint8Array>();
  const { share } = createShared<string, Uint8Array | null>();

  function remember(name: string, picture: Uint8Array): void {
    pictures.set(name, picture);
    const [oldest] = pictures.keys();
    if (pictures.size > PICTURES_MAX && oldest !== undefined) pictures.delete(oldest);
  }

  /** No caller waits for the disk. */
  function keepInFolder(name: string, picture: Uint8Array): void {
    folder?.keep(name, picture).catch((error: unknown) => log.warn({ err: error }, 'a drawn picture was not kept'));
  }

  async function findOrDraw(name: string, svg: string, when: 'asked' | 'ahead'): Promise<Uint8Array | null> {
    try {
      const stored = (await folder?.find(name)) ?? null;
      const picture = stored ?? (await renderer.draw(svg, when));
      if (picture === null) return null;
      remember(name, picture);
      if (stored === null) keepInFolder(name, picture);
      return picture;
    } catch (error) {
      // Never with the receipt's address or name, which let their reader in.
      log.warn({ err: error }, 'the picture of a receipt was not drawn; the static one stands in');
      return null;
    }
  }

  const nameOf = (svg: string) => createHash('sha256').update(`${DRAWING}\n${svg}`).digest('base64url').slice(0, 22);

  function pictureOf(name: string, svg: string, when: 'asked' | 'ahead'): Promise<Uint8Array | null> {
    const picture = share(name, () => findOrDraw(name, svg, when));
    if (when === 'asked') renderer.hurry(svg);
    return picture;
  }

  async function prepareAll(paymentId: string): Promise<void> {
    for (const { line } of await linesOf(store, paymentId)) {
      const shown = await readReceipt({ store, now }, place, line.slug);
      if (shown === null) continue;
      const svg = toPreviewSvg(shown.view, fonts, place.localMode);
      const name = nameOf(svg);
      if (!pictures.has(name)) await pictureOf(name, svg, 'ahead');
    }
  }

  return {
    standIn: readFileSync(new URL('./preview-static.png', import.meta.url)),
    of: (view) => {
      const svg = toPreviewSvg(view, fonts, place.localMode);
      const name = nameOf(svg);
      return {
        etag: `"${name}"`,
        png: async () => pictures.get(name) ?? before(pictureOf(name, svg, 'asked'), lateMs),
      };
    },
    prepare: createAhead(prepareAll, log),
  };
}

/** One payment after the other: many that are answered together do not wait for what nobody has asked for yet. */
function createAhead(prepareAll: (paymentId: string) => Promise<void>, log: Logger): Previews['prepare'] {
  const inLine = createLines<string>();
  let preparing = 0;
  return (paymentId) => {
    if (preparing >= PREPARED_MAX) return;
    preparing += 1;
    inLine('ahead', () => prepareAll(paymentId))
      .catch((error: unknown) => log.warn({ err: error }, 'pictures were not drawn ahead'))
      .finally(() => (preparing -= 1));
  };
}

/** Null once the time is over. */
async function before<Value>(promise: Promise<Value>, ms: number): Promise<Value | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
