/** People who collect, on the books of test/support/books.ts. */
import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { CLAIM_MS, type PayoutTarget } from '../../../core/claims/claims.ts';
import type { Network } from '../../../core/networks.ts';
import { claimMethodOf, type Platform } from '../../../core/platforms/platforms.ts';
import { confirmClaim, type Confirmation, type ConfirmResult } from '../../../db/claims/confirm.ts';
import { issueConfirmHash } from '../../../db/claims/confirm-token.ts';
import { openClaim } from '../../../db/claims/open.ts';
import { markVerified, type VerifyResult } from '../../../db/claims/verify.ts';
import { assignTransfers } from '../../../db/transfers/authorize.ts';
import { exposureCounter } from '../../../db/transfers/exposure.ts';
import { applyTransfers } from '../../../db/scan/apply.ts';
import { TREASURY, type Books } from '../../support/books.ts';

export const newAddress = () => `0x${randomBytes(20).toString('hex')}`;

type Person = { name: string; stableId: string; platform?: Platform; sinceMs?: number };

export type Claimants = ReturnType<typeof createClaimants>;

export function createClaimants(books: Books) {
  const { store, ids, clock } = books;
  const { claims, transfers, wallets, walletChanges } = store.tables;

  async function open(name: string, payout: PayoutTarget, platform: Platform = 'x'): Promise<string> {
    const id = ids.claimId();
    await openClaim(store, {
      id,
      platform,
      key: name,
      display: name,
      payout,
      method: claimMethodOf(platform),
      status: 'open',
      browserId: 'chat:mine',
      tries: 0,
      createdAtMs: clock.nowMs,
      expiresAtMs: clock.nowMs + CLAIM_MS,
    });
    return id;
  }

  function prove(claimId: string, { name, stableId, platform = 'x', sinceMs }: Person): Promise<VerifyResult> {
    const since = sinceMs === undefined ? {} : { sinceMs };
    const person = { platform, stableId, key: name, display: name, ...since };
    return markVerified(store, { claimId, person, nowMs: clock.nowMs }, ids.identityId());
  }

  /** Opened, proven and with a token: everything but the confirmation. */
  async function ready(person: Person, payout: PayoutTarget): Promise<{ claimId: string; confirmHash: string }> {
    const claimId = await open(person.name, payout, person.platform);
    const result = await prove(claimId, person);
    if (result !== 'verified') throw new Error(`expected a verified claim, found ${result}`);
    return { claimId, confirmHash: await token(claimId) };
  }

  async function token(claimId: string): Promise<string> {
    const confirmHash = randomBytes(8).toString('hex');
    await issueConfirmHash(store, claimId, confirmHash, clock.nowMs);
    return confirmHash;
  }

  function confirm(confirmation: Omit<Confirmation, 'holder'> & Partial<Confirmation>): Promise<ConfirmResult> {
    const transferIdOf = ids.payoutId;
    return confirmClaim(store, { holder: null, ...confirmation }, { transferIdOf, nowMs: clock.nowMs });
  }

  /** The whole way to an address on Base, as the owner of the name. */
  async function collect(person: Person, base: string): Promise<ConfirmResult> {
    return confirm({ ...(await ready(person, { base })), links: [toBase(base)] });
  }

  /** Signs every queued payout on Base and shows it on the chain. */
  async function landAll(): Promise<void> {
    const open = await store.read.select().from(transfers).where(eq(transfers.status, 'queued'));
    const signed = open.map((payout) => {
      const nonce = `0x${randomBytes(32).toString('hex')}`;
      return { ...payout, nonce, validBefore: 1, signature: 's', exposed: false };
    });
    const exposure = { counter: exposureCounter('base'), capMicroUsdc: 1_000_000_000n };
    await assignTransfers(store, signed, exposure, clock.nowMs);
    const landed = signed.map((payout, logIndex) => ({
      transaction: '0xlanded',
      logIndex,
      position: 0,
      block: books.height(),
      blockHash: '',
      from: payout.fromAddress,
      to: payout.toAddress,
      value: payout.amountMicroUsdc,
      authorizer: payout.fromAddress,
      nonce: payout.nonce,
    }));
    const settle = { transferIdOf: ids.payoutId, answerFor: () => ({}), nowMs: clock.nowMs };
    await applyTransfers(store, { network: 'base', transfers: landed, ownAddresses: [TREASURY] }, settle);
  }

  return {
    open,
    prove,
    ready,
    token,
    confirm,
    collect,
    landAll,
    row: async (claimId: string) => (await store.read.select().from(claims).where(eq(claims.id, claimId)))[0],
    changes: () => store.read.select().from(walletChanges),
    async addressOf(identityId: string, network: Network = 'base'): Promise<string | undefined> {
      const known = await store.read.select().from(wallets).where(eq(wallets.identityId, identityId));
      return known.find((wallet) => wallet.network === network)?.address;
    },
  };
}

export const toBase = (address: string) => ({ network: 'base', address, source: 'claim' }) as const;
