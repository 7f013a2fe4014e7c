import { randomBytes } from 'node:crypto';
import { addressOfKey } from '../chain/base/key.ts';
import { isForbiddenAddress } from '../chain/base/profile.ts';
import { isAddress, isForbiddenAddress as isForbiddenSolanaAddress } from '../chain/solana/addresses.ts';
import { readSolanaKey } from '../chain/solana/key.ts';
import type { Config } from '../core/config.ts';
import { createIds } from '../core/ids.ts';
import type { Network } from '../core/networks.ts';
import { findPlatform } from '../core/platforms.ts';
import { formatRecipient, parseRecipient, type Recipient } from '../core/recipients/recipient.ts';
import { ensureIdentity } from '../db/identities.ts';
import { openStore } from '../db/open.ts';
import { linkWallet } from '../db/wallets.ts';
import { createIdentity } from './identity.ts';
import { readBaseKeys, readSolanaKeys } from './keys.ts';

type Hex = `0x${string}`;
/** A command says what went wrong in its own words. */
const QUIET = { info: () => undefined, warn: () => undefined };

export type LinkResult = { recipient: string; network: Network; address: string; payouts: number };

/**
 * Operator's command until people can claim: says where a recipient's money goes. What waits for them becomes payouts,
 * which a running worker sends; everything later is paid out at once. Throws plain Errors that say what is wrong.
 */
export async function linkRecipient(config: Config, name: string, addressText: string): Promise<LinkResult> {
  const recipient = readRecipient(name);
  const { network, address } = readAddress(config, addressText);
  const identity = createIdentity(config, QUIET);
  const resolution = await identity.resolve(recipient);
  await identity.close();
  if (resolution.kind !== 'found') throw new Error(`${formatRecipient(recipient)} was not found on its platform.`);
  const store = await openStore(config.databaseUrl);
  try {
    const ids = createIds(randomBytes);
    const nowMs = Date.now();
    const person = { ...recipient, stableId: resolution.stableId };
    const identityId = await store.tx((db) => ensureIdentity(db, store.tables, person, ids.identityId(), nowMs));
    const link = { identityId, network, address, source: 'operator' };
    const payouts = await linkWallet(store, link, ids.payoutId, nowMs);
    return { recipient: formatRecipient(recipient), network, address, payouts: payouts.length };
  } finally {
    await store.close();
  }
}

function readRecipient(name: string): Recipient {
  const [, platformText = '', receiver = ''] = /^@?([a-z]+)[:/](.+)$/i.exec(name) ?? [];
  const platform = findPlatform(platformText);
  if (platform === null) throw new Error(`Name the recipient as platform:handle, such as x:alice; found ${name}.`);
  return parseRecipient(platform, receiver);
}

/** The form of an address tells its network. */
function readAddress(config: Config, text: string): { network: Network; address: string } {
  const found = readBaseAddress(config, text) ?? readSolanaAddress(config, text);
  if (found === null) {
    throw new Error(`An address is 0x and 40 hex digits (Base), or base58 of 32 bytes (Solana); found ${text}.`);
  }
  if (!config.networks.includes(found.network)) {
    throw new Error(`${text} is an address on ${found.network}, which NETWORKS does not offer.`);
  }
  if (found.forbidden) {
    throw new Error(`${text} is ours, a system's or nobody's address: money sent there would be lost.`);
  }
  return found;
}

type Found = { network: Network; address: string; forbidden: boolean };

function readBaseAddress(config: Config, text: string): Found | null {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return null;
  const address = text.toLowerCase() as Hex;
  const { treasuryKey, taskKey, laneKeys } = readBaseKeys(config);
  const own = [treasuryKey, taskKey, ...laneKeys].flatMap((key) => (key === undefined ? [] : [addressOfKey(key)]));
  return { network: 'base', address, forbidden: isForbiddenAddress(address, own) };
}

function readSolanaAddress(config: Config, text: string): Found | null {
  if (!isAddress(text)) return null;
  const own = config.networks.includes('solana')
    ? Object.values(readSolanaKeys(config)).map((key) => readSolanaKey(key).address)
    : [];
  return { network: 'solana', address: text, forbidden: isForbiddenSolanaAddress(text, own) };
}
