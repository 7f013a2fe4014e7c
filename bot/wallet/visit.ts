import type { Context } from 'hono';
import type { Platform } from '../../core/platforms/platforms.ts';
import type { RateLimits } from '../../queue/rate-limiter.ts';
import type { Runner } from '../../queue/runner.ts';
import type { CoreDeps } from '../conversation/dependencies.ts';
import type { PasskeyDeps } from '../passkeys/signed.ts';
import { line } from '../../core/view.ts';
import type { Texts } from '../../texts/en.ts';
import { answerPage } from '../../web/answer.ts';
import type { Operator, Page, Site } from '../../web/page.ts';
import { pageSiteOf, type PageSite } from '../shared/page-site.ts';
import { noticePage } from './notice-page.ts';

export type WalletPagesDeps = CoreDeps & {
  passkeys: PasskeyDeps['passkeys'];
  withdrawals: Pick<Runner, 'run'>;
  orders: Pick<Runner, 'run'>;
  /** How often a visitor may ask. */
  limits: Pick<RateLimits, 'perMinute'>;
  /** Whether people reach the page over TLS: it decides about the cookie. */
  isSecure: boolean;
  /** Who answers for the service; every page says it. */
  operator: Operator;
  /** Where a name can be proven, to sign in to what is kept for it. */
  signInPlatforms: readonly Platform[];
};

export type Status = 200 | 400 | 403 | 404 | 413 | 429 | 500;

export type Sentence = (text: Texts['walletPage'], purse: Texts['purse']) => string;
export const foreign: Sentence = (text) => text.foreign;
export const notFound: Sentence = (text) => text.notFound;
export const formOver: Sentence = (text) => text.formOver;
export const purseOver: Sentence = (_, purse) => purse.linkOver;
export const movedOver: Sentence = (_, purse) => purse.movedOver;

/** One request, in the language of its reader. */
export type Visit = {
  deps: WalletPagesDeps;
  site: PageSite;
  show: (page: Page, status?: Status) => Promise<Response>;
  refuse: (status: Status, sentence: Sentence) => Promise<Response>;
};

export function visitOf(deps: WalletPagesDeps, installation: Site, context: Context): Visit {
  const site = pageSiteOf(context, installation);
  const show = (page: Page, status: Status = 200) => answerPage(context, site, page, status);
  return {
    deps: { ...deps, texts: site.texts },
    site,
    show,
    refuse: (status, sentence) =>
      show(noticePage(site.texts, line`${sentence(site.texts.walletPage, site.texts.purse)}`), status),
  };
}
export type Work = (visit: Visit, context: Context, holderId: string) => Response | Promise<Response>;
