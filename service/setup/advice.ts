import type { Config } from '../../core/config/config.ts';
import { expectedCost } from '../../core/costs/allowance.ts';
import { inviteUrl } from '../../core/discord/rights.ts';
import { coinOf, inFamily, networkTitle, type Network } from '../../core/networks.ts';
import { OAUTH_PLATFORMS, platformRow } from '../../core/platforms/platforms.ts';
import { addressesOf } from '../keystore/new-keys.ts';
import { NETWORK_VARIABLES, type KeptName } from '../../core/config/networks.ts';
import type { KeystoreContent } from '../keystore/content.ts';

const PAYMENTS = 1_000n;
/** What a token account costs that a payout opens on Solana, in lamports. */
const ACCOUNT_RENT = 2_039_280n;

/** What is left to do outside of this computer: money to send, addresses to register, bots to invite. */
export function adviceLines(config: Config, secrets: KeystoreContent['secrets']): string[] {
  return [
    ...config.networks.flatMap((network) => fundingLines(network, secrets)),
    ...callbackLines(config),
    ...botLines(config),
    '',
    'Then, in this order:',
    '  npm run operator -- backup-words     write the words of people’s wallets on paper',
    '  npm run doctor                       what is still wrong, each with its cure',
    ...(config.mode === 'mainnet' ? ['  npm run doctor -- --approve          mainnet starts only with this'] : []),
    '  npm start',
  ];
}

/** By what a payment with one recipient has been measured to cost: docs/decisions.md. */
function fundingLines(network: Network, secrets: KeystoreContent['secrets']): string[] {
  const coin = coinOf(network);
  const place = inFamily(network);
  const cost = expectedCost(network, 1) * PAYMENTS;
  const line = (address: string, units: bigint, whatFor: string) =>
    `  ${address}  ${Number(units) / 1e9} ${coin}  ${whatFor}`;
  const of = (name: KeptName) => addressesOf(name, secrets[name] ?? '');
  const head = `Send on ${networkTitle(network, null)}, for each ${PAYMENTS} payments:`;
  switch (place.family) {
    case 'evm': {
      const lanes = of(NETWORK_VARIABLES[place.network].laneKeys);
      const share = cost / BigInt(lanes.length);
      return [head, ...lanes.map((address) => line(address, share, 'gas'))];
    }
    case 'svm': {
      const [feePayer = ''] = of(NETWORK_VARIABLES[place.network].feePayerKey);
      const [treasury = ''] = of(NETWORK_VARIABLES[place.network].treasuryKey);
      const rent = `fees of payouts; and ${Number(ACCOUNT_RENT) / 1e9} ${coin} for each account that a payout opens`;
      return [head, line(feePayer, cost / 2n, 'settlements'), line(treasury, cost / 2n, rent)];
    }
  }
}

function callbackLines({ http, identity }: Config): string[] {
  const offered = OAUTH_PLATFORMS.filter((platform) => identity[platform].clientId !== undefined);
  if (offered.length === 0) return [];
  const lines = offered.map((name) => `  ${platformRow(name).title}: ${http.baseUrl}/claims/callback/${name}`);
  return ['Register as callback:', ...lines];
}

function botLines({ discord, telegram, http }: Config): string[] {
  return [
    ...(discord === undefined ? [] : ['Invite the bot to Discord:', `  ${inviteUrl(discord.appId ?? '')}`]),
    ...(telegram === undefined
      ? []
      : [
          'Add the bot to groups in Telegram. The service registers its webhook itself:',
          `  ${http.baseUrl}/telegram/webhook`,
        ]),
  ];
}
