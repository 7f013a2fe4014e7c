import { z } from 'zod';
import { eachNetwork, familyOf, type Family } from '../../core/networks.ts';
import { FetchFailure } from '../fetch-failure.ts';
import type { GuardedFetch } from '../guarded-fetch.ts';
import { parseJson } from '../json.ts';
import type { WalletAddresses } from '../port.ts';

/** The URL of a host's file: `https://`, the host, no other port. Local mode has a stand-in for all hosts. */
export type ToHostUrl = (host: string, path: string) => string;

export const httpsUrlOfHost: ToHostUrl = (host, path) => `https://${host}${path}`;

const FILE_PATH = '/.well-known/pennypost.json';
/** Per network; further ones are not read. */
const ADDRESSES_MAX = 5;
/** Entries that are read, so that a long file costs little. */
const ENTRIES_MAX = 100;

const FORMS = {
  evm: /^0x[0-9a-fA-F]{40}$/,
  svm: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
} as const satisfies Record<Family, RegExp>;

const listSchema = z.array(z.unknown()).max(ENTRIES_MAX).default([]);
const fileSchema = z.object({ wallets: z.object(eachNetwork(() => listSchema)) });

/**
 * The addresses that a host publishes for itself, as `{"wallets": {"base": ["0x…"], "solana": ["…"]}}`. Null: it
 * publishes none, or cannot be read. Only their form is checked here; checksum, code and owner are checked on the
 * chain.
 */
export type FindPublishedWallets = (host: string, signal: AbortSignal) => Promise<WalletAddresses | null>;

export function createFindPublishedWallets(options: {
  /** For what strangers choose: global addresses only, and no redirect. */
  fetch: GuardedFetch;
  toHostUrl?: ToHostUrl;
}): FindPublishedWallets {
  const { fetch, toHostUrl = httpsUrlOfHost } = options;
  return async (host, signal) => {
    const json = await readJson(fetch, toHostUrl(host, FILE_PATH), signal);
    const file = fileSchema.safeParse(json);
    if (!file.success) return null;
    const { wallets } = file.data;
    return eachNetwork((network) => choose(wallets[network], FORMS[familyOf(network)]));
  };
}

function choose(entries: readonly unknown[], form: RegExp): string[] {
  const valid = entries.filter((entry) => typeof entry === 'string').filter((text) => form.test(text));
  return [...new Set(valid)].slice(0, ADDRESSES_MAX);
}

async function readJson(fetch: GuardedFetch, url: string, signal: AbortSignal): Promise<unknown> {
  try {
    const { status, text } = await fetch.get(url, { signal });
    return status === 200 ? parseJson(text) : undefined;
  } catch (error) {
    if (error instanceof FetchFailure) return undefined;
    throw error;
  }
}
