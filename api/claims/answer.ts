import { createHash } from 'node:crypto';
import type { NetworkSum } from '../../core/claims/claims.ts';
import { formatUsdc, microUsdc, toJsonAmount } from '../../core/money.ts';
import { formatRecipient } from '../../core/platforms/recipient.ts';
import type { ClaimView } from './claims.ts';

type Json = Record<string, unknown>;

/** The answer to opening a claim: what the person has to do next. */
export function toOpenedAnswer(view: ClaimView): Json {
  const { oauth, siwf, domain, email } = view.steps;
  return {
    code: 201,
    msg: `Prove that ${formatRecipient(view.recipient)} is yours until ${toTime(view.expiresAtMs)}`,
    data: {
      claim_id: view.claimId,
      method: view.method,
      expires_at: toTime(view.expiresAtMs),
      ...(oauth && { oauth }),
      ...(siwf && { siwf }),
      ...(domain && { domain: { txt_name: domain.txtName, file_url: domain.fileUrl, line: domain.line } }),
      ...(email && {
        email: {
          to: email.to,
          code_expires_at: email.codeExpiresAtMs === null ? null : toTime(email.codeExpiresAtMs),
          tries_left: email.triesLeft,
          last_mail_at: email.lastMailAtMs === null ? null : toTime(email.lastMailAtMs),
        },
      }),
    },
  };
}

/** The answer to a proof: what confirming with this token would do. */
export function toProofAnswer(view: ClaimView, confirmToken: string | null): Json {
  return {
    code: 200,
    msg: describe(view),
    data: {
      status: view.status,
      name: view.provenName,
      ...toMoney(view),
      destinations: view.destinations,
      confirm_token: confirmToken,
    },
  };
}

/** What `GET /claims/{id}` tells programs, and the data of every event of its stream. */
export function toClaimAnswer(view: ClaimView): Json {
  return {
    code: 200,
    msg: describe(view),
    data: {
      claim_id: view.claimId,
      method: view.method,
      status: view.status,
      reason: view.reason,
      expires_at: toTime(view.expiresAtMs),
      name: view.provenName,
      ...toMoney(view),
      network: onlyNetworkOf(view.sums ?? []),
      destinations: view.destinations,
      effective_at: view.effectiveAtMs === null ? null : toTime(view.effectiveAtMs),
      waiting_for_route: toRoute(view),
      returned: view.returned === null ? null : toJsonAmount(view.returned.amount),
      txn_ids: view.txnIds,
      transaction_hashes: view.transactionHashes,
    },
  };
}

/** Names what a claim shows now: equal for equal views, whichever process answers. */
export function versionOfClaim(view: ClaimView): string {
  // The steps too: a page shows the link of a sign-in that was started again.
  const shown = JSON.stringify([toClaimAnswer(view), view.steps]);
  return createHash('sha256').update(shown).digest('base64url').slice(0, 16);
}

/** Whether anything about it can still change. */
export function isFinished({ status, returned }: ClaimView): boolean {
  if (returned !== null && !returned.isThere) return false;
  return status === 'paid' || status === 'expired' || status === 'rejected';
}

function toMoney({ total, sums }: ClaimView): Json {
  return {
    total: total === null ? null : toJsonAmount(total),
    sums: sums === null ? null : sums.map(({ network, amount }) => ({ network, amount: toJsonAmount(amount) })),
  };
}

function toRoute({ waitsForRoute }: ClaimView): Json | null {
  if (waitsForRoute === null) return null;
  const networks = waitsForRoute.sums.map(({ network }) => network);
  const purse = waitsForRoute.purseMaxMicroUsdc;
  return {
    sums: waitsForRoute.sums.map(({ network, amount }) => ({ network, amount: toJsonAmount(amount) })),
    why: purse === null ? noAddress(networks) : noRoom(purse),
    until: toTime(waitsForRoute.untilMs),
    what_to_do:
      purse === null
        ? `Claim again with "keep", or with an address on ${networks.join(' and ')}.`
        : `${purse === 0n ? 'Claim' : 'Send or withdraw some of what is kept here, or claim'} again with an address on ${networks.join(' and ')}.`,
  };
}

const noAddress = (networks: readonly string[]): string =>
  `It came in on ${networks.join(' and ')}, where this claim has no address, and our own money elsewhere does not cover it.`;

const noRoom = (most: bigint): string =>
  most === 0n
    ? 'No more money is taken to be kept here at the moment.'
    : `At most ${formatUsdc(microUsdc(most))} USDC are kept here for a person, and this does not fit.`;

/** Null also where the money is on several networks, which `sums` lists. */
function onlyNetworkOf(sums: readonly NetworkSum[]): string | null {
  return sums.length === 1 ? (sums[0]?.network ?? null) : null;
}

function describe(view: ClaimView): string {
  const name = view.provenName ?? formatRecipient(view.recipient);
  const sum = view.total === null ? '' : `${formatUsdc(view.total)} USDC`;
  switch (view.status) {
    case 'pending':
      return `Waiting for the proof that ${name} is yours`;
    case 'verified':
      return `You are ${name}. ${sum} waits for you; confirm where it goes`;
    case 'paying':
      return view.waitsForRoute === null
        ? `${sum} on its way to ${name}`
        : `${sum} for ${name}, part of which waits until ${toTime(view.waitsForRoute.untilMs)}`;
    case 'paid':
      return view.total === 0n
        ? `Nothing waits for ${name}; later money goes there by itself`
        : `${sum} received by ${name}`;
    case 'expired':
      if (view.returned === null) return 'The time for this claim is over';
      return `${formatUsdc(view.returned.amount)} USDC for ${name} ${view.returned.isThere ? 'went' : 'goes'} back to its payer`;
    case 'rejected':
      return view.reason === 'declined' ? `${name} did not want it; it goes back` : `${name} was not proven`;
  }
}

function toTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
