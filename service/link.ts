import { randomBytes } from 'node:crypto';
import { addressOfKey } from '../chain/base/key.ts';
import { isForbiddenAddress } from '../chain/base/profile.ts';
import type { Config } from '../core/config.ts';
import { createIds } from '../core/ids.ts';
import { findPlatform } from '../core/platforms.ts';
import { formatRecipient, parseRecipient, type Recipient } from '../core/recipients/recipient.ts';
import { ensureIdentity } from '../db/identities.ts';
import { openStore } from '../db/open.ts';
import { linkWallet } from '../db/wallets.ts';
import { createIdentity } from './identity.ts';
import { readBaseKeys } from './keys.ts';

type Hex = `0x${string}`;
/** A command says what went wrong in its own words. */
const QUIET = { info: () => undefined, warn: () => undefined };

export type LinkResult = { recipient: string; address: Hex; payouts: number };

/**
 * Operator's command until people can claim: says where a recipient's money goes. What waits for them becomes payouts,
 * which a running worker sends; everything later is paid out at once. Throws plain Errors that say what is wrong.
 */
export async function linkRecipient(config: Config, name: string, addressText: string): Promise<LinkResult> {
  const recipient = readRecipient(name);
  const address = readAddress(config, addressText);
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
    const link = { identityId, network: 'base', address, source: 'operator' };
    const payouts = await linkWallet(store, link, ids.payoutId, nowMs);
    return { recipient: formatRecipient(recipient), address, payouts: payouts.length };
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

function readAddress(config: Config, text: string): Hex {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new Error(`An address is 0x and 40 hex digits; found ${text}.`);
  const address = text.toLowerCase() as Hex;
  if (isForbiddenAddress(address, ownAddresses(config))) {
    throw new Error(`${text} is ours, a system's or nobody's address: money sent there would be lost.`);
  }
  return address;
}

function ownAddresses(config: Config): Hex[] {
  const { treasuryKey, taskKey, laneKeys } = readBaseKeys(config);
  return [treasuryKey, taskKey, ...laneKeys].flatMap((key) => (key === undefined ? [] : [addressOfKey(key)]));
}
