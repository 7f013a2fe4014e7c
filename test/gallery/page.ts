import type { Page } from 'playwright-core';

/** A page in one state. `cookie`: whose it is; `act`: what is pressed or typed until it shows that state. */
export type GalleryPage = {
  name: string;
  url: string;
  cookie?: { name: string; value: string };
  /** Of a browser inside of an app. */
  userAgent?: string;
  act?: (page: Page) => Promise<void>;
};

/** The pages of one part, over servers of its own. */
export type GalleryPart = { pages: readonly GalleryPage[]; close: () => Promise<void> };
