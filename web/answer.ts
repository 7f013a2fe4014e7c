import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { answerHtml } from './compression.ts';
import { renderPage, type Page, type Reader, type Site } from './page.ts';

/**
 * The page as an answer. Its headers are set before (`setPageHeaders`), because other formats of an address share them;
 * only a page depends on its reader.
 */
export async function answerPage(
  c: Context,
  { site, reader }: { site: Site; reader?: Reader },
  page: Page,
  status: ContentfulStatusCode = 200,
): Promise<Response> {
  if (reader !== undefined) c.header('Vary', 'Accept-Language, Cookie', { append: true });
  return answerHtml(c, String(await renderPage(site, page, reader)), status);
}
