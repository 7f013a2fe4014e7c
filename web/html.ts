import type { html } from 'hono/html';

/** A piece of a page. Every value placed in an `html` template is escaped; nothing here is ever marked as raw. */
export type Html = ReturnType<typeof html>;
