import { z } from 'zod';
import { eachNetwork, type Network } from '../../core/networks.ts';
import { parseDecsocial } from '../../core/platforms/decsocial.ts';
import { isProblem } from '../../core/platforms/parsed-name.ts';
import { createFindVerifiedAddresses, holdsOn, type VerifiedAddress } from '../platforms/verified-addresses.ts';
import { toEndpointRequest } from '../endpoint.ts';
import { askProvider, type LookupTools } from '../lookup.ts';
import type { WalletAddresses } from '../port.ts';
import type { Proven } from './port.ts';

/** Offered for a person to choose from; more would be too many. */
const ADDRESSES_MAX = 20;

const namesSchema = z.object({
  proofs: z
    .array(
      z.object({
        name: z.string(),
        fid: z.int().positive(),
        timestamp: z.int().positive().optional().catch(undefined),
      }),
    )
    .max(1_000),
});

/** Asks the hub for the names of an fid. Null: it gave no usable answer. */
export type FindFarcasterAccount = (fid: string, claimed: string, signal: AbortSignal) => Promise<Proven | null>;

export function createFindFarcasterAccount(settings: { hubUrl: string }, tools: LookupTools): FindFarcasterAccount {
  const findVerified = createFindVerifiedAddresses(settings, tools);
  return async (fid, claimed, signal) => {
    const [names, verified] = await Promise.all([
      askNames(settings.hubUrl, fid, signal, tools),
      findVerified(fid, signal),
    ]);
    if (names === null) return null;
    // A person may hold an fname and ENS names: the claimed one counts where it is among them.
    const held = names.find(({ key }) => key === claimed) ?? names[0];
    return {
      kind: 'proven',
      stableId: fid,
      // Farcaster's apps show an account without a name like this; no recipient can have this form.
      handle: held?.key ?? `!${fid}`,
      ...(held?.sinceMs === undefined ? {} : { sinceMs: held.sinceMs }),
      ...(verified === null ? {} : { addresses: toWalletAddresses(verified) }),
    };
  };
}

type HeldName = { key: string; sinceMs: number | undefined };

async function askNames(
  hubUrl: string,
  fid: string,
  signal: AbortSignal,
  tools: LookupTools,
): Promise<HeldName[] | null> {
  const answer = await askProvider(toEndpointRequest(hubUrl, '/v1/userNameProofsByFid', { fid }), signal, tools);
  if (answer === null) return null;
  const parsed = namesSchema.safeParse(answer.json);
  if (answer.status !== 200 || !parsed.success) {
    tools.report(`unexpected names with status ${answer.status}`);
    return null;
  }
  return parsed.data.proofs.flatMap(({ name, fid: holder, timestamp }) => {
    const key = parseDecsocial(name);
    if (String(holder) !== fid || isProblem(key)) return [];
    return [{ key: key.key, sinceMs: timestamp === undefined ? undefined : timestamp * 1_000 }];
  });
}

function toWalletAddresses(verified: readonly VerifiedAddress[]): WalletAddresses {
  const choose = (network: Network) => {
    const held = verified.filter((address) => holdsOn(network, address));
    return [...new Set(held.map(({ address }) => address))].slice(0, ADDRESSES_MAX);
  };
  return eachNetwork(choose);
}
