import type { Context, Hono } from 'hono';
import { microUsdc } from '../../core/money.ts';
import type { Language } from '../../core/languages.ts';
import { REPORT_KEPT_MS } from '../../db/reports/reports.ts';
import { formatDuration } from '../../texts/rules/duration.ts';
import type { TrustFacts } from '../../texts/trust/en.ts';
import { answerPage } from '../../web/answer.ts';
import { dollars } from '../../web/components/money.ts';
import { setPageHeaders } from '../../web/headers.ts';
import { readerOf } from '../../web/language.ts';
import type { Site } from '../../web/page.ts';
import type { ApiEnv } from '../http/env.ts';
import { statusPage, type Looks } from './status-page.ts';
import { TRUST_PAGES, trustPage, type TrustPageName } from './trust-page.ts';

const DAY_MS = 24 * 3_600_000;

export type TrustRoutes = {
  site: Site;
  claimTtlMs: number;
  purseMaxMicroUsdc: bigint | null;
  looks: Looks;
  networks: readonly { network: string; caip2: string }[];
};

/** `/real`, `/help`, `/terms`, `/privacy` and `/status`; where the operator has a page of their own, that one counts. */
export function mountTrustPages(app: Hono<ApiEnv>, routes: TrustRoutes): void {
  for (const name of TRUST_PAGES) app.get(`/${name}`, (c) => answerTrust(c, routes, name));
  app.get('/status', async (c) => {
    setPageHeaders(c, { isIndexed: false });
    const reader = readerOf(c);
    return answerPage(
      c,
      { site: routes.site, reader },
      statusPage(await routes.looks(), routes.networks, reader.language),
    );
  });
}

function answerTrust(c: Context<ApiEnv>, routes: TrustRoutes, name: TrustPageName): Response | Promise<Response> {
  const { site } = routes;
  const { operator } = site;
  const own = { real: '', help: '', terms: operator.termsUrl, privacy: operator.privacyUrl ?? '' }[name];
  setPageHeaders(c, { isIndexed: own === '' });
  if (own !== '') return c.redirect(own, 302);
  const reader = readerOf(c);
  const { language } = reader;
  return answerPage(c, { site, reader }, trustPage(name, factsOf(routes, language), { operator, language }));
}

function factsOf({ site, claimTtlMs, purseMaxMicroUsdc }: TrustRoutes, language: Language): TrustFacts {
  return {
    operator: site.operator.name,
    origin: new URL(site.baseUrl).origin,
    waits: formatDuration(claimTtlMs, language),
    keptAtMost: purseMaxMicroUsdc === null ? null : dollars(microUsdc(purseMaxMicroUsdc)),
    reportDays: REPORT_KEPT_MS / DAY_MS,
  };
}
