import { findClaim } from '../../../db/claims/find.ts';
import { findMailbox } from '../../../db/claims/mail-limit.ts';
import { findStopSecret, readReaderToken } from '../../../db/notices/stop-token.ts';
import { findReceipt } from '../../../db/payments/records/find.ts';
import type { ApiDependencies } from '../../environment/dependencies.ts';
import type { LinkOf } from '../../environment/limit.ts';
import { hashLink } from '../mail-code.ts';
import { SLUG } from '../receipt-link.ts';
import { openerOf } from './browser.ts';

type Dependencies = Pick<ApiDependencies, 'store' | 'now' | 'settings'>;

/** Strangers can make up such links, and each is looked up: beyond so many look-ups at once no link is recognised. */
const LOOKED_UP_AT_ONCE = 16;

const RECEIPT = /^\/receipts\/([A-Za-z0-9_-]{22})$/;
const MAIL = /^\/claims\/mail\/([\w-]{43})$/;
const CLAIM = /^\/claims\/(claim_[A-Za-z0-9_-]{22})(?:\/|$)/;

/**
 * Names the link by which a request came: of a receipt that shows everything, of a mail, or of a claim that its browser has
 * opened with such a link or has proven. A cookie alone is free, and what is public is everyone's.
 */
export function namesLinks({ store, now, settings }: Dependencies): LinkOf {
  let underWay = 0;

  async function receiptOf(slug: string): Promise<string | null> {
    const row = await findReceipt(store, slug, now());
    return row?.line.slug === slug ? `receipt ${slug}` : null;
  }

  async function mailOf(secret: string, browserId: string | null): Promise<string | null> {
    const linkHash = hashLink(secret);
    const address = await findMailbox(store, { linkHash, browserId, nowMs: now() });
    return address === null ? null : `mail ${linkHash}`;
  }

  async function claimOf(id: string, browserId: string | null): Promise<string | null> {
    const claim = browserId === null ? null : await findClaim(store, id);
    if (claim === null || claim.browserId !== browserId) return null;
    return claim.receiptSlug !== null || claim.status !== 'open' ? `claim ${id}` : null;
  }

  async function readerOf(token: string): Promise<string | null> {
    const secret = await findStopSecret(store);
    const identityId = secret === null ? null : readReaderToken(secret, token);
    return identityId === null ? null : `reader ${identityId}`;
  }

  async function lookUp(c: Parameters<LinkOf>[0]): Promise<string | null> {
    const { path } = c.req;
    const opener = openerOf(c, { settings });
    const browserId = opener?.kind === 'browser' ? opener.browserId : null;
    const [, receipt = c.req.query('receipt')] = RECEIPT.exec(path) ?? [];
    const [, mail] = MAIL.exec(path) ?? [];
    const [, claim] = CLAIM.exec(path) ?? [];
    const reader = c.req.query('reader');
    if (mail !== undefined) return mailOf(mail, browserId);
    const own = claim === undefined ? null : await claimOf(claim, browserId);
    if (own !== null) return own;
    if (receipt !== undefined && SLUG.test(receipt)) return receiptOf(receipt);
    return reader === undefined ? null : readerOf(reader);
  }

  return async (c) => {
    if (underWay >= LOOKED_UP_AT_ONCE) return null;
    underWay += 1;
    try {
      return await lookUp(c);
    } finally {
      underWay -= 1;
    }
  };
}
