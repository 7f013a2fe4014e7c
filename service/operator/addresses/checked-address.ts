import { join } from 'node:path';
import { z } from 'zod';
import { checkEvmAddress } from '../../../chain/evm/payout-address.ts';
import { evmProfile } from '../../../chain/evm/rpc/profile.ts';
import { createEvmRpc } from '../../../chain/evm/rpc/rpc.ts';
import { checkSolanaAddress } from '../../../chain/solana/payout-address.ts';
import { solanaProfile } from '../../../chain/solana/messages/profile.ts';
import { createSolanaRpc } from '../../../chain/solana/rpc/rpc.ts';
import type { Config } from '../../../core/config/config.ts';
import { eachNetwork, inFamily, networkTitle, type Network } from '../../../core/networks.ts';
import { ADDRESS_REFUSALS, type AddressCheck } from '../../../core/payments/payout-address.ts';
import { readIfThere } from '../../../local/processes/whole-file.ts';
import { readAddress } from './address.ts';

const TIMEOUT_MS = 5_000;
/** Where local mode publishes how its chains are reached. */
const publishedSchema = z.object({ rpc: z.object(eachNetwork(() => z.url().optional())) });

/**
 * A recipient's address, by the rules of the claim page, which ask its chain. Throws plain Errors that say what is
 * wrong.
 */
export async function readCheckedAddress(config: Config, text: string): Promise<{ network: Network; address: string }> {
  const { network } = readAddress(config, text, null);
  const check = await checkOn(network, config, text);
  switch (check.kind) {
    case 'fine':
      return { network, address: check.address };
    case 'refused':
      throw new Error(`${text} is refused: ${ADDRESS_REFUSALS[check.reason]}`);
    case 'unavailable':
      throw new Error(`${networkTitle(network, null)} does not answer, so nothing was changed. Try again.`);
  }
}

/** The check for our own addresses ran before. */
async function checkOn(network: Network, config: Config, text: string): Promise<AddressCheck> {
  const url = await rpcUrlOf(config, network);
  const place = inFamily(network);
  switch (place.family) {
    case 'evm': {
      const profile = evmProfile(place.network, config.mode);
      return checkEvmAddress(createEvmRpc({ url, timeoutMs: TIMEOUT_MS, profile }), profile, [], text);
    }
    case 'svm': {
      const profile = solanaProfile(config.mode);
      const rpc = createSolanaRpc({ url, timeoutMs: TIMEOUT_MS, profile, ownAccounts: [] });
      return checkSolanaAddress(rpc, profile, [], text);
    }
  }
}

async function rpcUrlOf(config: Config, network: Network): Promise<string> {
  const url = config.mode === 'local' ? await localRpcUrl(config, network) : config[network].rpcUrl;
  if (url !== undefined) return url;
  const remedy = config.mode === 'local' ? 'start it first, with npm start' : 'its RPC URL is not configured';
  throw new Error(`${networkTitle(network, null)} cannot be asked about the address: ${remedy}.`);
}

async function localRpcUrl({ dataDir }: Config, network: Network): Promise<string | undefined> {
  const text = await readIfThere(join(dataDir, 'local', 'payers.json'));
  return text === null ? undefined : publishedSchema.parse(JSON.parse(text)).rpc[network];
}
