import { AppError } from '../../core/errors.ts';
import { findClaim, type ClaimRow } from '../../db/claims/find.ts';
import { keepProof } from '../../db/claims/proof.ts';
import type { Claims, ClaimView, Opener } from './claims.ts';
import { confirm, decline, issueToken } from './confirm.ts';
import type { ClaimsDependencies } from './dependencies.ts';
import { mailboxOf, sendNewCode, tooManyMails } from './mail-code.ts';
import { mailCaller, openClaim, openFromMail } from './open.ts';
import { isToBeProven, prove } from './prove.ts';
import { findLinked, toHeldLink } from './receipt-link.ts';
import { recipientOf } from './recipient.ts';
import { finishSignIn } from './sign-in.ts';
import { toView } from './view.ts';

/** 128 bits in base64url behind their name. */
const CLAIM_ID = /^claim_[A-Za-z0-9_-]{22}$/;

/** How people get their money: everything behind the routes and pages of claims. */
export function createClaims(dependencies: ClaimsDependencies): Claims {
  const { store, now } = dependencies;

  /** Another visitor's claim is as unknown as one that never existed. */
  async function find(claimId: string, opener: Opener): Promise<ClaimRow> {
    const claim = CLAIM_ID.test(claimId) ? await findClaim(store, claimId) : null;
    if (claim === null || !isOpenedBy(claim, opener)) throw new AppError('claim_not_found');
    return claim;
  }

  async function view(claimId: string, opener: Opener): Promise<ClaimView> {
    return toView(dependencies, await find(claimId, opener));
  }

  return {
    open: async (request, opener) => view(await openClaim(dependencies, request, opener), opener),
    mailboxOf: (secret, opener) =>
      mailboxOf(dependencies, secret, opener?.kind === 'browser' ? opener.browserId : null),
    openFromMail: async (request, opener) => {
      if (opener.kind === 'bot') throw new AppError('validation_failed', { detail: 'Open the link in a browser.' });
      return view(await openFromMail(dependencies, request, opener), opener);
    },
    finishOauth: async (answer, opener) => view(await finishSignIn(dependencies, answer, opener), opener),
    prove: async (claimId, step, opener) => {
      await prove(dependencies, await find(claimId, opener), step);
      return view(claimId, opener);
    },
    sendCodeAgain: async (claimId, opener, { ip, language }) => {
      const claim = await find(claimId, opener);
      if (claim.method !== 'email') throw new AppError('validation_failed', { detail: 'This claim needs no code.' });
      if (isToBeProven(claim, now())) {
        const wish = { claimId, recipient: recipientOf(claim), payout: claim.payout, language };
        const linked = await findLinked(dependencies, claim.receiptSlug, wish.recipient);
        const caller = mailCaller(dependencies, await toHeldLink(store, linked), ip);
        const sent = await sendNewCode(dependencies, wish, caller, (proof) => keepProof(store, claimId, proof));
        const { key: address, browserId } = claim;
        if (sent.kind === 'refused') throw await tooManyMails(dependencies, { address, browserId }, sent);
      }
      return view(claimId, opener);
    },
    issueConfirmToken: async (claimId, opener) => issueToken(dependencies, await find(claimId, opener)),
    confirm: async (claimId, token, opener) => {
      await confirm(dependencies, await find(claimId, opener), token, opener);
      return view(claimId, opener);
    },
    decline: async (claimId, token, opener, options) => {
      await decline(dependencies, await find(claimId, opener), token, options);
      return view(claimId, opener);
    },
    read: view,
    waitForChange: async (claimId, timeoutMs, signal) => {
      await dependencies.waitForChange(claimId, timeoutMs, signal);
    },
  };
}

function isOpenedBy({ browserId }: ClaimRow, opener: Opener): boolean {
  return opener.kind === 'bot' ? browserId === null : browserId === opener.browserId;
}
